import DocumentValues

/// Why a text is no expression that can be used, and where.
package struct ExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The codes under which the checker reports it.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        case unknownList = "F107"
        case unknownName = "F110"
        case ambiguousName = "F111"
        case syntax = "F112"
        case unknownFunction = "F113"
        case argumentCount = "F114"
        case pathNeeded = "F115"
        case limit = "F125"
    }

    package let code: Code
    @Exact package var message: String
    /// The way out, where the message does not have it: `Did you mean 'cold_temp'?`
    @Exact package var hint: String?
    /// The scalar of the text, counted from 0.
    package let position: Int

    package init(_ code: Code, message: String, hint: String? = nil, position: Int) {
        self.code = code
        self.message = message
        self.hint = hint
        self.position = position
    }

    /// The message with the character, counted from 1.
    package var description: String {
        let text = "\(message) (character \(position + 1))"
        return hint.map { "\(text). \($0)" } ?? text
    }
}
