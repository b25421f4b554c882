import Glibc

/// The inside of a worker process: reads trips from its standard input, which is a socket, and answers on it.
///
/// It holds no files, knows no secrets, and ends when the gateway does.
package enum SyncFunctionWorker {
    /// The argument by which the gateway's program becomes a worker.
    package static let command = "sync-function-worker"

    private static let socket: Int32 = 0

    /// - Parameter memory: bytes that it may use beyond its present ones.
    package static func run(memory: UInt) -> Never {
        // The gateway decides when a worker ends; signals of a terminal or a service manager are not meant for it.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        closeInheritedFiles()
        endWithGateway()
        limitMemory(to: memory)
        let greeting = WorkerTrip.greeting(unconfined: WorkerSandbox.enter())
        var channel = WorkerSocket(descriptor: socket)
        var machine = WorkerMachine()
        guard channel.write(greeting), channel.flush() else { exit(1) }
        while let bytes = channel.read() {
            guard let trip = try? WorkerTrip(reading: bytes) else { exit(1) }
            let start = ContinuousClock.now
            var gatheredSince = start
            machine.learn(trip.functions)
            guard let users = try? trip.users.map(WorkerUser.init(reading:)) else { exit(1) }
            for (index, call) in trip.calls.enumerated() {
                guard index == 0 || start.duration(to: .now) < SyncFunctionLimits.tripTime else {
                    guard channel.write(WorkerAnswer.pause) else { exit(1) }
                    break
                }
                guard channel.write(machine.answer(call, by: call.user.map { users[$0] }).bytes) else { exit(1) }
                let isLate = gatheredSince.duration(to: .now) > SyncFunctionLimits.gatheringTime
                guard isLate || trip.isCareful else { continue }
                guard channel.flush() else { exit(1) }
                gatheredSince = .now
            }
            guard channel.flush() else { exit(1) }
        }
        exit(0)
    }

    /// Watches the socket from a thread of its own: a function that runs for ever must not outlive the gateway.
    private static func endWithGateway() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                var watched = pollfd(fd: SyncFunctionWorker.socket, events: 0, revents: 0)
                while true {
                    let count = poll(&watched, 1, -1)
                    if count > 0, watched.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { _exit(0) }
                }
            }, nil)
        pthread_detach(thread)
    }

    /// The gateway marks its files as not to be inherited; files that a library opened without that mark are closed
    /// here.
    private static func closeInheritedFiles() {
        guard let folder = opendir("/proc/self/fd") else { return }
        var open: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if let descriptor = Int32(name), descriptor > 2 { open.append(descriptor) }
        }
        closedir(folder)
        for descriptor in open { close(descriptor) }
    }

    private static func limitMemory(to extra: UInt) {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &none)
        let bound = addressSpace() + extra
        var limit = rlimit(rlim_cur: bound, rlim_max: bound)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }

    /// Bytes of address space in use.
    private static func addressSpace() -> UInt {
        let file = open("/proc/self/statm", O_RDONLY)
        defer { close(file) }
        let pages = withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            return UInt(String(decoding: buffer.prefix(max(0, count)).prefix { $0 != 0x20 }, as: UTF8.self))
        }
        return (pages ?? 0) * UInt(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// The functions that a worker keeps. Each is compiled at its first call, so that an endless compilation is the fault
/// of that call.
private struct WorkerMachine {
    private enum Function {
        case new([UInt8])
        case ready(JavaScriptEngine)
        case unusable(String)
    }

    private var functions: [UInt32: Function] = [:]

    mutating func learn(_ new: [(number: UInt32, text: [UInt8])]) {
        for function in new { functions[function.number] = .new(function.text) }
    }

    mutating func answer(_ call: WorkerTrip.Call, by user: WorkerUser?) -> WorkerAnswer {
        switch functions[call.function] {
        case nil: return .failed("the worker does not know function \(call.function)")
        case .unusable(let text): return .unusable(text)
        case .ready(let engine): return run(call, by: user, on: engine)
        case .new(let text):
            do {
                let engine = try JavaScriptEngine(function: text)
                functions[call.function] = .ready(engine)
                return run(call, by: user, on: engine)
            } catch {
                // Out of memory does not mean that the function is unusable.
                guard !error.lackedMemory else { return .noMemory }
                functions[call.function] = .unusable(error.text)
                return .unusable(error.text)
            }
        }
    }

    private func run(_ call: WorkerTrip.Call, by user: WorkerUser?, on engine: JavaScriptEngine) -> WorkerAnswer {
        guard let document = call.document else { return .outcome([]) }
        let answer: WorkerAnswer
        do {
            answer = .outcome(
                try engine.run(document: document, oldDocument: call.oldDocument, meta: call.meta, user: user))
        } catch {
            answer = .failed(error.text)
        }
        return engine.lackedMemory && !answer.isDecision ? .noMemory : answer
    }
}
