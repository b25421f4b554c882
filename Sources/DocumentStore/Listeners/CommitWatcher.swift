import Dispatch
import Foundation
import Glibc

/// Notices by inotify that a process has written to a database folder.
///
/// A notice can come before the commit is visible, and none follows, so `ChangeHub` looks again a few times
/// (`StoreLimits.visibilityRetries`). A slow timer makes up for a lost notice, and for all of them where inotify is not
/// available.
final class CommitWatcher: Sendable {
    // Unsafe only because Dispatch does not declare its sources Sendable; they are set once and may be cancelled from
    // any thread.
    private nonisolated(unsafe) let notices: (any DispatchSourceRead)?
    private nonisolated(unsafe) let poll: any DispatchSourceTimer

    /// - Parameter notify: called on `queue`.
    convenience init(folder: URL, queue: DispatchQueue, notify: @escaping @Sendable () -> Void) throws {
        let descriptor = try FolderNotices.open(folder, of: UInt32(IN_MODIFY | IN_CREATE))
        self.init(descriptor, queue: queue, notify: notify)
    }

    /// - Parameter descriptor: of the system's notices; `nil` where there are none.
    init(_ descriptor: Int32?, queue: DispatchQueue, notify: @escaping @Sendable () -> Void) {
        let notices = descriptor.map { descriptor in
            let notices = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            notices.setEventHandler {
                Self.drain(descriptor)
                notify()
            }
            notices.setCancelHandler { close(descriptor) }
            return notices
        }
        let poll = DispatchSource.makeTimerSource(queue: queue)
        poll.schedule(
            deadline: .now() + StoreLimits.safetyPoll, repeating: StoreLimits.safetyPoll, leeway: .milliseconds(200))
        poll.setEventHandler(handler: notify)
        self.notices = notices
        self.poll = poll
        notices?.activate()
        poll.activate()
    }

    deinit {
        notices?.cancel()
        poll.cancel()
    }

    /// The content of a notice does not matter: the database itself shows the changes.
    private static func drain(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }
}
