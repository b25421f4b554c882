import Glibc
import Synchronization

/// Which databases are sealed, by their paths, and with which keys. SQLite opens files by their paths alone, on any thread.
enum KeyedFiles {
    private struct Entry {
        let sealing: FileSealing
        var uses: Int
    }

    private static let entries = Mutex<[[UInt8]: Entry]>([:])

    /// - Returns: whether the path is free for this key: no other one is in use for it.
    static func add(_ sealing: FileSealing, path: [UInt8]) -> Bool {
        entries.withLock { entries in
            if let present = entries[path] {
                // A new object for the same file has keys of its own, which are the same.
                guard present.sealing.head == sealing.head else { return false }
                entries[path] = Entry(sealing: present.sealing, uses: present.uses + 1)
            } else {
                entries[path] = Entry(sealing: sealing, uses: 1)
            }
            return true
        }
    }

    static func remove(path: [UInt8]) {
        entries.withLock { entries in
            guard let present = entries[path] else { return }
            entries[path] = present.uses > 1 ? Entry(sealing: present.sealing, uses: present.uses - 1) : nil
        }
    }

    /// Of the database at a path.
    static func sealing(at path: UnsafePointer<CChar>) -> FileSealing? {
        let bytes = Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
        return entries.withLock { $0[bytes]?.sealing }
    }
}
