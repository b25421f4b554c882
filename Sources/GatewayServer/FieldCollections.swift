import DocumentValues

/// The collections of a database that belong to a field team.
struct FieldCollections {
    static let scope = "field"
    /// One for each kind of record.
    static let names = first + later
    /// Those of every version: laptops exchange nothing with a gateway that lacks one.
    private static let first = ["sites", "inspections", "findings", "forms", "assignments"]
    /// Laptops leave these out where the gateway has none.
    private static let later = ["responses"]
    /// The roles of a team. A database keeps them even if its configuration has lost everything else.
    static let roles: Set<Name> = ["inspector", "supervisor", "office"]

    private let entries: JSONObject
    private let isTeams: Bool

    /// - Parameters:
    ///   - configuration: of a database.
    ///   - roles: that it has.
    init(in configuration: JSONObject, roles: [Name]) {
        let entries = configuration["scopes"]?[Self.scope]?["collections"]?.objectValue ?? [:]
        let present = Self.first.count { entries[$0] != nil }
        self.entries = entries
        // A database with only a few collections of these names, and without the roles, is not a field team's.
        isTeams = present * 2 > Self.first.count || Self.roles.isSubset(of: roles)
    }

    /// Collections in which every user may write anything, since they have no sync function of their own.
    var unguarded: [String] { functions.filter { $0.function.allSatisfy(\.isWhitespace) }.map(\.name) }

    /// Collections with another sync function than the standard one: that of another version, as after a restore from an
    /// older backup, or the team's own.
    ///
    /// - Parameter standard: the one of this version, by the collection's name.
    func changed(standard: (String) -> String) -> [String] {
        functions
            .filter { !$0.function.allSatisfy(\.isWhitespace) && !$0.function.isExactly(standard($0.name)) }
            .map(\.name)
    }

    /// Collections that a field team's database has lost. If one is missing, no laptop syncs.
    var missing: [String] { missing(of: Self.first) }

    /// Collections that a database made by an earlier version has not yet. Laptops sync without them, and keep their records.
    var missingLater: [String] { missing(of: Self.later) }

    private func missing(of names: [String]) -> [String] { isTeams ? names.filter { entries[$0] == nil } : [] }

    private var functions: [(name: String, function: String)] {
        guard isTeams else { return [] }
        return Self.names.compactMap { name in
            entries[name].map { (name: name, function: $0["sync"]?.stringValue ?? "") }
        }
    }
}
