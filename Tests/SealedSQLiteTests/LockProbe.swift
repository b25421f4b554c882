import Foundation

/// Asks the system for the locks of a file; a process does not see its own by a call.
enum LockProbe {
    /// Whether a process holds a lock on a part of the file.
    static func isLocked(_ path: String) throws -> Bool {
        let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64 ?? 0
        let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
        return locks.split(separator: "\n").contains { $0.contains("POSIX") && $0.contains(":\(number) ") }
    }
}
