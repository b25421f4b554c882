import Glibc

/// What a disk has left.
package enum FreeSpace {
    /// Bytes that this account may still write on the disk of a file or folder; `nil` where the system does not say.
    package static func bytes(at path: String) -> Int? {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { return nil }
        let (bytes, isTooLarge) = Int(facts.f_bavail).multipliedReportingOverflow(by: Int(facts.f_frsize))
        return isTooLarge ? .max : bytes
    }
}
