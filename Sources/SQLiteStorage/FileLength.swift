import Glibc

/// The length of a file.
package enum FileLength {
    /// The system does not say it, for the reason `number`, an `errno`.
    package struct Failure: Error {
        package let number: Int32
    }

    /// - Returns: bytes; `nil` if there is no such file.
    package static func bytes(of path: String) throws(Failure) -> Int? {
        var status = stat()
        if stat(path, &status) == 0 { return Int(status.st_size) }
        let number = errno
        guard number == ENOENT else { throw Failure(number: number) }
        return nil
    }
}
