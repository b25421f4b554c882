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
        let entries = configuration["scopes"]?[scope]?["collections"]?.objectValue ?? [:]
        guard names.allSatisfy({ entries[$0] != nil }) else { return [] }
        return names.filter { (entries[$0]?["sync"]?.stringValue ?? "").allSatisfy(\.isWhitespace) }
    }
}
