import Dispatch
import DocumentStore
import Foundation
import Glibc

/// Reports which files of a folder have been written or added: by inotify, or by polling if the user's other programs have
/// used up the system's limit.
final class FolderWatch: Sendable {
    // Unsafe only because Dispatch does not declare its sources Sendable; any thread may cancel one.
    private nonisolated(unsafe) let source: any DispatchSourceProtocol

    /// - Parameter notify: gets a file's name; called on a queue of the watch's own.
    convenience init(_ folder: URL, notify: @escaping @Sendable (String) -> Void) throws {
        let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE)
        if let descriptor = try FolderNotices.open(folder, of: events) {
            self.init(descriptor, notify: notify)
        } else {
            try self.init(lookingAt: folder, notify: notify)
        }
    }

    private init(_ descriptor: Int32, notify: @escaping @Sendable (String) -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue())
        source.setEventHandler { Self.names(descriptor).forEach(notify) }
        source.setCancelHandler { close(descriptor) }
        self.source = source
        source.activate()
    }

    /// Polls the folder every second.
    init(lookingAt folder: URL, notify: @escaping @Sendable (String) -> Void) throws {
        let files = try FolderFiles(folder)
        let source = DispatchSource.makeTimerSource(queue: Self.queue())
        source.schedule(deadline: .now() + ServiceLimits.folderLook, repeating: ServiceLimits.folderLook)
        source.setEventHandler { files.changed().forEach(notify) }
        self.source = source
        source.activate()
    }

    private static func queue() -> DispatchQueue { DispatchQueue(label: "fieldbook.folder-watch") }

    deinit { source.cancel() }

    func cancel() { source.cancel() }

    /// Names in the order in which they came, each once.
    private static func names(_ descriptor: Int32) -> [String] {
        var names: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return names }
            for name in Self.names(in: buffer[..<count]) where !names.contains(name) { names.append(name) }
        }
    }

    /// Each notice is a head of 16 bytes, the last four of which are the length of the name that follows, filled up
    /// with zeros.
    static func names(in bytes: ArraySlice<UInt8>) -> [String] {
        var names: [String] = []
        var rest = bytes
        while rest.count >= 16 {
            let head = Array(rest.prefix(16))
            let length = head[12...].enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
            rest = rest.dropFirst(16)
            guard length <= rest.count else { break }
            let name = rest.prefix(length).prefix { $0 != 0 }
            if !name.isEmpty { names.append(String(decoding: name, as: UTF8.self)) }
            rest = rest.dropFirst(length)
        }
        return names
    }
}
