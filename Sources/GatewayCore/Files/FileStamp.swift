// Whichever of these a build reads first has the members of `stat`.
import CoreFoundation
import Foundation
import Glibc

/// Identifies a version of a file. A new owner or new permissions change it, too, because the file may then be readable.
package struct FileStamp: Equatable {
    private let numbers: [Int]

    /// `nil` if there is no file. For a link it is that of the link's target.
    package init?(path: String) {
        guard let numbers = Self.numbers(of: path) else { return nil }
        self.numbers = numbers
    }

    private static func numbers(of path: String) -> [Int]? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let (modified, changed) = (status.st_mtim, status.st_ctim)
        return [
            Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino), Int(status.st_size),
            modified.tv_sec, modified.tv_nsec, changed.tv_sec, changed.tv_nsec,
        ]
    }
}
