import Dispatch
import DocumentValues
import Synchronization

extension Database {
    /// The outbox as it is now, and again each time it has changed, by this process or another.
    ///
    /// Changes that follow closely come as one. The sequence ends with its consumer, and when the database is closed.
    public func rejectedPushChanges() -> AsyncStream<[RejectedPush]> { listChanges { try $0.rejectedPushes() } }

    /// The quarantine as it is now, and again each time it has changed, by this process or another.
    ///
    /// Changes that follow closely come as one. The sequence ends with its consumer, and when the database is closed.
    public func quarantineChanges() -> AsyncStream<[QuarantinedDocument]> {
        listChanges { try $0.quarantinedDocuments() }
    }

    private func listChanges<Entry: Sendable & Equatable>(
        _ read: @escaping @Sendable (Database) throws -> [Entry]
    ) -> AsyncStream<[Entry]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            do {
                let list = ObservedList { [weak self] in
                    try self.map(read)
                } pass: {
                    continuation.yield($0)
                } end: {
                    continuation.finish()
                }
                let token = try changeHub().add(.everyCommit { list.changed() })
                continuation.onTermination = { _ in token.remove() }
                list.changed()
            } catch {
                report(error, message: "the outbox or the quarantine could not be observed")
                continuation.finish()
            }
        }
    }
}

/// Reads a list again when it may have changed, and reports it when it has.
private final class ObservedList<Entry: Sendable & Equatable>: Sendable {
    private struct State {
        var last: [Entry]?
        var isReadPlanned = false
        /// Whether the last reading has failed: a failure is logged once.
        var isFailing = false
    }

    /// `nil` when the database is gone.
    private let read: @Sendable () throws -> [Entry]?
    private let pass: @Sendable ([Entry]) -> Void
    private let end: @Sendable () -> Void
    private let queue = DispatchQueue(label: "fieldbook.database.lists")
    private let state = Mutex(State())

    init(
        read: @escaping @Sendable () throws -> [Entry]?, pass: @escaping @Sendable ([Entry]) -> Void,
        end: @escaping @Sendable () -> Void
    ) {
        self.end = end
        self.read = read
        self.pass = pass
    }

    /// A database releases its observers when it is closed.
    deinit { end() }

    func changed() {
        let isFirst = state.withLock { state -> Bool? in
            guard !state.isReadPlanned else { return nil }
            state.isReadPlanned = true
            return state.last == nil
        }
        guard let isFirst else { return }
        queue.asyncAfter(deadline: .now() + (isFirst ? 0 : StoreLimits.listInterval)) { self.look() }
    }

    private func look() {
        state.withLock { $0.isReadPlanned = false }
        do {
            guard let entries = try read() else { return }
            let isNews = state.withLock { state in
                defer { (state.last, state.isFailing) = (entries, false) }
                return state.last != entries
            }
            if isNews { pass(entries) }
        } catch let error as StoreError where error.code == .notOpen {
            // It was closed since the notice.
        } catch {
            let isNews = state.withLock { state in
                defer { state.isFailing = true }
                return !state.isFailing
            }
            if isNews { LibraryLog.database.warning("The outbox or the quarantine could not be read: \(error)") }
            // The next commit, with which the list would be read again, may be far away.
            queue.asyncAfter(deadline: .now() + StoreLimits.safetyPoll) { [weak self] in self?.changed() }
        }
    }
}
