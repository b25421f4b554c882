/// How long texts may be, so that a slip of the keyboard or a wrong column does not fill a register.
enum TextLength {
    /// Characters of what is shown in one line: a name, a street.
    static let line = 200
    /// Characters of what may have paragraphs: notes, the text of a finding.
    static let paragraphs = 10_000

    /// - Parameter texts: by the names of their fields.
    static func problems(atMost limit: Int, _ texts: KeyValuePairs<String, String?>) -> [FieldProblem] {
        texts.compactMap { field, text in
            // Bytes are counted fast and are never fewer than characters.
            guard let text, text.utf8.count > limit, text.count > limit else { return nil }
            return FieldProblem(field, message: "must have at most \(limit) characters, but has \(text.count)")
        }
    }
}
