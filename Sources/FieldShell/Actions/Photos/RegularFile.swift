import FieldRecords
import Foundation
import Glibc

/// Devices and pipes have no end, or hold nothing until somebody writes: none is a photo.
enum RegularFile {
    static func check(_ path: String) throws(UsageError) {
        var status = stat()
        // What is not there, and what is a folder, the attaching itself explains.
        guard stat(HomeFolder.expanding(path), &status) == 0 else { return }
        let type = status.st_mode & S_IFMT
        guard type == S_IFREG || type == S_IFDIR else {
            throw UsageError("\(path) is a device or a pipe, not a file that could be attached.")
        }
    }
}
