import Dispatch
import DocumentStore
import Foundation
import Synchronization

/// Notifies a replicator's listeners: of changes of activity at once, of progress and documents in batches.
// Unchecked: all stored variables are touched on the replicator's queue only, which each method checks.
final class StatusReporter: @unchecked Sendable {
    private let queue: DispatchQueue
    /// Seconds for which it waits for listeners.
    private let listenerTime: TimeInterval
    private weak var replicator: Replicator?
    private var activity: Replicator.ActivityLevel = .stopped
    private var lastReport = DispatchTime(uptimeNanoseconds: 0)
    private var pending: Replicator.Status?
    private var gathered: [(isPush: Bool, ReplicatedDocument)] = []
    private var isFlushScheduled = false
    /// Counts the batches of documents for listeners on the replicator's own queue, and those that are delivered, or whose
    /// time limit is over.
    private var handedOver = 0
    private var delivered = 0
    /// Work to be done when the batches up to a number are delivered.
    private var waiting: [(batch: Int, body: @Sendable () -> Void)] = []
    /// A status that waits until all batches are delivered.
    private var delayed: Replicator.Status?

    init(queue: DispatchQueue, listenerTime: TimeInterval) {
        self.queue = queue
        self.listenerTime = listenerTime
    }

    /// Called once, while the replicator is made.
    func attach(_ replicator: Replicator) { queue.sync { self.replicator = replicator } }

    // MARK: - Status

    func report(
        _ activity: Replicator.ActivityLevel, progress: Replicator.Progress, error: (any Error)?
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        let status = Replicator.Status(activity: activity, progress: progress, error: error)
        guard activity == .idle else { return publish(status) }
        flushDocuments()
        guard handedOver != delivered else { return publish(status) }
        delayed = status
        whenDocumentsAreDelivered { [weak self] in self?.publishDelayed() }
    }

    private func publish(_ status: Replicator.Status) {
        replicator?.runState.withLock { $0.report(status) }
        announce(status)
    }

    private func publishDelayed() {
        dispatchPrecondition(condition: .onQueue(queue))
        // If other work is waiting, a newer status will follow.
        guard waiting.isEmpty, let status = delayed else { return }
        delayed = nil
        publish(status)
    }

    /// Notifies the listeners of a status that callers can already read.
    ///
    /// - Parameter newest: the newest listener at the time of the status.
    func announce(_ status: Replicator.Status, upTo newest: UInt64 = .max) {
        dispatchPrecondition(condition: .onQueue(queue))
        if let earlier = delayed {
            delayed = nil
            announce(earlier, upTo: newest)
        }
        let activity = status.activity
        let isNews = activity != self.activity || activity == .stopped
        self.activity = activity
        guard !isNews else { return report(status, upTo: newest) }
        let isScheduled = pending != nil
        pending = status
        guard !isScheduled else { return }
        let due = max(.now(), lastReport + ReplicationLimits.progressInterval)
        queue.asyncAfter(deadline: due) { [weak self] in
            guard let self, let status = pending else { return }
            report(status)
        }
    }

    private func report(_ status: Replicator.Status, upTo newest: UInt64 = .max) {
        dispatchPrecondition(condition: .onQueue(queue))
        pending = nil
        lastReport = .now()
        guard let replicator else { return }
        replicator.changeListeners.notify(ReplicatorChange(replicator: replicator, status: status), upTo: newest)
    }

    // MARK: - Documents

    func documents(_ events: [(isPush: Bool, ReplicatedDocument)]) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let replicator, !replicator.documentListeners.isEmpty else { return }
        gathered += events
        if gathered.count >= ReplicationLimits.documentEventsPerBatch { return flushDocuments() }
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        queue.asyncAfter(deadline: .now() + ReplicationLimits.documentEventInterval) { [weak self] in
            self?.isFlushScheduled = false
            self?.flushDocuments()
        }
    }

    /// Calls `body` when the listeners have got all documents: at once, or after those without a queue of their own
    /// were called. So the documents are known before `stopped` or `idle`.
    ///
    /// The application's own queues may themselves be waiting for this status, so they are not waited for. A listener without
    /// a queue may do so as well, or wait for the main thread, which does: it has `listenerTime` to return.
    func whenDocumentsAreDelivered(_ body: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        flushDocuments()
        guard let replicator, handedOver != delivered else { return body() }
        let batch = handedOver
        waiting.append((batch, body))
        replicator.deliveryQueue.async { [self] in queue.async { [self] in settle(batch) } }
        queue.asyncAfter(deadline: .now() + listenerTime) { [weak self] in self?.giveUp(batch) }
    }

    private func giveUp(_ batch: Int) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard delivered < batch else { return }
        LibraryLog.replicator.warning(
            "A listener has not returned: the status is published before all documents are reported")
        settle(batch)
    }

    private func settle(_ batch: Int) {
        dispatchPrecondition(condition: .onQueue(queue))
        delivered = max(delivered, batch)
        let ready = waiting.filter { $0.batch <= delivered }
        waiting.removeAll { $0.batch <= delivered }
        for wait in ready { wait.body() }
    }

    private func flushDocuments() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let replicator, !gathered.isEmpty else { return }
        if replicator.documentListeners.hasSome(on: replicator.deliveryQueue) { handedOver += 1 }
        for isPush in [true, false] {
            let documents = gathered.filter { $0.isPush == isPush }.map(\.1)
            guard !documents.isEmpty else { continue }
            replicator.documentListeners.notify(
                DocumentReplication(replicator: replicator, isPush: isPush, documents: documents))
        }
        gathered = []
    }
}
