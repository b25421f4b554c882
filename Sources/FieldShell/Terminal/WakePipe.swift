import Glibc

/// Two ends of a pipe, neither of which is ever waited for: makes a descriptor readable, also from a signal's handler.
struct WakePipe: Sendable {
    let end: Int32
    private let beginning: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (end, beginning) = (ends[0], ends[1])
    }

    /// - Parameter note: the byte for the reader.
    func wake(_ note: UInt8 = 1) {
        // A handler may run between a system call and the look at its error.
        let error = errno
        var byte = note
        _ = write(beginning, &byte, 1)
        errno = error
    }

    /// - Returns: the notes since this was last called, in their order.
    @discardableResult
    func drain() -> [UInt8] {
        var notes: [UInt8] = []
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while true {
            let count = read(end, &bytes, bytes.count)
            guard count > 0 else { return notes }
            notes += bytes.prefix(count)
        }
    }
}
