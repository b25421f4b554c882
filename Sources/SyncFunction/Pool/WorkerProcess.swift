import DocumentValues
import Foundation
import Glibc

/// The gateway's handle of a worker process: starts it, talks to it over a socket, and kills it if necessary.
///
/// One thread at a time uses it.
final class WorkerProcess {
    /// Why a conversation ended before every call was answered.
    enum Failure: Error {
        /// The next call has used up its share of time, and others need the worker.
        case cut
        case tooSlow, gone
    }

    let confinement: WorkerConfinement
    let child: ChildProcess
    private let processTime: ProcessTime
    private var socket: FramedSocket
    /// A worker has an engine for each key: databases with the same function do not share one.
    private struct EngineKey: Hashable {
        let database: Name
        let function: SyncFunctionSource
    }

    private var numbers: [EngineKey: UInt32] = [:]
    /// Of the last call: most calls follow one with the same function, and comparing a text with itself takes no time,
    /// while hashing does.
    private var last: (key: EngineKey, number: UInt32)?

    /// Starts the program and waits for its greeting.
    init(executable: String, memory: UInt) throws(SyncFunctionError) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw SyncFunctionError(.cannotStart, detail: String(cString: strerror(errno)))
        }
        do {
            child = ChildProcess(try Self.spawn(executable, memory: memory, socket: ends[1]))
        } catch {
            close(ends[0])
            close(ends[1])
            throw error
        }
        processTime = ProcessTime(of: child.identifier)
        // Held by the worker alone, so that its end is noticed.
        close(ends[1])
        socket = FramedSocket(descriptor: ends[0])
        do throws(Failure) {
            guard let greeting = try socket.receive(within: SyncFunctionLimits.startTime),
                let confinement = WorkerTrip.confinement(greeting: greeting)
            else { throw .gone }
            self.confinement = confinement
        } catch {
            socket.close()
            child.end()
            throw SyncFunctionError(.noGreeting, detail: executable)
        }
    }

    deinit { end() }

    /// How long it has computed.
    var work: Duration { processTime.now }

    /// Whether it holds so many functions that it is better replaced.
    var isFull: Bool { numbers.count >= SyncFunctionLimits.functionsPerWorker }

    /// Sends calls and gathers the answers, in order; there are fewer answers than calls if it failed, or if the worker
    /// did not begin all of them.
    ///
    /// - Parameters:
    ///   - limit: for a call that has no time of its own.
    ///   - cut: for every call, if that is less; see `CallTimeout`.
    func answers(
        to calls: ArraySlice<PendingCall>, isCareful: Bool, within limit: Duration, cutAfter cut: Duration?
    ) -> (answers: [WorkerAnswer], failure: Failure?) {
        var answers: [WorkerAnswer] = []
        do throws(Failure) {
            socket.queue(trip(calls, isCareful: isCareful).bytes)
            for call in calls {
                let bytes = try receive(with: CallTimeout(for: call, within: limit, cutAfter: cut))
                guard bytes != WorkerAnswer.pause else { break }
                guard let answer = try? WorkerAnswer(reading: bytes) else { throw .gone }
                answers.append(answer)
            }
        } catch {
            return (answers, error)
        }
        return (answers, nil)
    }

    private func receive(with timeout: CallTimeout) throws(Failure) -> [UInt8] {
        // Most answers arrive together with others.
        if let message = try socket.takeMessage() { return message }
        let (start, workBefore) = (ContinuousClock.now, work)
        while true {
            switch timeout.verdict(after: start.duration(to: .now), worked: work - workBefore) {
            case .wait(let time):
                if let message = try socket.receive(within: time) { return message }
            case .cut: throw .cut
            case .tooSlow: throw .tooSlow
            }
        }
    }

    private func trip(_ calls: ArraySlice<PendingCall>, isCareful: Bool) -> WorkerTrip {
        var trip = WorkerTrip()
        trip.isCareful = isCareful
        for call in calls {
            if let user = call.user, user.bytes != trip.users.last { trip.users.append(user.bytes) }
            trip.calls.append(
                WorkerTrip.Call(
                    function: number(of: call, &trip), document: call.document, oldDocument: call.oldDocument,
                    meta: call.meta, user: call.user == nil ? nil : trip.users.count - 1))
        }
        return trip
    }

    private func number(of call: PendingCall, _ trip: inout WorkerTrip) -> UInt32 {
        let key = EngineKey(database: call.database, function: call.function)
        if let last, last.key == key { return last.number }
        let number = numbers[key] ?? UInt32(numbers.count)
        if numbers.updateValue(number, forKey: key) == nil {
            trip.functions.append((number, Array(call.function.text.utf8)))
        }
        last = (key, number)
        return number
    }

    private var hasEnded = false

    /// Kills the process; further output is ignored.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        socket.close()
        child.end()
    }

    /// Starts the program as a worker, with the socket as standard input; it closes all other files.
    private static func spawn(
        _ executable: String, memory: UInt, socket: Int32
    ) throws(SyncFunctionError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments = CStrings(["fieldbook-gateway", SyncFunctionWorker.command, "--memory", String(memory)])
        // The environment may hold secrets; a worker needs only to find its libraries.
        let path = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        let environment = CStrings(path.map { ["LD_LIBRARY_PATH=\($0)"] } ?? [])
        var identifier = pid_t()
        let status = posix_spawn(
            &identifier, executable, &actions, &attributes, arguments.pointers, environment.pointers)
        guard status == 0 else {
            throw SyncFunctionError(.cannotStart, detail: "\(executable): \(String(cString: strerror(status)))")
        }
        return identifier
    }
}

/// Texts in the form of C: a list of pointers that ends with a null.
private final class CStrings {
    private(set) var pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) { pointers = texts.map { strdup($0) } + [nil] }

    deinit { for pointer in pointers { free(pointer) } }
}
