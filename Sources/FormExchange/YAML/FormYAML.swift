import FormLogic

/// Forms in YAML, as authors write them by hand.
package enum FormYAML {
    /// - Parameter text: of a whole file. What cannot be read comes as findings, up to a limit, each with its line and column.
    package static func read(_ text: String) -> FormReading { FormYAMLReader.read(text) }
}
