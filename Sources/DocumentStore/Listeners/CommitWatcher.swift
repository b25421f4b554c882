import Dispatch
import Foundation
import Glibc

/// Notices that some process has written to a database folder, by inotify.
///
/// A notice can come before the commit is visible, and none follows, so the one who is notified looks again a few times
/// (`StoreLimits.visibilityRetries`); a slow timer makes up for a notice that is lost.
final class CommitWatcher: Sendable {
    // Unsafe only because Dispatch does not declare its sources Sendable; they are set once and may be cancelled from
    // any thread.
    private nonisolated(unsafe) let notices: any DispatchSourceRead
    private nonisolated(unsafe) let poll: any DispatchSourceTimer

    /// - Parameter notify: called on `queue`.
    init(folder: URL, queue: DispatchQueue, notify: @escaping @Sendable () -> Void) throws {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else {
            throw StoreError.posix(errno, message: "The folder cannot be watched.", file: folder)
        }
        guard inotify_add_watch(descriptor, folder.path, UInt32(IN_MODIFY | IN_CREATE)) >= 0 else {
            let code = errno
            close(descriptor)
            throw StoreError.posix(code, message: "The folder cannot be watched.", file: folder)
        }
        let notices = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        notices.setEventHandler {
            Self.drain(descriptor)
            notify()
        }
        notices.setCancelHandler { close(descriptor) }
        let poll = DispatchSource.makeTimerSource(queue: queue)
        poll.schedule(
            deadline: .now() + StoreLimits.safetyPoll, repeating: StoreLimits.safetyPoll, leeway: .milliseconds(200))
        poll.setEventHandler(handler: notify)
        self.notices = notices
        self.poll = poll
        notices.activate()
        poll.activate()
    }

    deinit {
        notices.cancel()
        poll.cancel()
    }

    /// What happened to which file does not matter: the database says what has changed.
    private static func drain(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
