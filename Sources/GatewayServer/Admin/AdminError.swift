/// Why a command for a running gateway failed, in terms of the person who typed it.
package struct AdminError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The admin port does not answer, or the answer is incomplete.
        case unreachable
        /// The gateway refused, with this status.
        case refused(Int)
        /// A file could not be written.
        case file
    }

    package let code: Code
    package let problem: String
    package let hint: String?

    init(_ code: Code, problem: String, hint: String? = nil) {
        self.code = code
        self.problem = problem
        self.hint = hint
    }

    package var description: String { problem + (hint.map { ". \($0)" } ?? "") }
}
