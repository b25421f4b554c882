import DocumentValues

/// How long texts may be, so that a slip of the keyboard or a wrong column does not fill a register.
package enum TextLength {
    /// Characters of a text that is shown in one line: a name, a street.
    static let line = 200
    /// Characters of a text that may have paragraphs: notes, the text of a finding.
    static let paragraphs = 10_000

    /// - Parameter texts: by the names of their fields.
    static func problems(atMost limit: Int, _ texts: KeyValuePairs<String, String?>) -> [FieldProblem] {
        texts.compactMap { field, text in
            text.flatMap { problem(of: $0, atMost: limit) }.map { FieldProblem(field, message: $0) }
        }
    }

    /// The problem of a text that may have paragraphs; `nil` if there is none.
    package static func problem(ofParagraphs text: String) -> String? { problem(of: text, atMost: paragraphs) }

    private static func problem(of text: String, atMost limit: Int) -> String? {
        // Bytes are counted fast and are never fewer than characters.
        guard text.utf8.count > limit, text.count > limit else { return nil }
        return "must have at most \(limit) characters, but has \(text.count)"
    }
}

extension String {
    /// As part of a message or a row: gateways take records of others with longer names than people can give here.
    package var asTitle: String { shortened(toScalars: TextLength.line) }
}
