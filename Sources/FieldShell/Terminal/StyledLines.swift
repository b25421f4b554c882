import DocumentValues
import FormLogic

/// A dialogue whose screen has styles.
protocol StyledScreen: AnyObject {
    /// For a person, like `Dialogue.show`.
    func showStyled(_ text: StyledText)
}

/// Styled text on a terminal: bold and underlined where it shows them, otherwise plain. Colours are not used.
enum StyledLines {
    /// Broken at spaces to so many columns, with the escape sequences of its styles.
    ///
    /// - Parameter isPlain: without sequences.
    static func text(_ styled: StyledText, columns: Int, isPlain: Bool) -> String {
        let wrapped = styled.plain.printable.wrappedText(to: columns)
        guard !isPlain, styled.runs.contains(where: { !$0.style.isEmpty }) else { return wrapped }
        var writer = Writer(styled)
        return writer.write(wrapped)
    }

    /// Whether the terminal is to get no sequences: `NO_COLOR`, or one that knows none.
    static func isPlain(_ variables: [String: String], isTerminal: Bool) -> Bool {
        !isTerminal || !(variables["NO_COLOR"] ?? "").isEmpty || ["", "dumb"].contains(variables["TERM"] ?? "")
    }

    /// Breaking changes nothing but white space, so each other letter of the broken text is the next of the styled one.
    private struct Writer {
        private var letters: [(scalar: Unicode.Scalar, style: StyledText.Style)] = []
        private var next = 0
        private var text = ""
        private var style: StyledText.Style = []

        init(_ styled: StyledText) {
            for run in styled.runs {
                for scalar in run.text.printable.unicodeScalars where !Self.isSpace(scalar) {
                    letters.append((scalar, run.style))
                }
            }
        }

        mutating func write(_ wrapped: String) -> String {
            for scalar in wrapped.unicodeScalars {
                if Self.isSpace(scalar) {
                    // Margins are not underlined.
                    if scalar == "\n" { begin([]) }
                } else if next < letters.count {
                    begin(letters[next].style)
                    next += 1
                }
                text.unicodeScalars.append(scalar)
            }
            begin([])
            return text
        }

        private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\n" }

        private mutating func begin(_ style: StyledText.Style) {
            guard style != self.style else { return }
            self.style = style
            text += "\u{1B}[0"
            if style.contains(.bold) || style.contains(.heading) { text += ";1" }
            if style.contains(.italic) || style.contains(.underlined) { text += ";4" }
            text += "m"
        }
    }
}
