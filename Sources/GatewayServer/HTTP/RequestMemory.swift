import DocumentValues
import GatewayCore
import Synchronization

/// Bounds what the bodies of all requests together take in memory.
///
/// Bodies that come in have one share, turned away when it is used up: who sends slowly must not make others wait. What
/// is made of them has another, for which requests wait in their order: who has it is at work and gives it back.
final class RequestMemory: Sendable {
    private struct Waiting {
        let bytes: Int
        let turn: CheckedContinuation<Void, Never>
    }

    private struct State {
        var arriving = 0
        var arrivingByAccount: [Name: Int] = [:]
        var working = 0
        var waiting: [Waiting] = []
    }

    private let state = Mutex(State())
    private let arrivingLimit: Int
    private let accountLimit: Int
    private let workingLimit: Int

    init(
        arriving: Int = GatewayServerLimits.arrivingBytes, ofOneAccount: Int = GatewayServerLimits.arrivingBytesOfOne,
        working: Int = GatewayServerLimits.workingBytes
    ) {
        arrivingLimit = arriving
        accountLimit = ofOneAccount
        workingLimit = working
    }

    /// Takes more for a request that has `held` so far; one alone is always let in.
    func take(_ bytes: Int, beyond held: Int, account: String) throws(GatewayError) {
        let refusal = state.withLock { state -> String? in
            let ofAccount = state.arrivingByAccount[Name(account)] ?? 0
            if ofAccount > held, ofAccount + bytes > accountLimit {
                return "Too many large requests of one user at once"
            }
            if state.arriving > held, state.arriving + bytes > arrivingLimit {
                return "Too many large requests at once"
            }
            state.arriving += bytes
            state.arrivingByAccount[Name(account)] = ofAccount + bytes
            return nil
        }
        if let refusal { throw GatewayError(503, refusal) }
    }

    func giveBack(_ bytes: Int, account: String) {
        state.withLock { state in
            state.arriving -= bytes
            let rest = (state.arrivingByAccount[Name(account)] ?? 0) - bytes
            state.arrivingByAccount[Name(account)] = rest > 0 ? rest : nil
        }
    }

    /// Waits until there is room to work on something that needs so many bytes; one alone always has it.
    func begin(_ bytes: Int) async {
        await withCheckedContinuation { turn in
            let isFree = state.withLock { state in
                guard state.waiting.isEmpty, fits(bytes, state) else {
                    state.waiting.append(Waiting(bytes: bytes, turn: turn))
                    return false
                }
                state.working += bytes
                return true
            }
            if isFree { turn.resume() }
        }
    }

    func end(_ bytes: Int) {
        let next = state.withLock { state -> [Waiting] in
            state.working -= bytes
            var count = 0
            while count < state.waiting.count, fits(state.waiting[count].bytes, state) {
                state.working += state.waiting[count].bytes
                count += 1
            }
            defer { state.waiting.removeFirst(count) }
            return Array(state.waiting.prefix(count))
        }
        for waiting in next { waiting.turn.resume() }
    }

    private func fits(_ bytes: Int, _ state: State) -> Bool {
        state.working == 0 || state.working + bytes <= workingLimit
    }
}

/// What one request's body takes, until it is answered.
final class RequestLoad: Sendable {
    private struct State {
        var account = ""
        var limit = Int.max
        var arrived = 0
        var working = 0
    }

    private let memory: RequestMemory
    private let state = Mutex(State())

    init(_ memory: RequestMemory) { self.memory = memory }

    deinit { end() }

    /// On whose account it goes.
    func charge(to account: String) { state.withLock { $0.account = account } }

    /// Where anybody may send a body it is a short one.
    func restrict(to limit: Int) { state.withLock { $0.limit = limit } }

    var limit: Int { state.withLock { $0.limit } }

    /// Notes how much has come. Short bodies are not counted: their number is bounded.
    func arrived(_ bytes: Int) throws(GatewayError) {
        let (held, account) = state.withLock { ($0.arrived, $0.account) }
        guard bytes > GatewayServerLimits.uncountedBody, bytes > held else { return }
        try memory.take(bytes - held, beyond: held, account: account)
        state.withLock { $0.arrived = bytes }
    }

    /// Waits for its turn to be worked on.
    func begin(on body: [UInt8]) async {
        guard body.count > GatewayServerLimits.uncountedBody else { return }
        let bytes = Self.work(body)
        await memory.begin(bytes)
        state.withLock { $0.working += bytes }
    }

    /// What the tree of a JSON text takes, and the copies made on the way: by its length and its values, whose number
    /// the signs between them tell.
    private static func work(_ body: [UInt8]) -> Int {
        var values = 0
        for byte in body where isSign(byte) { values += 1 }
        return GatewayServerLimits.workOfByte * body.count + GatewayServerLimits.workOfValue * values
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }

    func end() {
        let (arrived, working, account) = state.withLock { state in
            defer { (state.arrived, state.working) = (0, 0) }
            return (state.arrived, state.working, state.account)
        }
        if arrived > 0 { memory.giveBack(arrived, account: account) }
        if working > 0 { memory.end(working) }
    }
}
