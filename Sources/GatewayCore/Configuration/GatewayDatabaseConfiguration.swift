import DocumentValues

/// The JSON of `PUT /{db}/`, parsed and checked.
struct GatewayDatabaseConfiguration: Sendable {
    struct Collection: Sendable, Hashable {
        let name: CollectionName
        /// `nil` for the default.
        let syncFunction: String?
        /// Never run, but it must be valid JavaScript.
        let importFilter: String?

        init(_ name: CollectionName, members: JSONObject) {
            self.name = name
            syncFunction = Self.function("sync", in: members)
            importFilter = Self.function("import_filter", in: members)
        }

        private static func function(_ key: String, in members: JSONObject) -> String? {
            members[key]?.stringValue.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        }
    }

    /// The JSON as it was sent.
    let json: JSONObject
    let collections: [Collection]
    /// Whether a document may have several live leaves.
    let allowsConflicts: Bool
    let retention: Retention
    /// The largest number of bytes of an attachment.
    let attachmentSize: Int
    let allowsEmptyPasswords: Bool
    /// Whether clients without credentials may only read.
    let isGuestReadOnly: Bool
    let startsOffline: Bool
    /// Whether users may only replace live documents that they may see.
    let requiresSight: Bool
    /// How long a sync function may take; `nil` for the default.
    let syncFunctionTime: Duration?
    /// The settings for the guest, if there are any.
    let guest: PrincipalRequest?
    /// The issuers whose tokens are accepted.
    let tokenIssuers: [TokenIssuer]
    let loginRules: LoginRules
    /// `nil` for the gateway's rules.
    let crossOriginRules: CrossOriginRules?
    let deltaSync: DeltaSyncConfiguration

    /// - Parameter json: a stored configuration, or one that `check` has accepted.
    init(_ json: JSONObject) throws(GatewayError) {
        self.json = json
        collections = try Self.collections(json)
        allowsConflicts = json["allow_conflicts"]?.boolValue ?? false
        retention = try Retention(json, allowsConflicts: allowsConflicts)
        attachmentSize = try Self.attachmentSize(json)
        allowsEmptyPasswords = json["allow_empty_password"]?.boolValue ?? false
        isGuestReadOnly = json["unsupported"]?["guest_read_only"]?.boolValue ?? false
        startsOffline = json["offline"]?.boolValue ?? false
        requiresSight = json["writers_must_see"]?.boolValue ?? false
        crossOriginRules = try CrossOriginRules(json["cors"])
        deltaSync = try DeltaSyncConfiguration(json)
        loginRules = LoginRules(json)
        tokenIssuers = try TokenIssuer.all(json["local_jwt"])
        syncFunctionTime = try Self.syncFunctionTime(json)
        guest = try json["guest"]?.objectValue.map { object throws(GatewayError) in try PrincipalRequest(object) }
    }

    /// An option of this gateway: in Sync Gateway the limit is always 20 MB.
    private static func attachmentSize(_ json: JSONObject) throws(GatewayError) -> Int {
        guard let value = json["max_attachment_size_mb"], value != .null else { return GatewayLimits.attachmentSize }
        guard let size = value.integerValue, (1...GatewayLimits.attachmentMegabytes).contains(size) else {
            throw .invalidConfiguration(
                "max_attachment_size_mb must be a whole number from 1 to \(GatewayLimits.attachmentMegabytes)")
        }
        return Int(size) << 20
    }

    /// In Sync Gateway 0 means no limit. Here it means the default, since a function that never ends would block
    /// others.
    private static func syncFunctionTime(_ json: JSONObject) throws(GatewayError) -> Duration? {
        guard let value = json["javascript_timeout_secs"], value != .null else { return nil }
        guard let seconds = value.integerValue, seconds >= 0, seconds <= GatewayLimits.syncFunctionTime else {
            throw .invalidConfiguration(
                "javascript_timeout_secs must be a number from 0 to \(GatewayLimits.syncFunctionTime)")
        }
        return seconds == 0 ? nil : .seconds(seconds)
    }

    static func parse(_ bytes: [UInt8]) throws(GatewayError) -> JSONObject {
        do {
            return try JSONObject(parsing: BackQuotedText.replaced(in: bytes))
        } catch {
            throw GatewayError.badJSON(error)
        }
    }

    // MARK: - Collections

    private static func collections(_ json: JSONObject) throws(GatewayError) -> [Collection] {
        guard let scopes = json["scopes"]?.objectValue, !scopes.isEmpty else {
            return [Collection(.default, members: json)]
        }
        guard scopes.count == 1, let scope = scopes.members.first else {
            throw .invalidConfiguration(
                "only one named scope is supported, but had \(scopes.count) (\(scopes.keys.joined(separator: ", ")))")
        }
        guard let collections = scope.value["collections"]?.objectValue, !collections.isEmpty else {
            throw .invalidConfiguration("must specify at least one collection in scope \(scope.key)")
        }
        var result: [Collection] = []
        for member in collections {
            guard let name = try? CollectionName(scope: scope.key, name: member.key) else {
                throw .invalidConfiguration("collection name \"\(scope.key).\(member.key)\" is not allowed")
            }
            result.append(Collection(name, members: member.value.objectValue ?? [:]))
        }
        return result
    }
}
