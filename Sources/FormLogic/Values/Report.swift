/// What could not be known from the form, and made a value empty or arbitrary: a note for the form's author, no error.
package struct Report: Sendable, Hashable {
    package enum Code: String, Sendable, Hashable, CaseIterable {
        case unreadable = "R1"
        case severalNodes = "R2"
        case pattern = "R3"
        case outOfRange = "R4"
        case missingFile = "R5"
        case unknownAlgorithm = "R6"
        case cannotHold = "R7"
        case limit = "R8"
    }

    package let code: Code
    /// The function or the part that reports.
    package let function: FunctionName

    /// A name of a function, an operator or a part of this module: constants in ASCII.
    package struct FunctionName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        package let description: String

        package init(_ text: String) { description = text }

        package init(stringLiteral text: StaticString) { description = "\(text)" }
    }

    package init(_ code: Code, in function: FunctionName) {
        self.code = code
        self.function = function
    }
}
