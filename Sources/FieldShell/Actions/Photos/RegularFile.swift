import FieldRecords
import Foundation
import Glibc

/// Devices and pipes have no end, or are empty until another process writes: none is a photo.
enum RegularFile {
    static func check(_ path: String) throws(UsageError) {
        var status = stat()
        // For a missing file or a folder the attaching itself reports the reason.
        guard stat(HomeFolder.expanding(path), &status) == 0 else { return }
        let type = status.st_mode & S_IFMT
        guard type == S_IFREG || type == S_IFDIR else {
            throw UsageError("\(path) is a device or a pipe, not a file that could be attached.")
        }
    }
}
