/// Why a configuration cannot be used: which file, which key, and what to do.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package let file: String
    package let problem: String
    package let hint: String?

    package init(_ file: String, problem: String, hint: String? = nil) {
        self.file = file
        self.problem = problem
        self.hint = hint
    }

    package var description: String { "\(file): \(problem)" + (hint.map { ". \($0)" } ?? "") }
}
