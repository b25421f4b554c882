import FormLogic

/// Forms in YAML, as authors write them by hand.
package enum FormYAML {
    /// - Parameter text: of a whole file. What cannot be read comes as findings, up to a limit, each with its line and column.
    package static func read(_ text: String) -> FormReading { FormYAMLReader.read(text) }

    /// The form as a text that reads back as the same form. What only says where a form comes from is left out, and so are
    /// members that this version does not know; a list or a file that is a blob is named without its content.
    package static func write(_ form: Form) -> String { FormYAMLWriter.write(form) }
}
