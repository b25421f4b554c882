import Foundation
import Glibc
import Synchronization

/// Keeps a second gateway, and a restoration, away from a storage folder for as long as it is held. The kernel frees it
/// when the process ends, however it ends.
package final class StorageLock: Sendable {
    private let descriptor: Mutex<Int32>

    package init(storage path: String) throws(ConfigurationError) {
        let file = path + "/.lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ConfigurationError(path, problem: "cannot be written: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw ConfigurationError(
                path, problem: "is in use by a gateway that is running",
                hint: "Stop it first, or use another storage.path")
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit { release() }

    package func release() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            close(descriptor)
            descriptor = -1
        }
    }
}
