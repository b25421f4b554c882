import AccessControl
import DocumentValues

/// A field team on a running gateway: the database, its districts and its users, made and changed over the admin port.
/// Each call returns lines for a person about its changes.
package struct FieldTeam: Sendable {
    private let database: AdminDatabase

    package init(_ database: AdminDatabase) { self.database = database }

    // MARK: - The database

    /// The result of making a database.
    package struct Initialization: Sendable, Hashable {
        /// The changes, in lines for a person.
        package var lines: [String] = []
        /// Collections that were left without a sync function, so that every user may write everything there.
        package var unguarded: [String] = []
    }

    /// Makes the missing parts of the database, its collections and roles, and leaves the rest as it is.
    ///
    /// - Parameter update: replaces sync functions that differ from this program's; `nil` to keep all.
    package func initialize(update: FunctionUpdate?) async throws -> Initialization {
        var result = Initialization()
        if try await database.configuration() != nil {
            try await database.updateConfiguration { configuration in
                let (change, found) = try complete(configuration, update: update)
                result = found
                return change
            }
        } else {
            try await database.create(FieldSchema.configuration)
            result.lines.append("Made the database '\(database.name)' with the collections \(Self.collectionNames)")
        }
        result.lines += try await makeRoles()
        if result.lines.isEmpty {
            result.lines = ["The database '\(database.name)' is there already; nothing was changed"]
        }
        return result
    }

    private static let collectionNames = FieldSchema.collections.map { "\(FieldSchema.scope).\($0)" }
        .joined(separator: ", ")

    /// The missing parts of a configuration, and the lines about them.
    private func complete(
        _ configuration: JSONObject, update: FunctionUpdate?
    ) throws -> (change: JSONObject?, result: Initialization) {
        let entries = try collections(of: configuration)
        let missing = FieldSchema.collections.filter { entries[$0] == nil }
        let others = FieldSchema.collections.filter { name in
            entries[name] != nil && !Self.function(of: name, in: entries).isExactly(FieldSchema.syncFunction(of: name))
        }
        let replaced = others.filter { update?.replaces(Self.function(of: $0, in: entries)) == true }
        let left = others.filter { !replaced.containsExactly($0) }
        let unguarded = left.filter { Self.function(of: $0, in: entries).allSatisfy(\.isWhitespace) }
        let kept = left.filter { !unguarded.containsExactly($0) }
        var lines: [String] = []
        if !missing.isEmpty { lines.append("Added the collections \(missing.joined(separator: ", "))") }
        if !replaced.isEmpty {
            lines.append("Replaced the sync function of \(replaced.joined(separator: ", "))")
            let files = try replaced.compactMap { try update?.keep(Self.function(of: $0, in: entries), of: $0) }
            lines += files.map { "The replaced functions are in \($0)" }
        }
        if !kept.isEmpty { lines.append(Self.said(ofLeft: kept, isUpdate: update != nil)) }
        let result = Initialization(lines: lines, unguarded: unguarded)
        return (Self.change(to: missing + replaced, in: entries), result)
    }

    /// The change that sets the sync functions of collections, and makes missing collections; `nil` if there is nothing
    /// to change.
    private static func change(to changed: [String], in entries: JSONObject) -> JSONObject? {
        guard !changed.isEmpty else { return nil }
        // All collections are named: one that is left out would be taken out of service.
        var collections = entries
        for entry in FieldSchema.entries(changed) {
            var kept = collections[entry.key]?.objectValue ?? [:]
            kept["sync"] = entry.value["sync"]
            collections[entry.key] = .object(kept)
        }
        return ["scopes": [FieldSchema.scope: ["collections": .object(collections)]]]
    }

    private static func function(of collection: String, in entries: JSONObject) -> String {
        entries[collection]?["sync"]?.stringValue ?? ""
    }

    private static func said(ofLeft collections: [String], isUpdate: Bool) -> String {
        "Left the sync function of \(collections.joined(separator: ", ")) as it is, "
            + (isUpdate
                ? "which is not one of Fieldbook's; --yes replaces it, too"
                : "which is not this version's; --update-sync-function replaces it")
    }

    private func collections(of configuration: JSONObject) throws -> JSONObject {
        let entries = configuration["scopes"]?[FieldSchema.scope]?["collections"]?.objectValue
        guard let entries else {
            throw AdminError(
                .refused(409), problem: "The database '\(database.name)' is there already and is no field database",
                hint: "Choose another name with --database")
        }
        return entries
    }

    private func makeRoles() async throws -> [String] {
        var made: [String] = []
        var completed: [String] = []
        for role in FieldSchema.Role.allCases {
            let known = try await database.principal(.role, principal: role.rawValue)
            let missing = Self.access(of: role, beside: known)
            guard known == nil || missing != nil else { continue }
            try await database.update(.role, principal: role.rawValue) { present in
                Self.access(of: role, beside: present) ?? (present == nil ? [:] : nil)
            }
            if known == nil { made.append(role.rawValue) } else { completed.append(role.rawValue) }
        }
        var lines = made.isEmpty ? [] : ["Made the roles \(made.joined(separator: ", "))"]
        lines += completed.map { "The role \($0) sees every collection again" }
        for district in try await districts() where try await grant(district) {
            lines.append("The role \(district.key) sees its district in every collection again")
        }
        return lines
    }

    /// The channels of a role in every collection, together with those that it was given otherwise; `nil` if it lacks
    /// none.
    private static func access(of role: FieldSchema.Role, beside known: JSONObject?) -> JSONObject? {
        switch role {
        case .inspector, .supervisor: nil
        case .office: access(to: "*", beside: known)
        }
    }

    private static func access(to channel: String, beside known: JSONObject?) -> JSONObject? {
        let granted = FieldSchema.collections.map { FieldSchema.channels(of: known, in: $0) }
        if granted.allSatisfy({ $0.containsExactly(channel) }) { return nil }
        let access = zip(FieldSchema.collections, granted).map { collection, channels in
            (collection, channels.containsExactly(channel) ? channels : channels + [channel])
        }
        return ["collection_access": FieldSchema.access(access)]
    }

    // MARK: - Districts

    package func districts() async throws -> [FieldDistrict] {
        try await database.names(.role).compactMap { FieldDistrict(key: $0) }
    }

    package func add(_ district: FieldDistrict) async throws -> String {
        try await checkIsFieldDatabase()
        let isKnown = try await database.principal(.role, principal: district.key) != nil
        _ = try await grant(district)
        if isKnown { return "The district \(district.name) is there already" }
        let shape = NameShape(district.name)
        let alike = try await districts().first { $0 != district && NameShape($0.name) == shape }
        return "Made the district \(district.name)"
            + (alike.map { ". There is a district \($0.name), too: users of one do not see the other" } ?? "")
    }

    /// Users whose names people may take for this one, in the form to be shown.
    package func namesAlike(_ name: String) async throws -> [String] {
        NameSpelling.alike(name, among: try await database.names(.user))
    }

    /// Gives the district's role its channel in every collection; other channels that it was given stay.
    ///
    /// - Returns: whether there was anything to do.
    private func grant(_ district: FieldDistrict) async throws -> Bool {
        let known = try await database.principal(.role, principal: district.key)
        guard Self.access(to: district.key, beside: known) != nil else { return false }
        try await database.update(.role, principal: district.key) { known in
            Self.access(to: district.key, beside: known)
        }
        return true
    }

    private func checkIsFieldDatabase() async throws {
        let entries = try collections(of: try await database.existingConfiguration())
        let missing = FieldSchema.collections.filter { entries[$0] == nil }
        guard missing.isEmpty else {
            throw AdminError(
                .refused(409),
                problem: "The database '\(database.name)' lacks the collections \(missing.joined(separator: ", "))",
                hint: "Make them with: field init")
        }
    }

    // MARK: - Users

    package func users() async throws -> [FieldMember] { try await database.users().map(FieldMember.init) }

    /// Makes a new user. An existing one with the same role and districts is left alone; with others it is an error.
    ///
    /// - Returns: the existing user; `nil` for a new one.
    package func add(_ member: FieldMember, password: String) async throws -> FieldMember? {
        try checkIsPerson(member.name)
        try await check(member)
        var known: FieldMember?
        try await database.update(.user, principal: member.name) { present in
            known = present.map(FieldMember.init)
            if let known {
                try Self.check(known, isAsAskedFor: member)
                return nil
            }
            var object = member.principal
            object["password"] = .string(password)
            if let email = member.email { object["email"] = .string(email) }
            return object
        }
        return known
    }

    /// A role or a district for GUEST would be given to every client without a password.
    private func checkIsPerson(_ name: String) throws {
        guard name.isExactly(PrincipalName.guest.text) else { return }
        throw AdminError(
            .refused(400), problem: "GUEST is every client that has not signed in, and no member of a team",
            hint: "To see its access: user show GUEST. To take it away: user set GUEST --disable-login"
        )
    }

    private static func check(_ known: FieldMember, isAsAskedFor member: FieldMember) throws {
        guard known.role == member.role, known.districts == member.districts else {
            throw AdminError(
                .refused(409), problem: "There is a user '\(member.name)' already: \(known.summary)",
                hint: "Change them with: field user set \(member.name)")
        }
    }

    /// Changes a user. After a new password, connections with the old one have to sign in again: another person may
    /// know the old one, or have the laptop.
    ///
    /// - Parameters:
    ///   - more: `password`, `email`, `disabled`.
    ///   - change: gets the present user. It is called again if another command changes the same user at the same time.
    /// - Returns: the changed user.
    package func change(
        _ name: String, more: JSONObject, by change: (FieldMember) throws -> FieldMember
    ) async throws -> FieldMember {
        try checkIsPerson(name)
        var changed = FieldMember(try await database.existing(.user, principal: name))
        try await database.update(.user, principal: name) { present in
            changed = try change(FieldMember(try await orMissing(present, name: name)))
            try await check(changed)
            if let isDisabled = more["disabled"]?.boolValue { changed.isDisabled = isDisabled }
            var object = changed.principal.setting(more)
            if more["password"] != nil { object["end_connections"] = true }
            return object
        }
        return changed
    }

    private func orMissing(_ present: JSONObject?, name: String) async throws -> JSONObject {
        if let present { return present }
        return try await database.existing(.user, principal: name)
    }

    /// A name that does not exist would grant nothing, without a notice.
    private func check(_ member: FieldMember) async throws {
        try await checkIsFieldDatabase()
        let known = try await districts()
        for district in member.districts where !known.contains(district) {
            let near = Suggestion.text(for: district.name, among: known.map(\.name))
            throw AdminError(
                .refused(404), problem: "There is no district '\(district.name)'\(near)",
                hint: "Make it with: field district add \(district.name)")
        }
        guard try await database.principal(.role, principal: member.role.rawValue) != nil else {
            throw AdminError(
                .refused(404), problem: "The database '\(database.name)' has no role \(member.role.rawValue)",
                hint: "Make it with: field init")
        }
    }
}
