import DocumentValues
import FieldModels
import FieldRecords
import FormEntry
import FormLogic

/// A filled form as its reader sees it, by the version of the form that it was filled with.
package struct ResponseReading {
    let field: FieldDatabase
    let setting: FormSetting

    package init(in field: FieldDatabase, setting: FormSetting) {
        self.field = field
        self.setting = setting
    }

    /// A line each, with the labels of questions and choices, and with remarks.
    ///
    /// - Throws: `FormLibraryError` where that version of the form is not here; `FormFileError` for a table beside it that
    ///   cannot be read; `StoreError` where the folder's passphrase is needed.
    package func lines(of response: Response) throws -> [String] {
        let loaded = try FormLibrary(in: field).load(form: Name(response.form), version: response.formVersion)
        let session = try FormSession.reading(response, of: loaded, in: field, setting: setting)
        let about = session.marks.notes[Record.root].map { ["Remark: \($0.printableLine)"] } ?? []
        return about
            + AnsweredForm(
                form: loaded.form, state: session.state, marks: session.marks, zone: setting.zone, now: setting.now(),
                language: setting.texts(of: loaded.form).chosen
            ).lines().map(\.printableLine)
    }
}
