import DocumentValues

/// The collections of a database as far as they are a field team's.
struct FieldCollections {
    static let scope = "field"
    /// One for each kind of record.
    static let names = ["sites", "inspections", "findings", "forms", "assignments"]
    /// What somebody is in a team. A database keeps these roles also when its configuration has lost everything else.
    static let roles: Set<Name> = ["inspector", "supervisor", "office"]

    private let entries: JSONObject
    private let isTeams: Bool

    /// - Parameters:
    ///   - configuration: of a database.
    ///   - roles: that it has.
    init(in configuration: JSONObject, roles: [Name]) {
        let entries = configuration["scopes"]?[Self.scope]?["collections"]?.objectValue ?? [:]
        let present = Self.names.count { entries[$0] != nil }
        self.entries = entries
        // One that has some collections of these names only, and not the roles, is none of a field team.
        isTeams = present * 2 > Self.names.count || Self.roles.isSubset(of: roles)
    }

    /// Those in which everybody may write whatever they like, since they have no sync function of their own.
    var unguarded: [String] { functions.filter { $0.function.allSatisfy(\.isWhitespace) }.map(\.name) }

    /// Those that have another sync function than the standard one: of another version, as after a restore from an older
    /// backup, or the team's own.
    ///
    /// - Parameter standard: the one of this version, by the collection's name.
    func changed(standard: (String) -> String) -> [String] {
        functions
            .filter { !$0.function.allSatisfy(\.isWhitespace) && !$0.function.isExactly(standard($0.name)) }
            .map(\.name)
    }

    /// Those that a field team's database has lost. Without one of them no laptop syncs.
    var missing: [String] { isTeams ? Self.names.filter { entries[$0] == nil } : [] }

    private var functions: [(name: String, function: String)] {
        guard isTeams else { return [] }
        return Self.names.compactMap { name in
            entries[name].map { (name: name, function: $0["sync"]?.stringValue ?? "") }
        }
    }
}
