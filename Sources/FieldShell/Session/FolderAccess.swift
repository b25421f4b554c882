import DocumentValues
import FieldRecords
import Foundation
import Glibc

/// A folder that its permissions hide looks like one that is not there.
enum FolderAccess {
    /// - Throws: `FolderAccessError` if the folder's permissions keep the user out.
    static func check(_ folder: FieldFolder) throws(FolderAccessError) {
        guard access(folder.settingsFile.path, R_OK) != 0, errno == EACCES else { return }
        throw FolderAccessError(path: folder.url.path)
    }
}

/// The folder may be there, but this user may not look into it.
struct FolderAccessError: UserFacingError {
    let path: String

    var description: String {
        "You may not open the folder \(path): it belongs to another user, or its permissions are wrong. "
            + "See them with: ls -ld '\(path)'"
    }
}
