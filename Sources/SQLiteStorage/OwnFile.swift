import Glibc

/// A file that the program keeps in a folder of its own. There it is a regular one: who may write to the folder could put a
/// pipe in its stead, on which opening waits for ever, or a link, through which a file elsewhere would be changed.
package enum OwnFile {
    /// Opens a file, and refuses any but a regular one.
    ///
    /// - Parameter flags: of the system's `open`; those that keep it from waiting and from following a link are added. A file
    ///   that is made is for its owner alone.
    /// - Throws: also where there is no such file.
    package static func open(_ path: String, flags: Int32) throws(OwnFileError) -> Int32 {
        let descriptor = Glibc.open(path, flags | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let number = errno
            // A link, and a pipe without a reader.
            throw [ELOOP, ENXIO].contains(number) ? OwnFileError.notRegular : OwnFileError.system(number)
        }
        do throws(OwnFileError) { try check(descriptor) } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func check(_ descriptor: Int32) throws(OwnFileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw OwnFileError.system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw OwnFileError.notRegular }
    }

    /// Refuses any but a regular file, without opening it: the system drops the locks of a process on a file with each
    /// descriptor for reading or writing that it closes.
    ///
    /// - Returns: false if there is nothing.
    @discardableResult
    package static func check(_ path: String) throws(OwnFileError) -> Bool {
        try withPath(path) { _ throws(OwnFileError) in }
    }

    /// Makes a file readable for its owner alone, if there is one.
    package static func keepPrivate(_ path: String) throws(OwnFileError) {
        _ = try withPath(path) { descriptor throws(OwnFileError) in
            // Such a descriptor takes no change of the mode itself.
            guard chmod("/proc/self/fd/\(descriptor)", 0o600) == 0 else { throw OwnFileError.system(errno) }
        }
    }

    private static func withPath(
        _ path: String, body: (Int32) throws(OwnFileError) -> Void
    ) throws(OwnFileError) -> Bool {
        let descriptor = Glibc.open(path, pathOnly | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let number = errno
            guard number == ENOENT else { throw OwnFileError.system(number) }
            return false
        }
        defer { close(descriptor) }
        try check(descriptor)
        try body(descriptor)
        return true
    }

    /// `O_PATH`, which Swift does not import.
    private static let pathOnly: Int32 = 0o10000000
}

/// Why a file was not opened.
package enum OwnFileError: Error, Hashable {
    /// It is a link, a pipe, a folder or a device.
    case notRegular
    /// `errno`
    case system(Int32)
}
