import DocumentValues

/// Finds our columns among those of a file, by their own names or by the ones that a person gave for them.
struct ColumnMap {
    private let choices: [Name: String]

    init(_ choices: [ColumnChoice] = []) {
        self.choices = Dictionary(
            choices.map { (Name(Self.normalized($0.field)), Self.normalized($0.column)) }, uniquingKeysWith: { $1 })
    }

    /// The positions of columns by our names. A choice goes before a column that has our name by chance.
    ///
    /// - Parameter header: the normalized names of a file's columns.
    func positions(in header: [String]) -> [Name: Int] {
        var positions = Dictionary(
            header.enumerated().map { (Name($1), $0) }, uniquingKeysWith: { first, _ in first })
        let byName = positions
        for (field, column) in choices {
            if column.isEmpty {
                positions[field] = nil
            } else if let position = byName[Name(column)] {
                positions[field] = position
            }
        }
        return positions
    }

    /// Those of `fields` that a file does not have, except those that the user declared absent.
    func missing(_ fields: [String], in header: [String]) -> [String] {
        let positions = positions(in: header)
        return fields.filter { positions[Name($0)] == nil && choices[Name($0)]?.isEmpty != true }
    }

    /// `Business ID ` is `business_id`.
    static func normalized(_ name: String) -> String {
        name.trimmingSpaces.lowercased().replacing(" ", with: "_")
    }
}
