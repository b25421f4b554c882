import Glibc

/// Reads a file that may be missing, and distinguishes that from a file that cannot be read.
package enum FileContent {
    /// Why a file that is there cannot be read.
    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        /// The system's number, such as EACCES.
        package let code: Int32

        /// `cannot be read: Permission denied (errno 13)`
        package var problem: String { "cannot be read: \(String(cString: strerror(code))) (errno \(code))" }
        package var description: String { "\(path) \(problem)" }
    }

    /// - Returns: `nil` if there is no such file.
    package static func bytes(_ path: String) throws(Failure) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(path: path, code: errno)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var portion = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &portion, portion.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(path: path, code: errno) }
            if count == 0 { return bytes }
            bytes += portion[..<count]
        }
    }
}
