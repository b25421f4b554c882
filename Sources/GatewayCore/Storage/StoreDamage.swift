import DocumentValues
import Synchronization

/// Whether the data of a store was found damaged during its use. It is reported once, and counts until the next start.
package final class StoreDamage: Sendable {
    private struct State {
        var reason: String?
        /// The first document that could not be read, although the structure of the data is intact.
        var document: String?
        /// Users and roles that could not be read, and the first of them.
        var principals: Set<Name> = []
        var principal: Name?
        var report: @Sendable (_ reason: String) -> Void = { _ in }
        var reportPrincipal: @Sendable (_ key: Name) -> Void = { _ in }
    }

    private let state = Mutex(State())
    /// All failures of the storage, of which damage is one.
    package let faults = StorageFaults()

    /// - Parameter report: called with the engine's own message.
    func onChange(_ report: @escaping @Sendable (_ reason: String) -> Void) { state.withLock { $0.report = report } }

    /// - Parameter report: called once for each user or role that cannot be read, with its key.
    func onDamagedPrincipal(_ report: @escaping @Sendable (_ key: Name) -> Void) {
        state.withLock { $0.reportPrincipal = report }
    }

    /// The engine's own message, or the document, user or role that cannot be read; `nil` if there is no damage.
    package var reason: String? {
        state.withLock { state in
            state.reason ?? state.document.map { "the document \($0) cannot be read" }
                ?? state.principal.map { "\(DamagedPrincipal(key: $0))" }
        }
    }

    /// Keeps the first document that could not be read.
    ///
    /// - Returns: whether it is that.
    func noteDamaged(document: String) -> Bool {
        faults.note(GatewayError.damaged("document"))
        return state.withLock { state in
            guard state.document == nil else { return false }
            state.document = document
            return true
        }
    }

    /// A read or a write failed. Only failures by damaged data, users and roles count as damage; the others are among the
    /// faults. The engine calls it.
    func note(_ failure: any Error) {
        faults.note(failure)
        if let damaged = failure as? DamagedPrincipal { return note(principal: damaged.key) }
        guard let failure = StorageFailure(failure), failure.kind == .damaged else { return }
        let report = state.withLock { state in
            defer { state.reason = state.reason ?? failure.description }
            return state.reason == nil ? state.report : nil
        }
        report?(failure.description)
    }

    private func note(principal key: Name) {
        let report = state.withLock { state -> (@Sendable (Name) -> Void)? in
            guard state.principals.insert(key).inserted else { return nil }
            state.principal = state.principal ?? key
            return state.reportPrincipal
        }
        report?(key)
    }

    func noting<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch {
            note(error)
            throw error
        }
    }
}
