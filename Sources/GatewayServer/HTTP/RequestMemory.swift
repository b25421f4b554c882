import BLIPTransport
import DocumentValues
import GatewayCore
import NIOCore
import Synchronization

/// Limits the memory of the bodies of all requests together.
///
/// Arriving bodies and the unfinished messages of sync connections have one limit. When it is used up, requests are
/// refused, because slow senders must not make others wait. The results of reading bodies have another limit, for which
/// requests wait: its holders are working, and give it back.
final class RequestMemory: Sendable {
    private let working: MemoryLine
    let arriving: AccountShares
    /// Attachments on their way in, as far as they are on the disk.
    let staged: AccountShares
    /// Bytes that wait to be sent to clients.
    let sending: AccountShares
    /// Large revisions among that.
    private let loads: LargeLoads
    /// Requests of sync connections to the database.
    private let jobs = AccountLine(limit: GatewayServerLimits.syncJobsOfOne)
    /// Steps of sessions, which share one thread for each core.
    private let steps = AccountLine(limit: System.coreCount)
    /// Large bodies that are read and stored: about one of each account at a time, even if its user sends many at once. Each
    /// keeps a thread busy for a while, and there is only one thread for each core.
    fileprivate let reading = AccountLine(limit: GatewayServerLimits.readingOfOne)
    /// Bodies that keep a thread busy for long, in turns over the accounts: one thread always remains for short work,
    /// however many accounts send such bodies.
    fileprivate let threads = MemoryLine(total: max(1, System.coreCount - 1))
    let pace: ArrivalPace
    /// How long a client may read nothing of an answer.
    let readingLimit: TimeAmount

    init(_ bounds: GatewayBounds = GatewayBounds()) {
        arriving = AccountShares(total: bounds.arriving, share: bounds.arrivingOfOne)
        staged = AccountShares(total: bounds.staged, share: bounds.stagedOfOne)
        sending = AccountShares(total: bounds.sending, share: bounds.sendingOfOne)
        pace = bounds.pace
        readingLimit = bounds.readingLimit
        working = MemoryLine(total: bounds.working)
        loads = LargeLoads(total: bounds.sending, share: bounds.sendingOfOne)
    }

    /// The memory of a sync connection.
    func ofConnection(_ account: Name) -> ConnectionMemory {
        ConnectionMemory(
            AccountShares.Holder(arriving, account: account), sending: AccountShares.Holder(sending, account: account),
            loads: loads, jobs: jobs, steps: steps)
    }

    func stagingOwner(_ account: Name) -> StagingOwner {
        StagingOwner(
            memory: AccountShares.Holder(arriving, account: account),
            disk: AccountShares.Holder(staged, account: account))
    }

    /// Waits until there is room for work that needs so many bytes; a single request always has room.
    func begin(_ bytes: Int, of account: Name) async { await working.begin(bytes, of: account) }

    func end(_ bytes: Int, of account: Name) { working.end(bytes, of: account) }
}

/// The memory of one request: its body until the answer is made, the answer until it is written, and the parts of the
/// body that are needed until then.
final class RequestLoad: Sendable {
    /// The memory for the parsed body.
    private struct Work {
        let bytes: Int
        let account: Name
    }

    /// The bytes of one kind. Their holder is made for the first of them, since short requests have none that are counted.
    private struct CountedBytes {
        let shares: AccountShares
        private(set) var holder: AccountShares.Holder?

        init(_ shares: AccountShares) { self.shares = shares }

        mutating func holder(of account: Name) -> AccountShares.Holder {
            if let holder { return holder }
            let made = AccountShares.Holder(shares, account: account)
            holder = made
            return made
        }

        /// They are on no account any more.
        mutating func release() { holder = nil }
    }

    private struct State {
        var account: Name
        var body: CountedBytes
        var kept: CountedBytes
        var answer: CountedBytes
        var limit = Int.max
        var arrived = 0
        var reading: Work?
        /// The account for which the body keeps a thread busy.
        var threadOf: Name?
        var work: Work?
        var answering = 0
        var isAnswerInMemory = true
    }

    private let memory: RequestMemory
    private let state: Mutex<State>

    /// - Parameter account: the account before the sign-in.
    init(_ memory: RequestMemory, account: Name) {
        self.memory = memory
        state = Mutex(
            State(
                account: account, body: CountedBytes(memory.arriving), kept: CountedBytes(memory.arriving),
                answer: CountedBytes(memory.sending)))
    }

    deinit { end() }

    /// On whose account it goes.
    func charge(to account: Name) {
        state.withLock { state in
            state.account = account
            state.body.release()
            state.kept.release()
            state.answer.release()
            (state.arrived, state.answering) = (0, 0)
        }
    }

    var account: Name { state.withLock { $0.account } }

    var pace: ArrivalPace { memory.pace }

    var readingLimit: TimeAmount { memory.readingLimit }

    /// Holds so many bytes of the answer, or of a piece of it, in memory; 503 if there is no room. Short ones are not
    /// counted, because their number is limited.
    ///
    /// - Returns: How many were held before, for `answer(backTo:)`.
    @discardableResult func answer(_ bytes: Int) throws(GatewayError) -> Int {
        do throws(ShareLedger.Refusal) {
            return try state.withLock { state throws(ShareLedger.Refusal) in
                let before = state.answering
                guard bytes > GatewayServerLimits.uncountedAnswer, bytes > before else { return before }
                try state.answer.holder(of: state.account).take(bytes - before)
                state.answering = bytes
                return before
            }
        } catch {
            throw GatewayError(error, of: "answers that are not read yet")
        }
    }

    /// Holds the answer to a write that is already done: it must not be refused any more.
    func holdAnswer(_ bytes: Int) {
        guard bytes > GatewayServerLimits.uncountedAnswer else { return }
        state.withLock { state in
            guard bytes > state.answering else { return }
            state.answer.holder(of: state.account).hold(bytes)
            state.answering = bytes
        }
    }

    /// Only pieces of the answer are in memory, each while it is written.
    func answerIsReadFromDisk() { state.withLock { $0.isAnswerInMemory = false } }

    /// Whether the whole answer is in memory, if its length is known.
    var isAnswerInMemory: Bool { state.withLock { $0.isAnswerInMemory } }

    /// Called when a piece is written.
    func answer(backTo bytes: Int) {
        state.withLock { state in
            guard bytes < state.answering else { return }
            state.answer.holder(of: state.account).giveBack(state.answering - bytes)
            state.answering = bytes
        }
    }

    var stagingOwner: StagingOwner { memory.stagingOwner(account) }

    /// A body that may be sent without credentials must be short.
    func restrict(to limit: Int) { state.withLock { $0.limit = limit } }

    var limit: Int { state.withLock { $0.limit } }

    /// Notes how many bytes have arrived. Short bodies are not counted, because their number is limited.
    func arrived(_ bytes: Int) throws(GatewayError) {
        do throws(ShareLedger.Refusal) {
            try state.withLock { state throws(ShareLedger.Refusal) in
                guard bytes > GatewayServerLimits.uncountedBody, bytes > state.arrived else { return }
                try state.body.holder(of: state.account).take(bytes - state.arrived)
                state.arrived = bytes
            }
        } catch {
            throw GatewayError(error, of: "large requests at once")
        }
    }

    /// Holds so many bytes until the answer is written, such as the filter of a feed that waits.
    func keep(_ bytes: Int) throws(GatewayError) {
        guard bytes > GatewayServerLimits.uncountedBody else { return }
        do throws(ShareLedger.Refusal) {
            try state.withLock { state throws(ShareLedger.Refusal) in
                try state.kept.holder(of: state.account).take(bytes)
            }
        } catch {
            throw GatewayError(error, of: "large requests at once")
        }
    }

    /// Waits until other large bodies of the account have been read.
    ///
    /// - Throws: `CancellationError` where the request is cancelled before that.
    func beginReading(_ body: [UInt8]) async throws {
        guard body.count > GatewayServerLimits.uncountedBody else { return }
        try await beginReading(work: Self.work(body))
    }

    /// The same before the body is known.
    ///
    /// - Parameter bytes: the most that it may have.
    func beginReading(bytes: Int) async throws {
        guard bytes > GatewayServerLimits.uncountedBody else { return }
        // A value and the separator behind it have two bytes.
        try await beginReading(work: Self.work(bytes: bytes, values: min(bytes / 2, GatewayServerLimits.bodyValues)))
    }

    private func beginReading(work: Int) async throws {
        let reading = Work(bytes: work, account: account)
        try await memory.reading.begin(reading.bytes, of: reading.account)
        state.withLock { $0.reading = reading }
        guard work > GatewayServerLimits.longReading else { return }
        await memory.threads.begin(1, of: reading.account)
        state.withLock { $0.threadOf = reading.account }
    }

    /// Waits for its turn to be processed.
    func begin(on body: [UInt8]) async {
        guard body.count > GatewayServerLimits.uncountedBody else { return }
        let work = Work(bytes: Self.work(body), account: account)
        await memory.begin(work.bytes, of: work.account)
        endWork(beginning: work)
    }

    /// The parsed body is released; only data to be stored or looked up are left, which are no larger than the body. Call it
    /// before any wait that may take long, such as for a sync function, a turn at the readers, or a client that reads the
    /// answer: requests that wait for room wait for all holders.
    func endWork() {
        endWorkBeforeStoring()
        endReading()
    }

    /// The same before storing: the account's other large bodies wait until that is done.
    func endWorkBeforeStoring() {
        endWork(beginning: nil)
        let account = state.withLock { state in
            defer { state.threadOf = nil }
            return state.threadOf
        }
        if let account { memory.threads.end(1, of: account) }
    }

    /// The same if the parsed body is needed until the answer is written: from now on it is on the account; 503 if that has
    /// no room.
    func keepWork() throws(GatewayError) {
        let bytes = state.withLock { $0.work?.bytes }
        endWork()
        if let bytes { try keep(bytes) }
    }

    private func endReading() {
        let reading = state.withLock { state in
            defer { state.reading = nil }
            return state.reading
        }
        if let reading { memory.reading.end(reading.bytes, of: reading.account) }
    }

    private func endWork(beginning next: Work?) {
        let work = state.withLock { state in
            defer { state.work = next }
            return state.work
        }
        if let work { memory.end(work.bytes, of: work.account) }
    }

    /// The memory for the tree of a JSON text and its temporary copies, estimated from its length and its number of
    /// values, which the separators show.
    private static func work(_ body: [UInt8]) -> Int { work(bytes: body.count, values: JSONSigns.count(in: body)) }

    private static func work(bytes: Int, values: Int) -> Int {
        GatewayServerLimits.workOfByte * bytes + GatewayServerLimits.workOfValue * values
    }

    func end() {
        state.withLock { state in
            state.arrived = 0
            state.body.release()
        }
        endWork()
    }
}
