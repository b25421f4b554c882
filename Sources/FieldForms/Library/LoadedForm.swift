import DocumentValues
import FormExchange
import FormLogic

/// A version of a form with all that is needed to fill it.
package struct LoadedForm: Sendable {
    /// With the choices of long lists; a list whose choices are not here yet stays a blob.
    package let form: Form
    /// As the document was published: a record keeps it.
    @Exact package private(set) var digest: String
    package let state: FormAvailability
    /// The version that new records take.
    @Exact package private(set) var current: String
    /// Files, and long lists, that have not come here yet.
    package let missing: [Name]
    /// Of the tables beside the form.
    private let files: [Name: [UInt8]]

    init(
        form: Form, digest: String, state: FormAvailability, current: String, files: [Name: [UInt8]], missing: [Name]
    ) {
        self.form = form
        self.digest = digest
        self.state = state
        self.current = current
        self.files = files
        self.missing = missing
    }

    package var reference: FormReference { FormReference(form: form.id, version: form.version) }

    /// The lists and tables in which expressions look up rows.
    ///
    /// - Parameter language: of the choices' labels.
    /// - Throws: `FormFileError` for a table that cannot be read.
    package func instances(language: Name?) throws -> FormInstances {
        var instances = FormInstances(lists: form.lists, language: language, fallback: form.language)
        for file in form.files {
            guard let bytes = files[file.name] else { continue }
            instances[file.instanceName] = try FileInstance.read(bytes, file: file)
        }
        return instances
    }
}
