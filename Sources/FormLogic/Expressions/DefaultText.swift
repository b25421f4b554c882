import DocumentValues

/// Whether a default is a text or an expression.
package enum DefaultText {
    /// It is an expression if it has a call, a reference, a predicate, or an operator of numbers that is not within a name.
    /// For dates and positions a `-` before any of those makes it a text.
    package static func isDynamic(_ text: String, type: QuestionType) -> Bool {
        DefaultScan(text).isDynamic(hasDashes: hasDashes(type))
    }

    private static func hasDashes(_ type: QuestionType) -> Bool {
        switch type {
        case .plain(.date), .plain(.dateTime), .plain(.geopoint), .plain(.geotrace), .plain(.geoshape): true
        case .plain, .select: false
        }
    }
}

/// Looks through a default for the first part that only an expression has.
private struct DefaultScan {
    private let scalars: [Unicode.Scalar]
    /// The first and the last scalar that is no white space, and the last bracket: operators are between values.
    private let first: Int
    private let last: Int
    private let lastBracket: Int

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        first = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.count
        last = scalars.lastIndex { !$0.properties.isWhitespace } ?? -1
        lastBracket = scalars.lastIndex(of: "]") ?? -1
    }

    func isDynamic(hasDashes: Bool) -> Bool {
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if scalar == "-", hasDashes { return false }
            if scalar == "'" || scalar == "\"" {
                // Without a second one it is an apostrophe.
                index = scalars[(index + 1)...].firstIndex(of: scalar).map { $0 + 1 } ?? index + 1
            } else if NodeName.begins(scalar) {
                let end = nameEnd(from: index)
                if isCall(behind: end) || isOperator(from: index, to: end) { return true }
                index = end
            } else if Self.isDigit(scalar) {
                index = numberEnd(from: index)
            } else {
                if marks(at: index) { return true }
                index += 1
            }
        }
        return false
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }

    private func nameEnd(from start: Int) -> Int {
        var end = start + 1
        while end < scalars.count, NodeName.continues(scalars[end]) || scalars[end] == ":" { end += 1 }
        return end
    }

    private func numberEnd(from start: Int) -> Int {
        var end = start + 1
        while end < scalars.count, Self.isDigit(scalars[end]) || scalars[end] == "." { end += 1 }
        return end
    }

    private func isCall(behind end: Int) -> Bool { end < scalars.count && scalars[end] == "(" }

    /// `div` and `mod` between two values.
    private func isOperator(from start: Int, to end: Int) -> Bool {
        let name = scalars[start..<end]
        let isName = name.elementsEqual("div".unicodeScalars) || name.elementsEqual("mod".unicodeScalars)
        return isName && first < start && last >= end
    }

    private func marks(at index: Int) -> Bool {
        switch scalars[index] {
        case "$": index + 1 < scalars.count && scalars[index + 1] == "{"
        case "[": index > 0 && lastBracket > index
        // The sign of a number, as in `030-1234` and in a day.
        case "-" where index + 1 < scalars.count && (Self.isDigit(scalars[index + 1]) || scalars[index + 1] == "."):
            false
        // A sign before all else is none.
        case "+", "*", "|", "-": first < index && last > index
        default: false
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
