import Foundation
import Glibc

/// By what a file is known to be another one than before, or one that may be readable by now: a new owner or new permissions
/// change it, too.
package struct FileStamp: Equatable {
    private let device: UInt
    private let number: UInt
    private let size: Int
    private let modified: Moment
    private let changed: Moment

    private struct Moment: Equatable {
        let seconds: Int
        let nanoseconds: Int

        init(_ time: timespec) {
            seconds = time.tv_sec
            nanoseconds = time.tv_nsec
        }
    }

    /// `nil` if there is no file. Behind a link it is the link's target that changes.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        number = UInt(status.st_ino)
        size = Int(status.st_size)
        modified = Moment(status.st_mtim)
        changed = Moment(status.st_ctim)
    }
}
