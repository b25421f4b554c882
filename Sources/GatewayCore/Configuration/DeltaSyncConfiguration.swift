import DocumentValues

/// `delta_sync`: whether revisions may be sent as differences, and for how long replaced ones are kept for that.
struct DeltaSyncConfiguration: Sendable, Hashable {
    let isEnabled: Bool
    /// Seconds; 0 to keep them in memory only, and there for `rememberedSeconds`.
    let maxAge: Int64
    /// For how long a replaced revision may be answered from memory. Without differences, or without an age for them, it
    /// is the time in which a client that was just notified of a revision may request it: the same time as for
    /// attachments. An age of 0 means that none are kept.
    let rememberedSeconds: Int64

    private static let members: Set<Name> = ["enabled", "rev_max_age_seconds"]

    /// - Parameter json: of the database.
    init(_ json: JSONObject) throws(GatewayError) {
        let value = json["delta_sync"] ?? .null
        guard let options = value.isNull ? [:] : value.objectValue else {
            throw GatewayError.invalidConfiguration("delta_sync must be an object")
        }
        for key in options.keys where !Self.members.contains(Name(key)) {
            throw GatewayError.unknownMember(key)
        }
        isEnabled = try Self.value("enabled", in: options, as: \.boolValue) ?? false
        let given = try Self.value("rev_max_age_seconds", in: options, as: \.integerValue)
        maxAge = given ?? GatewayLimits.oldRevisionAge
        guard (0...GatewayLimits.longestOldRevisionAge).contains(maxAge) else {
            throw GatewayError.invalidConfiguration(
                "delta_sync.rev_max_age_seconds must be from 0 to \(GatewayLimits.longestOldRevisionAge)")
        }
        let expiry = json["old_rev_expiry_seconds"]?.integerValue ?? GatewayLimits.oldRevisionExpiry
        rememberedSeconds =
            isEnabled && maxAge > 0 ? maxAge : min(expiry, GatewayLimits.longestReplacedAttachment)
        // Only an explicit age is checked: a long expiry alone is no error.
        guard given == nil || maxAge == 0 || maxAge >= expiry else {
            throw GatewayError.invalidConfiguration(
                "delta_sync.rev_max_age_seconds: \(maxAge) must not be less than the configured "
                    + "old_rev_expiry_seconds: \(expiry)")
        }
    }

    private static func value<Value>(
        _ key: String, in options: JSONObject, as type: (JSONValue) -> Value?
    ) throws(GatewayError) -> Value? {
        guard let given = options[key], !given.isNull else { return nil }
        guard let value = type(given) else { throw GatewayError.invalidConfiguration("delta_sync.\(key): wrong type") }
        return value
    }

    /// For how long a replaced revision is kept on disk; `nil` if it is not.
    var storedSeconds: Int64? { isEnabled && maxAge > 0 ? maxAge : nil }
}
