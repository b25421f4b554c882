import DocumentValues
import FormLogic

/// The types of a form's fields by their paths, to compare versions.
struct FieldTypes {
    private struct Field {
        let type: String
        let row: Int?
    }

    private let fields: [Name: Field]

    init(_ form: Form) {
        let outline = FormOutline(form)
        var fields: [Name: Field] = [:]
        for id in outline.entries.indices.dropFirst() {
            let node = outline[id].node
            let path = outline.path(of: id).dropFirst().map(\.text).joined(separator: "/")
            fields[Name(path)] = Field(type: node.kind.typeName, row: node.sourceRow)
        }
        self.fields = fields
    }

    /// Those of the same path with another type, in the order of their paths.
    func changes(from earlier: FieldTypes, version: String) -> [ChangedType] {
        fields.compactMap { path, field in
            guard let before = earlier.fields[path], before.type != field.type else { return nil }
            return ChangedType(
                path: path.text, before: before.type, after: field.type, version: version, row: field.row)
        }.sorted { Name($0.path) < Name($1.path) }
    }
}
