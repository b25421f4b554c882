import DocumentStore
import DocumentValues
import FieldModels

/// Whether a document of a form may come from lines of JSON: a version never changes, and its lists and files are not in
/// such lines.
struct FormDocumentCheck {
    let database: Database

    /// - Throws: `LineProblem` where it may not.
    func check(_ document: FormDocument) throws {
        let collection = try database.createCollection(name: RecordKind.form.plural, scope: RecordKind.scope)
        let stored = try collection.bodies(of: [document.id])[0]
        let present = stored.flatMap { $0.isDeleted ? nil : JSONObject.readable($0.body) }
        if document.isVersion, let present, present["digest"] != document.content["digest"] {
            throw LineProblem(reason: "this version of the form exists with other questions")
        }
        let storage = try database.blobStorage()
        for reference in JSONValue.object(document.content).blobReferences() {
            guard try storage.contains(reference.metadata.digest) else {
                throw LineProblem(reason: "its lists and files are not here; take it in from the file of the form")
            }
        }
    }
}
