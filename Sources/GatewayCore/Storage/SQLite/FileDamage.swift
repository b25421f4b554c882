import GRDB
import Synchronization

/// Whether the file of a database was found damaged during its use. It is reported once, and counts until the next
/// start.
package final class FileDamage: Sendable {
    private struct State {
        var reason: String?
        /// The first document that could not be read, although the structure of the file is intact.
        var document: String?
        var report: @Sendable (_ reason: String) -> Void = { _ in }
    }

    private let state = Mutex(State())

    /// - Parameter report: called with SQLite's own message.
    func onChange(_ report: @escaping @Sendable (_ reason: String) -> Void) { state.withLock { $0.report = report } }

    /// SQLite's own message, or the document that cannot be read; `nil` if there is no damage.
    package var reason: String? {
        state.withLock { $0.reason ?? $0.document.map { "the document \($0) cannot be read" } }
    }

    /// Keeps the first document that could not be read.
    ///
    /// - Returns: whether it is that.
    func isNew(document: String) -> Bool {
        state.withLock { state in
            guard state.document == nil else { return false }
            state.document = document
            return true
        }
    }

    /// A read or a write failed; only failures by a damaged file count.
    func note(_ failure: any Error) {
        guard let problem = DatabaseFileError(failure), problem.kind == .damaged else { return }
        let report = state.withLock { state in
            defer { state.reason = state.reason ?? problem.description }
            return state.reason == nil ? state.report : nil
        }
        report?(problem.description)
    }

    func noting<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch {
            note(error)
            throw error
        }
    }
}
