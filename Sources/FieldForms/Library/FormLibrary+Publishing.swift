import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormLogic

extension FormLibrary {
    /// Takes a form in, and makes it the version of new records. The same content under the same version is there already,
    /// and nothing changes.
    ///
    /// - Parameter upload: the checker has found no error in it.
    /// - Throws: `FormLibraryError` where it has no version, where the version exists with other questions, and where a gateway
    ///   would not take it; `StoreError` where it cannot be stored. Nothing is taken in then.
    package func publish(_ upload: FormUpload, by author: Author) throws -> Publication {
        try check(upload.form, at: author.moment)
        let form = try StoredParts(of: field.database).store(upload)
        let digest = form.digest
        let reference = FormReference(form: form.id, version: form.version)
        return try field.database.inBatch {
            if let present = try present(reference) {
                guard (present.statedDigest ?? present.digest) == digest else { throw taken(reference) }
                return Publication(reference, digest: digest, isNew: false, changedTypes: [])
            }
            let changes = try changedTypes(in: form)
            try documents.add(document(of: form, source: upload.source), by: author)
            try announce(form, by: author)
            return Publication(reference, digest: digest, isNew: true, changedTypes: changes)
        }
    }

    /// The next free version of a day: `2026030401`, `2026030402` …
    package func proposedVersion(of form: Name, on day: CalendarDay) throws -> String {
        let known = try head(form)?.versions ?? []
        let date = String(decoding: day.description.utf8.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
        let numbers = (1...99).lazy.map { number in date + (number < 10 ? "0" : "") + String(number) }
        return numbers.first { !known.containsExactly($0) } ?? date + "100"
    }

    /// Fails before anything is stored.
    private func check(_ form: Form, at moment: Timestamp) throws {
        guard DocumentIDRules.isValid(form.id.text) else { throw FormLibraryError(.badID, form: form.id.text) }
        guard try older(form.id) == nil else { throw FormLibraryError(.takenID, form: form.id.text) }
        guard form.version.isEmpty else { return }
        let proposed = try proposedVersion(of: form.id, on: moment.day)
        throw FormLibraryError(.noVersion(proposed: proposed), form: form.id.text)
    }

    private func taken(_ reference: FormReference) -> FormLibraryError {
        FormLibraryError(.takenVersion(reference.version), form: reference.form.text)
    }

    /// - Throws: `FormLibraryError` where a document that cannot be read is in its way.
    private func present(_ reference: FormReference) throws -> Form? {
        let id = FormDocumentIDs.version(reference.version, of: reference.form)
        do {
            guard let document = try documents.find(id) else { return nil }
            let read = FormReader.read(document.object)
            // A long version whose digest begins as that of another.
            guard read.problems.isEmpty, read.form.version == reference.version else { throw taken(reference) }
            return read.form
        } catch is RecordError {
            throw taken(reference)
        }
    }

    private func document(of form: Form, source: RecordSource?) -> FormDocument {
        let own = ["type", "schema", "form", "source"]
        let content = form.definition.filter { !own.containsExactly($0) }
        let id = FormDocumentIDs.version(form.version, of: form.id)
        return FormDocument(id: id, form: form.id.text, content: content, source: source)
    }

    private func announce(_ form: Form, by author: Author) throws {
        guard try head(form.id) != nil else {
            let head = FormHead(form: form.id, current: form.version, title: form.title)
            let document = FormDocument(id: form.id.text, form: form.id.text, content: head.content)
            try documents.add(document, by: author)
            return
        }
        try documents.update(form.id.text, by: author) { document in
            guard var head = FormHead(document) else { return }
            head.publish(form.version, title: form.title)
            document.content = head.content
        }
    }

    /// Against any earlier version: of several changes of a field, the one against the latest.
    private func changedTypes(in form: Form) throws -> [ChangedType] {
        let types = FieldTypes(form)
        var found: [Name: ChangedType] = [:]
        for version in try head(form.id)?.versions ?? [] {
            let reference = FormReference(form: form.id, version: version)
            guard let earlier = try present(reference) else { continue }
            for change in types.changes(from: FieldTypes(earlier), version: version) {
                found[Name(change.path)] = change
            }
        }
        return found.values.sorted { ($0.row ?? .max, Name($0.path)) < ($1.row ?? .max, Name($1.path)) }
    }
}
