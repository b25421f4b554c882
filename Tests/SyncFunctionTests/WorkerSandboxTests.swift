import DocumentValues
import Glibc
import Testing

@testable import SyncFunction

/// What a worker process may still do, and what ends it.
@Suite(.timeLimit(.minutes(1))) struct WorkerSandboxTests {
    /// Memory, time and an open socket are there; so the next test is ended by its call, and not by the cage itself.
    @Test func computingGoesOn() async {
        await #expect(processExitsWith: .exitCode(42)) {
            WorkerSandbox.enter()
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            localtime(&now.tv_sec)
            guard let block = malloc(32 << 20) else { _exit(1) }
            memset(block, 1, 32 << 20)
            free(block)
            _exit(42)
        }
    }

    @Test func aFileThatIsOpenedEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGSYS)) {
            WorkerSandbox.enter()
            _ = open("/etc/hostname", O_RDONLY)
            _exit(42)
        }
    }

    @Test func aSocketThatIsOpenedEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGSYS)) {
            WorkerSandbox.enter()
            _ = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            _exit(42)
        }
    }

    @Test func aProgramThatIsStartedEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGSYS)) {
            WorkerSandbox.enter()
            var identifier = pid_t()
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            _ = posix_spawn(&identifier, "/bin/true", nil, nil, &arguments, nil)
            _exit(42)
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
