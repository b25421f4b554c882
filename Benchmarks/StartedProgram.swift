import Foundation
import Glibc

/// One run of a program from its start to its end, as a person waits for it.
struct StartedProgram {
    /// Milliseconds from the start until its first line was there; of a program without output until its end.
    let firstLine: Double
    /// Milliseconds from the start until it had ended.
    let end: Double
    /// Milliseconds that its threads have worked.
    let work: Double
    /// Megabytes in RAM at most, as far as it had output to write; 0 for a program without.
    let memory: Double

    /// Runs the program with its output to a pipe.
    init(_ program: String, _ arguments: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.failure("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let start = ContinuousClock.now
        let process = try Self.spawn([program] + arguments, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        let (seen, memory) = try Self.readAll(ends[0], of: process)
        var (status, usage): (Int32, rusage) = (0, rusage())
        guard wait4(process, &status, 0, &usage) == process else { throw Self.failure("wait4") }
        let stop = ContinuousClock.now
        guard status == 0 else { throw BenchmarkFailure("\(program) \(arguments) ended with \(status)") }
        firstLine = 1_000 * ((seen ?? stop) - start).inSeconds
        end = 1_000 * (stop - start).inSeconds
        work = Self.milliseconds(usage.ru_utime) + Self.milliseconds(usage.ru_stime)
        self.memory = memory
    }

    private static func spawn(_ command: [String], output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var arguments = command.map { strdup($0) } + [nil]
        var environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        guard posix_spawn(&process, command[0], &actions, nil, &arguments, &environment) == 0 else {
            throw failure("posix_spawn")
        }
        return process
    }

    /// Looks at the memory with each part of the output. The figure of `wait4` is at least the memory of the process that has
    /// started the other one.
    ///
    /// - Returns: when the first line had been written, `nil` if there was none.
    private static func readAll(
        _ descriptor: Int32, of process: pid_t
    ) throws -> (seen: ContinuousClock.Instant?, memory: Double) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var seen: ContinuousClock.Instant?
        var memory = 0.0
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw failure("read") }
            if count == 0 { return (seen, memory) }
            if seen == nil, buffer[..<count].contains(UInt8(ascii: "\n")) { seen = .now }
            // It may have ended already.
            memory = max(memory, (try? ProcessMemory.peak(process)) ?? 0)
        }
    }

    private static func milliseconds(_ time: timeval) -> Double {
        1_000 * Double(time.tv_sec) + Double(time.tv_usec) / 1_000
    }

    private static func failure(_ call: String) -> BenchmarkFailure {
        BenchmarkFailure("\(call): \(String(cString: strerror(errno)))")
    }
}
