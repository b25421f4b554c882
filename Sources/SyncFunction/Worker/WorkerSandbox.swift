import CDuktape
import Glibc

/// Removes the rights that the worker process does not need any more, before it gets the first document. A script
/// cannot reach files, programs or the network by itself, and a bug in the engine could not either.
enum WorkerSandbox {
    /// The socket and the two streams; no further file can be opened.
    private static let descriptors: rlim_t = 3

    /// Cannot be undone.
    ///
    /// - Returns: `nil`, or the error number for which system calls are not filtered (`ENOSYS` where the kernel has no
    ///   filters): then only the limits remain.
    static func enter() -> Int32? {
        readTimeZone()
        limit(RLIMIT_NOFILE, to: descriptors)
        limit(__RLIMIT_NPROC, to: 0)
        let error = fieldbook_allow_computing_only()
        return error == 0 ? nil : error
    }

    /// `Date` needs it. If the file changes later, the next access to it ends the process, and a new worker reads it.
    private static func readTimeZone() {
        var now = time(nil)
        localtime(&now)
    }

    private static func limit(_ resource: __rlimit_resource, to count: rlim_t) {
        var limit = rlimit(rlim_cur: count, rlim_max: count)
        _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
