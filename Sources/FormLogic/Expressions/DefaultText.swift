import DocumentValues

/// Whether a default is a text or an expression.
package enum DefaultText {
    /// It is an expression if it has a call, a reference, a predicate, or an operator of numbers that is not within a name.
    /// For dates and positions a `-` before any of those makes it a text.
    package static func isDynamic(_ text: String, type: QuestionType) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if scalar == "-", hasDashes(type) { return false }
            if scalar == "'" || scalar == "\"" {
                guard let end = scalars[(index + 1)...].firstIndex(of: scalar) else { return false }
                index = end + 1
            } else if NodeName.begins(scalar) {
                let end = nameEnd(scalars, from: index)
                if isCall(scalars, behind: end) || isOperator(scalars[index..<end], at: index, in: scalars) {
                    return true
                }
                index = end
            } else if isDigit(scalar) {
                index = numberEnd(scalars, from: index)
            } else {
                if marks(scalars, at: index) { return true }
                index += 1
            }
        }
        return false
    }

    private static func hasDashes(_ type: QuestionType) -> Bool {
        switch type {
        case .plain(.date), .plain(.dateTime), .plain(.geopoint), .plain(.geotrace), .plain(.geoshape): true
        case .plain, .select: false
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }

    private static func nameEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
        var end = start + 1
        while end < scalars.count, NodeName.continues(scalars[end]) || scalars[end] == ":" { end += 1 }
        return end
    }

    private static func numberEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
        var end = start + 1
        while end < scalars.count, isDigit(scalars[end]) || scalars[end] == "." { end += 1 }
        return end
    }

    private static func isCall(_ scalars: [Unicode.Scalar], behind end: Int) -> Bool {
        end < scalars.count && scalars[end] == "("
    }

    /// `div` and `mod` between two values.
    private static func isOperator(
        _ name: ArraySlice<Unicode.Scalar>, at index: Int, in scalars: [Unicode.Scalar]
    ) -> Bool {
        let isName = name.elementsEqual("div".unicodeScalars) || name.elementsEqual("mod".unicodeScalars)
        return isName && hasValue(scalars[..<index]) && hasValue(scalars[name.endIndex...])
    }

    private static func hasValue(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
        scalars.contains { !$0.properties.isWhitespace }
    }

    private static func marks(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        switch scalars[index] {
        case "$": return index + 1 < scalars.count && scalars[index + 1] == "{"
        case "[": return index > 0 && scalars[index...].contains("]")
        // The sign of a number, as in `030-1234` and in a day.
        case "-" where index + 1 < scalars.count && (isDigit(scalars[index + 1]) || scalars[index + 1] == "."):
            return false
        case "+", "*", "|", "-":
            // A sign before all else is none.
            return hasValue(scalars[..<index]) && hasValue(scalars[(index + 1)...])
        default: return false
        }
    }
}

extension FormNode {
    /// Whether it has a default that is an expression.
    package var hasDynamicDefault: Bool {
        guard let text = defaultValue, let type else { return false }
        return DefaultText.isDynamic(text, type: type)
    }
}
