import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormLogic

/// The forms of a worker's folder: documents of the collection `field.forms`, with long lists and files as blobs.
///
/// Each version of a form is a document that never changes; the form's head names the versions and the one that new records
/// take. Forms of schema 1 are read as forms of one version.
package struct FormLibrary: Sendable {
    let field: FieldDatabase

    package init(in field: FieldDatabase) { self.field = field }

    var documents: RecordRepository<FormDocument> { field.formDocuments }

    // MARK: Heads

    /// The ids of the documents that a condition lets through, in the order of their bytes.
    func ids(where condition: String) throws -> [String] {
        let collection = field.collection(of: .form)
        var ids: [String] = []
        let query = try field.database.createQuery(
            "SELECT META().id FROM \(collection.fullName) WHERE \(condition)")
        try query.forEachRow { row in
            if let id = row.text(0) { ids.append(id) }
        }
        return ids.sorted { $0.isExactlyBefore($1) }
    }

    func heads() throws -> [FormHead] {
        try ids(where: "schema = \(FormDocument.schemaVersion) AND versions IS NOT MISSING").compactMap { id in
            try documents.findReadable(id).flatMap { FormHead($0) }
        }
    }

    func head(_ form: Name) throws -> FormHead? { try documents.findReadable(form.text).flatMap { FormHead($0) } }

    // MARK: Versions

    /// - Throws: `FormLibraryError` where it is not here, or cannot be read.
    func definition(_ reference: FormReference) throws -> Form {
        let id = FormDocumentIDs.version(reference.version, of: reference.form)
        guard let document = try documents.findReadable(id), document.isVersion else {
            let head = try head(reference.form)
            let isNamed = head?.versions.containsExactly(reference.version) ?? false
            throw FormLibraryError(
                isNamed
                    ? .versionMissing(reference.version)
                    : .unknownVersion(reference.version, known: head?.versions ?? []),
                form: reference.form.text)
        }
        let read = FormReader.read(document.object)
        guard read.problems.isEmpty else {
            throw FormLibraryError(.damaged(read.problems.map(\.description)), form: reference.description)
        }
        return read.form
    }
}
