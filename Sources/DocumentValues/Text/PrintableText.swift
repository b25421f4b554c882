/// Makes text from outside safe for a terminal, or for a file that a person reads: records of other users, messages of a
/// gateway, ids that a client sends. Laptop and gateway print all such text through this.
extension String {
    /// Safe to print. Control characters, which could move the cursor or worse, and characters that change the direction
    /// of writing or are invisible become a question mark. Combining marks are limited to as many as a language needs.
    /// Line ends stay.
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

    /// A line of JSON that is safe to print and has the same value: characters that control a terminal, but are allowed
    /// in JSON, are written as escapes.
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
    /// Characters of C0 and C1, line and paragraph ends, spaces without width, marks of the direction of writing, and other
    /// characters that are invisible, hide text or only change the shape of letters. Two names that differ only in these
    /// look the same.
    var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0xFFF9...0xFFFB: true
        // Languages use these to join or separate letters, and emoji are combined with the second.
        case 0x200C, 0x200D: false
        default: value >= 0xAD && properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether it makes a picture of the scalar before it, and so is visible.
    fileprivate func isPicture(after last: Unicode.Scalar?) -> Bool {
        value == 0xFE0F && last.map { !$0.isASCII && $0.properties.isEmoji } == true
    }
}
