import DocumentValues

/// Settings of Sync Gateway that have an effect there and none here: an administrator who sets one gets an error,
/// instead of believing that it works. Settings that only concern Couchbase Server (buckets, indexes, imports, caches)
/// are not among them.
enum UnsupportedSettings {
    private static let reasons: [(key: String, reason: String)] = [
        ("oidc", "take local_jwt with the provider's issuer, client_id and jwks_uri for its ID tokens"),
        ("event_handlers", "follow _changes instead"),
        ("replications", "there is no replication between gateways"),
        ("functions", "there are no functions or GraphQL"),
        ("user_xattr_key", "documents have no extended attributes without Couchbase Server"),
    ]

    /// Members of `unsupported` that change a user's rights, or the data that a user gets.
    private static let options: [(key: String, reason: String)] = [
        ("force_api_forbidden_errors", "refusals always say what is missing"),
        ("blip_send_docs_with_channel_removal", "clients that ask for revocations are notified of removals"),
        ("reject_writes_with_skipped_sequences", "no sequence is skipped"),
    ]

    static func check(_ json: JSONObject) throws(GatewayError) {
        try check(json, reasons: reasons, path: "")
        try check(json["unsupported"]?.objectValue ?? [:], reasons: options, path: "unsupported.")
    }

    private static func check(
        _ json: JSONObject, reasons: [(key: String, reason: String)], path: String
    ) throws(GatewayError) {
        for (key, reason) in reasons where json[key].map(isSet) ?? false {
            throw GatewayError.invalidConfiguration("\(path)\(key) is not supported: \(reason)")
        }
    }

    /// Whether a value has an effect.
    private static func isSet(_ value: JSONValue) -> Bool {
        switch value {
        case .null: false
        case .bool(let flag): flag
        case .string(let text): !text.isEmpty
        case .object(let members): !members.isEmpty
        case .array(let elements): !elements.isEmpty
        case .number: true
        }
    }
}
