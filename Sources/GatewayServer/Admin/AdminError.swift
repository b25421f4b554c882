/// Why a command for a running gateway failed, as the person who typed it reads it.
package struct AdminError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// Nobody answers at the admin port, or the answer stopped.
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
