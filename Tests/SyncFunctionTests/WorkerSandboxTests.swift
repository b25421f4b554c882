import DocumentValues
import Glibc
import Testing

@testable import SyncFunction

/// What keeps a worker from files, sockets and programs, and what ends it. That it goes on computing is shown by every test
/// with a real worker: the process of a test has threads of its own, which start others whenever they like.
@Suite(.timeLimit(.minutes(1))) struct WorkerSandboxTests {
    /// Beside the limits, which hold without it, too: not for root, and for nothing but new files and processes.
    @Test func aWorkerReportsThatItsSystemCallsAreFiltered() throws {
        let worker = try WorkerProcess(executable: WorkerExecutable.path, memory: SyncFunctionLimits().memory)
        defer { worker.end() }
        #expect(worker.confinement == .confined)
    }

    @Test(arguments: [nil, ENOSYS, EPERM]) func greetingsNameTheReason(error: Int32?) {
        let known = WorkerTrip.confinement(greeting: WorkerTrip.greeting(unconfined: error))
        #expect(known == error.map { .unconfined(error: $0) } ?? .confined)
        #expect(WorkerTrip.confinement(greeting: Array("fieldbook sync-function worker 5 unconfined x".utf8)) == nil)
        #expect(WorkerTrip.confinement(greeting: []) == nil)
    }

    @Test func aFileThatIsOpenedEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGSYS)) {
            _ = WorkerSandbox.enter()
            _ = open("/etc/hostname", O_RDONLY)
            _exit(42)
        }
    }

    @Test func aSocketThatIsOpenedEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGSYS)) {
            _ = WorkerSandbox.enter()
            _ = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            _exit(42)
        }
    }

    @Test func aProgramThatIsRunEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGSYS)) {
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            _ = WorkerSandbox.enter()
            execve("/bin/true", &arguments, nil)
            _exit(42)
        }
    }

    /// A library may start a thread at any time; the calls that are under way go on.
    @Test func aThreadThatIsStartedIsRefused() async {
        await #expect(processExitsWith: .exitCode(42)) {
            _ = WorkerSandbox.enter()
            var thread = pthread_t()
            let status = pthread_create(&thread, nil, { _ in nil }, nil)
            _exit(status == EAGAIN ? 42 : 1)
        }
    }

    @Test func aProcessThatIsStartedIsRefused() async {
        await #expect(processExitsWith: .exitCode(42)) {
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            _ = WorkerSandbox.enter()
            var identifier = pid_t()
            let status = posix_spawn(&identifier, "/bin/true", nil, nil, &arguments, nil)
            _exit(status == EAGAIN ? 42 : 1)
        }
    }

    /// Dates know their time zone, for which the C library would look at a file.
    @Test func functionsHaveDates() async throws {
        let function = """
            function(doc) {
                var d = new Date(2026, 5, 1, 12);
                channel('h' + d.getHours(), 'y' + new Date(doc.t).getFullYear());
                if (Date.now() < 1e12 || !(d.getTimezoneOffset() < 1000)) throw({forbidden: 'no time'});
            }
            """
        let outcome = try await Trial(function: function, document: #"{"t":"2027-06-01T12:00:00Z"}"#).outcome()
        #expect(outcome == SyncFunctionOutcome(channels: ["h12", "y2027"]))
    }
}
