import BLIPTransport
import Synchronization

/// The memory of one connection, on its user's accounts: incoming messages, with pushed revisions that wait for the
/// store or for their attachments, filters of feeds, and messages that wait to be sent.
package final class ConnectionMemory: BLIPMemory {
    private struct State {
        var messages = 0
        var revisions = 0
        var refusal: ShareLedger.Refusal?
    }

    private let holder: AccountShares.Holder
    private let sending: AccountShares.Holder?
    private let loads: LargeLoads?
    private let jobs: AccountLine?
    private let steps: AccountLine?
    private let state = Mutex(State())
    private let revisionSteps = Atomic(0)
    private let sendingSteps = Atomic(0)

    /// - Parameters:
    ///   - sending: for messages that wait to be sent; without one these are not counted.
    ///   - loads: large revisions of all connections; without them those of this one do not wait.
    ///   - jobs: requests of all connections to the database; the same.
    ///   - steps: the steps of all sessions; the same.
    package init(
        _ holder: AccountShares.Holder, sending: AccountShares.Holder? = nil, loads: LargeLoads? = nil,
        jobs: AccountLine? = nil, steps: AccountLine? = nil
    ) {
        self.holder = holder
        self.sending = sending
        self.loads = loads
        self.jobs = jobs
        self.steps = steps
    }

    /// Waits until the session may take its next step. Sessions only wait for those of their account: however many a user
    /// has, they cannot use up all threads.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before that.
    func beginStep() async throws { try await steps?.begin(of: holder.account) }

    func endStep() { steps?.end(of: holder.account) }

    /// Runs a job for the client when it is the user's turn.
    func inTurn<Value: Sendable>(_ job: () async throws -> Value) async throws -> Value {
        guard let jobs else { return try await job() }
        return try await jobs.run(of: holder.account, job)
    }

    /// Loads revisions for the client, and waits if many bytes of its user are being sent.
    func load<Value: Sendable>(
        _ load: () async throws -> (Value, bytes: Int)
    ) async throws -> (Value, LargeLoads.Turn?) {
        guard let loads else { return (try await load().0, nil) }
        return try await loads.load(for: holder.account, load)
    }

    /// The last refusal.
    package var refusal: ShareLedger.Refusal? { state.withLock { $0.refusal } }

    package func hold(_ bytes: Int) -> Bool { hold(bytes, in: \.messages) }

    /// The same for revisions and filters that the session keeps, in steps: most are stored at once, hundreds together.
    func holdRevisions(_ bytes: Int, orElse giveUp: () -> Void) {
        guard let bytes = Self.rounded(bytes, ifOtherThan: revisionSteps) else { return }
        if !hold(bytes, in: \.revisions) { giveUp() }
    }

    /// Notes bytes that wait to be sent. They are never refused: a client that reads slowly gets less at a time.
    func holdUnsent(_ bytes: Int) {
        guard let sending, let bytes = Self.rounded(bytes, ifOtherThan: sendingSteps) else { return }
        sending.hold(bytes)
    }

    /// How many more bytes may wait to be sent; negative if too many do.
    var roomToSend: Int { sending?.room ?? .max }

    private static func rounded(_ bytes: Int, ifOtherThan last: borrowing Atomic<Int>) -> Int? {
        let step = TransportLimits.memoryStep
        let steps = (bytes + step - 1) / step
        return last.exchange(steps, ordering: .relaxed) == steps ? nil : steps * step
    }

    private func hold(_ bytes: Int, in part: WritableKeyPath<State, Int>) -> Bool {
        state.withLock { state in
            let more = bytes - state[keyPath: part]
            do throws(ShareLedger.Refusal) {
                if more > 0 { try holder.take(more) } else if more < 0 { holder.giveBack(-more) }
            } catch {
                state.refusal = error
                return false
            }
            state[keyPath: part] = bytes
            return true
        }
    }
}
