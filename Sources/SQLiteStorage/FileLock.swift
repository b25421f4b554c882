import Glibc
import Synchronization

/// A lock between processes on a file; held until it is released, or until the process ends in any way.
package final class FileLock: Sendable {
    package enum Mode: Sendable {
        /// Other holders may have it at the same time.
        case shared
        case exclusive
    }

    private let descriptor: Mutex<Int32?>
    private let mode: Mode

    private init(descriptor: Int32, mode: Mode) {
        self.descriptor = Mutex(descriptor)
        self.mode = mode
    }

    deinit { release() }

    package func release() {
        let held = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let held { close(held) }
    }

    /// Whether no other process, and no other holder in this one, has the lock. The caller keeps others from taking it
    /// exclusively until this returns: the system lets go of a lock that it changes, for a moment.
    package func isHeldHereAlone() throws(FileLockError) -> Bool {
        guard let held = descriptor.withLock({ $0 }) else { return false }
        let isAlone = try Self.lockOpenFile(held, mode: .exclusive)
        guard try Self.lockOpenFile(held, mode: mode) else { return false }
        return isAlone
    }

    /// Microseconds between two tries to take a lock: the system has no wait with a timeout, and a person notices none of it.
    private static let pauseOfTaking: UInt32 = 5_000

    /// Takes the lock, or returns `nil` if another process (or another holder in this one) has kept it for `timeout`.
    /// The file is made if there is none, for its owner alone.
    package static func take(
        _ path: String, mode: Mode, timeout: Duration = .zero
    ) throws(FileLockError) -> FileLock? {
        let descriptor = try open(path, flags: O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW)
        let lock = FileLock(descriptor: descriptor, mode: mode)
        let deadline = ContinuousClock.now + timeout
        while try !lockOpenFile(descriptor, mode: mode) {
            guard .now < deadline else { return nil }
            usleep(pauseOfTaking)
        }
        return lock
    }

    /// Takes the lock of a folder itself, so that no file is made for it, or returns `nil` if another holder has it.
    package static func take(folder path: String) throws(FileLockError) -> FileLock? {
        let descriptor = try open(path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        let lock = FileLock(descriptor: descriptor, mode: .exclusive)
        return try lockOpenFile(descriptor, mode: .exclusive) ? lock : nil
    }

    /// Takes the lock of a file that is open, which is held until the file is closed.
    ///
    /// - Returns: false if another holder has it.
    package static func lockOpenFile(_ descriptor: Int32, mode: Mode) throws(FileLockError) -> Bool {
        let operation = (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
        while flock(descriptor, operation) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw FileLockError(step: .lock, code: errno) }
        }
        return true
    }

    private static func open(_ path: String, flags: Int32) throws(FileLockError) -> Int32 {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileLockError(step: .open, code: errno) }
        return descriptor
    }
}

/// Why a lock could not even be tried.
package struct FileLockError: Error, Hashable {
    package enum Step: Sendable {
        case open, lock
    }

    package let step: Step
    /// `errno`
    package let code: Int32

    package init(step: Step, code: Int32) {
        self.step = step
        self.code = code
    }

    package var reason: String { String(cString: strerror(code)) }
}
