import DocumentValues
import FieldModels
import FieldRecords
import FormLogic

extension FormLibrary {
    /// The version that a text names: `kitchen_hygiene`, its unique beginning, or either with `@version`.
    ///
    /// - Throws: `FormLibraryError` where it names none, or several.
    package func find(_ text: String) throws -> FormReference {
        let parts = text.split(atByte: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let form = try name(parts[0])
        if parts.count == 2 { return try find(version: parts[1], of: form) }
        if let older = try older(form) { return FormReference(form: form, version: older.version) }
        guard let head = try head(form) else { throw FormLibraryError(.unknown(nearest: []), form: text) }
        return FormReference(form: form, version: head.current)
    }

    private func find(version: String, of form: Name) throws -> FormReference {
        let known = try older(form).map { [$0.version] } ?? head(form)?.versions ?? []
        guard let version = known.first(where: { $0.isExactly(version) }) else {
            throw FormLibraryError(.unknownVersion(version, known: known), form: form.text)
        }
        return FormReference(form: form, version: version)
    }

    /// The ids of all forms, in the order of their bytes.
    package func names() throws -> [Name] {
        try (heads().map(\.form) + olderForms().map(\.id)).sorted()
    }

    private func name(_ text: String) throws -> Name {
        let names = try names()
        if let exact = names.first(where: { $0.text.isExactly(text) }) { return exact }
        let beginning = text.lowercased()
        func all(_ spelling: (Name) -> String) -> [Name] {
            beginning.isEmpty ? [] : names.filter { spelling($0).lowercased().hasPrefix(beginning) }
        }
        var found = all(\.text)
        // People leave out the kind in front of the ids of forms of schema 1.
        if found.isEmpty { found = all { RecordKind.form.shortID(of: $0.text) } }
        guard found.count < 2 else { throw FormLibraryError(.ambiguous(found.map(\.text)), form: text) }
        guard let only = found.first else {
            let nearest = NearName.nearest(text, among: names.map(\.text))
            throw FormLibraryError(.unknown(nearest: nearest.map { [$0] } ?? []), form: text)
        }
        return only
    }
}
