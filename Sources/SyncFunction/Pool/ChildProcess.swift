import Glibc
import Synchronization

/// A process that was started here, and that any thread may end. This is safe, because no other process gets its number
/// before its end was waited for.
final class ChildProcess: Sendable {
    let identifier: pid_t
    private let hasEnded = Mutex(false)

    init(_ identifier: pid_t) { self.identifier = identifier }

    /// Threads that wait for its answers notice the end of its pipe.
    func kill() {
        hasEnded.withLock { hasEnded in
            if !hasEnded { Glibc.kill(identifier, SIGKILL) }
        }
    }

    /// Ends it, and waits for that.
    func end() {
        hasEnded.withLock { hasEnded in
            guard !hasEnded else { return }
            Glibc.kill(identifier, SIGKILL)
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            hasEnded = true
        }
    }
}
