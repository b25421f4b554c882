import DocumentValues

/// The collections of a field team's database.
enum FieldCollections {
    static let scope = "field"
    /// One for each kind of record.
    static let names = ["sites", "inspections", "findings", "forms", "assignments"]

    /// The collections of a field database in which everybody may write whatever they like, since they have no sync function
    /// of their own.
    ///
    /// - Returns: none for a database that does not have all the collections of a field team.
    static func unguarded(in configuration: JSONObject) -> [String] {
        functions(in: configuration).filter { $0.function.allSatisfy(\.isWhitespace) }.map(\.name)
    }

    /// Those that have another sync function than the standard one: of another version, as after a restore from an older
    /// backup, or the team's own.
    ///
    /// - Parameter standard: the one of this version, by the collection's name.
    static func changed(in configuration: JSONObject, standard: (String) -> String) -> [String] {
        functions(in: configuration)
            .filter { !$0.function.allSatisfy(\.isWhitespace) && !$0.function.isExactly(standard($0.name)) }
            .map(\.name)
    }

    /// Those that a field team's database has lost. Without one of them no laptop syncs.
    ///
    /// - Returns: none for a database that has only some collections of these names, and so is none of a field team.
    static func missing(in configuration: JSONObject) -> [String] {
        let entries = configuration["scopes"]?[scope]?["collections"]?.objectValue ?? [:]
        let missing = names.filter { entries[$0] == nil }
        return missing.count * 2 < names.count ? missing : []
    }

    private static func functions(in configuration: JSONObject) -> [(name: String, function: String)] {
        let entries = configuration["scopes"]?[scope]?["collections"]?.objectValue ?? [:]
        guard names.allSatisfy({ entries[$0] != nil }) else { return [] }
        return names.map { ($0, entries[$0]?["sync"]?.stringValue ?? "") }
    }
}
