import DocumentValues
import FieldForms

/// A form as a person reads it.
struct FormShowing {
    let session: ShellSession

    func run(_ text: String) throws -> Detail {
        let library = try FormLibrary(in: session.field())
        let outlined = try library.outlined(try FormNaming(session: session).name(text))
        return FormDetail(outlined).detail
    }
}
