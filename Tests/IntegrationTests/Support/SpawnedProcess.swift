import Foundation
import Glibc

/// A process whose standard streams are the files `in`, `out` and `err` of a folder.
///
/// Started by the system's call and not by Foundation's `Process`, which looks through the open files of this process while
/// other tests open and close theirs, and has crashed on that.
final class SpawnedProcess {
    let identifier: pid_t
    private var ended: Int32?
    /// As many files as the tests have open at once, and more.
    private static let descriptors: Int32 = 1024

    /// - Parameter command: the program's path, and its arguments.
    /// - Throws: the system's error.
    init(_ command: [String], environment: [String: String], filesIn folder: URL) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let files = [("in", O_RDONLY), ("out", O_WRONLY | O_CREAT), ("err", O_WRONLY | O_CREAT)]
        for (descriptor, file) in files.enumerated() {
            let path = folder.appendingPathComponent(file.0).path
            posix_spawn_file_actions_addopen(&actions, Int32(descriptor), path, file.1, 0o600)
        }
        // A port that a test has open would stay open for as long as the program runs.
        for descriptor in 3..<Self.descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, defaults) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&defaults)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // A group of its own: what is typed into the terminal of the tests is not for it.
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var started: pid_t = 0
        let error = posix_spawn(&started, command[0], &actions, &attributes, &arguments, &variables)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
        identifier = started
    }

    /// As a shell reports it, but for one that a signal has ended: the signal's number. `nil` while it runs.
    var status: Int32? {
        if let ended { return ended }
        var reported: Int32 = 0
        guard waitpid(identifier, &reported, WNOHANG) == identifier else { return nil }
        let signal = reported & 0x7F
        ended = signal == 0 ? (reported >> 8) & 0xFF : signal
        return ended
    }
}
