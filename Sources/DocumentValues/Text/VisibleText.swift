extension String {
    /// In one line, with the control characters of C0 and C1, line and paragraph ends and characters that change the
    /// direction of writing as escapes, such as `\u{1b}`: for logging names and messages from outside.
    package var withControlsEscaped: String {
        guard unicodeScalars.contains(where: { $0.isControl }) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isControl {
                text.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// Not longer than `limit` scalars, the last of which is `…` if something was cut off. A `Character` can be of any
    /// length.
    package func shortened(toScalars limit: Int) -> String {
        guard limit > 0 else { return "" }
        guard utf8.count > limit, let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex),
            end < endIndex
        else { return self }
        return String(unicodeScalars[..<unicodeScalars.index(before: end)]) + "…"
    }

    /// At most `limit` bytes of whole scalars, and a `…` if something was cut off.
    package func shortened(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(unicodeScalars[..<end]) + "…"
    }
}
