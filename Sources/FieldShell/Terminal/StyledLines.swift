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

    /// Whether the output gets no sequences: it is no terminal, knows none, or its user wants none.
    ///
    /// - Parameters:
    ///   - kind: `$TERM`.
    ///   - noColor: `$NO_COLOR`, which counts unless it is empty.
    static func isPlain(kind: String?, noColor: String?, isTerminal: Bool) -> Bool {
        !isTerminal || !(noColor ?? "").isEmpty || ["", "dumb"].contains(kind ?? "")
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
            var spaces = ""
            for scalar in wrapped.unicodeScalars {
                guard !Self.isSpace(scalar) else {
                    spaces.unicodeScalars.append(scalar)
                    continue
                }
                let style = next < letters.count ? letters[next].style : []
                next += 1
                // Margins, and spaces between two styles, are not underlined.
                if style != self.style || spaces.utf8.contains(0x0A) { begin([]) }
                text += spaces
                spaces = ""
                begin(style)
                text.unicodeScalars.append(scalar)
            }
            begin([])
            return text + spaces
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
