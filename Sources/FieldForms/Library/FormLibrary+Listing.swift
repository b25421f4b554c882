import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormLogic

extension FormLibrary {
    /// All forms with their current versions, in the order of their ids.
    package func summaries() throws -> [FormSummary] {
        let later = try laterSummaries()
        let older = try olderForms().map { summary(of: $0) }
        return (later + older).sorted { $0.reference.form < $1.reference.form }
    }

    /// Those without the forms of schema 1.
    package func laterSummaries() throws -> [FormSummary] { try heads().map { try summary(of: $0) } }

    private func summary(of form: Form) -> FormSummary {
        FormSummary(
            FormReference(form: form.id, version: form.version), title: form.title, language: form.language,
            state: .open, versions: [form.version], questions: form.questionCount, missing: [])
    }

    private func summary(of head: FormHead) throws -> FormSummary {
        let reference = FormReference(form: head.form, version: head.current)
        do {
            let form = try definition(reference)
            return FormSummary(
                reference, title: head.title, language: form.language, state: head.state, versions: head.versions,
                questions: form.questionCount, missing: try missing(of: form))
        } catch let error as FormLibraryError {
            return FormSummary(
                reference, title: head.title, language: nil, state: head.state, versions: head.versions, questions: 0,
                missing: [], obstacle: error.reason)
        }
    }

    /// - Returns: `nil` where only the passphrase would say.
    private func missing(of form: Form) throws -> [Name]? {
        let storage = try field.database.blobStorage()
        var missing: [Name] = []
        let parts =
            form.files.map { ($0.name, $0.blob) }
            + form.lists.compactMap { list -> (Name, BlobMetadata?)? in
                guard case .blob(let blob) = list.content else { return nil }
                return (list.name, blob)
            }
        for (name, blob) in parts {
            guard let blob else {
                missing.append(name)
                continue
            }
            guard storage.access == .open else { return nil }
            if try !storage.contains(blob.digest) { missing.append(name) }
        }
        return missing
    }
}

extension FormLibrary {
    /// The versions of a form that are known here, in the order in which they were published.
    ///
    /// - Throws: `StoreError` where its documents cannot be read.
    package func versions(of form: Name) throws -> [String] {
        if let older = try older(form) { return [older.version] }
        return try head(form)?.versions ?? []
    }
}
