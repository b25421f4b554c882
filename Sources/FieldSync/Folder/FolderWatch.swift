import Dispatch
import DocumentStore
import Foundation
import Glibc

/// Reports which files of a folder have been written or put there, by inotify.
final class FolderWatch: Sendable {
    // Unsafe only because Dispatch does not declare its sources Sendable; any thread may cancel one.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// - Parameter notify: gets a file's name; called on a queue of the watch's own.
    init(_ folder: URL, notify: @escaping @Sendable (String) -> Void) throws {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else {
            throw StoreError.posix(errno, message: "The folder cannot be watched.", file: folder)
        }
        guard inotify_add_watch(descriptor, folder.path, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE)) >= 0 else {
            let code = errno
            close(descriptor)
            throw StoreError.posix(code, message: "The folder cannot be watched.", file: folder)
        }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "fieldbook.folder-watch"))
        source.setEventHandler { Self.names(descriptor).forEach(notify) }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

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
