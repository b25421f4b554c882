import Glibc

/// The free space of a disk.
package enum FreeSpace {
    /// Bytes that this account may still write on the disk of a file or folder; `nil` where the system does not say.
    package static func bytes(at path: String) -> Int? {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { return nil }
        let (bytes, isTooLarge) = Int(facts.f_bavail).multipliedReportingOverflow(by: Int(facts.f_frsize))
        return isTooLarge ? .max : bytes
    }

    /// Whether two files or folders are on one disk; also true if the system does not say it for one of them.
    package static func isShared(by first: String, and second: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard stat(first, &one) == 0, stat(second, &other) == 0 else { return true }
        return one.st_dev == other.st_dev
    }
}
