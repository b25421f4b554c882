/// Why sync functions could not be run at all. No document may be stored then.
package struct SyncFunctionError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The worker's program cannot be started.
        case cannotStart
        /// A worker ended, or did not answer, before it had greeted.
        case noGreeting
        /// The pool was closed.
        case closed
    }

    package let code: Code
    package let detail: String

    init(_ code: Code, detail: String = "") {
        self.code = code
        self.detail = detail
    }

    package var description: String {
        switch code {
        case .cannotStart:
            "The worker for sync functions cannot be started (\(detail)). Nothing can be stored until it can"
        case .noGreeting:
            "The worker for sync functions ended before it was ready (\(detail)). Nothing can be stored until it runs"
        case .closed: "The gateway is shutting down"
        }
    }
}
