/// What comes from elsewhere, such as the records of others, what a gateway says or ids that a client sends, on its way to
/// a terminal or a file that somebody looks at. Laptop and gateway print nothing of others by another way.
extension String {
    /// Safe to print: control characters, which could move the cursor or worse, and those that turn the direction of
    /// what follows or show nothing are shown as a question mark; of marks that a terminal would put above each other no
    /// more than a language has. Line ends stay.
    package var printable: String { replacingControls { $0 != "\n" } }

    /// The same in one line: a line end would begin another row of a list, and is shown as `⏎`.
    package var printableLine: String { replacingControls { _ in true } }

    private func replacingControls(where isReplaced: (Unicode.Scalar) -> Bool) -> String {
        if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
        let shown = streamSafe
        guard shown.unicodeScalars.contains(where: { $0.isControl }) else { return shown }
        var text = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in shown.unicodeScalars {
            let isKept = !scalar.isControl || !isReplaced(scalar) || scalar.isPicture(after: last)
            text.append(isKept ? scalar : scalar == "\n" ? "⏎" : "?")
            last = scalar
        }
        return String(text)
    }

    /// A line of JSON that is safe to print and says the same: what is a control character to a terminal but not to JSON
    /// is written as an escape.
    package var printableJSON: String {
        if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
        guard unicodeScalars.contains(where: { $0.isControl }) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isControl {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
                    text.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
                }
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Of C0 and C1, line and paragraph ends, spaces of no width, what marks, embeds, overrides or isolates a direction of
    /// writing, shapes letters or hides a text behind another, and whatever else nobody sees: two names that differ in that
    /// alone look the same.
    var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0xFFF9...0xFFFB: true
        // Languages join and part letters with these, and emoji are put together with the second.
        case 0x200C, 0x200D: false
        default: value >= 0xAD && properties.isDefaultIgnorableCodePoint
        }
    }

    /// Has the scalar before it shown as a picture, and so is seen.
    fileprivate func isPicture(after last: Unicode.Scalar?) -> Bool {
        value == 0xFE0F && last.map { !$0.isASCII && $0.properties.isEmoji } == true
    }
}
