import DocumentValues
import FieldModels
import FormLogic

/// A checked form that is to be published, with the files beside it.
package struct FormUpload: Sendable {
    package var form: Form
    /// The contents of the form's files, as far as they are there.
    package var files: [Name: [UInt8]]
    /// The file that the form was read from.
    package var source: RecordSource?

    package init(form: Form, files: [Name: [UInt8]] = [:], source: RecordSource? = nil) {
        self.form = form
        self.files = files
        self.source = source
    }

    /// Whether something of it is kept as a blob, for which the key of the folder's vault is needed.
    package var needsVault: Bool {
        !files.isEmpty || form.lists.contains { $0.choices.count > FormLimits.choicesInDefinition }
    }
}

/// The result of publishing a form.
package struct Publication: Sendable {
    package let reference: FormReference
    /// Of the definition.
    @Exact package private(set) var digest: String
    /// `false` where the same content was there already.
    package let isNew: Bool
    /// Fields whose type is another than in an earlier version.
    package let changedTypes: [ChangedType]

    init(_ reference: FormReference, digest: String, isNew: Bool, changedTypes: [ChangedType]) {
        self.reference = reference
        self.digest = digest
        self.isNew = isNew
        self.changedTypes = changedTypes
    }
}

/// A field that had another type in an earlier version: its answers may not be comparable.
package struct ChangedType: Sendable, Hashable {
    /// From the root: `person/age`.
    @Exact package private(set) var path: String
    @Exact package private(set) var before: String
    @Exact package private(set) var after: String
    @Exact package private(set) var version: String
    /// The row of the sheet, or the line of the file.
    package let row: Int?

    init(path: String, before: String, after: String, version: String, row: Int?) {
        self.path = path
        self.before = before
        self.after = after
        self.version = version
        self.row = row
    }

    /// `'age' is text, and was integer in version 6; exports have both in one column.`
    package var message: String {
        "'\(path)' is \(after), and was \(before) in version \(version); exports have both in one column."
    }
}
