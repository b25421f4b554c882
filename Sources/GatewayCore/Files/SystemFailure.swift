import Foundation
import Glibc

/// Why the system has refused a call on a file, out of an error of Foundation's.
package struct SystemFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// `nil` where the error does not name it.
    package let path: String?
    /// The system's number, such as `EACCES`.
    package let code: Int32

    package init(path: String?, code: Int32) {
        self.path = path
        self.code = code
    }

    /// `nil` for errors that are not the system's.
    package init?(_ error: any Error) {
        switch error {
        case let error as SystemFailure: self = error
        case let error as FileContent.Failure: self.init(path: error.path, code: error.code)
        default:
            guard let code = Self.code(of: error) else { return nil }
            let facts = (error as NSError).userInfo
            self.init(
                path: facts[NSFilePathErrorKey] as? String ?? (facts[NSURLErrorKey] as? URL)?.path, code: code)
        }
    }

    /// The system's text: `Permission denied`
    package var reason: String { String(cString: strerror(code)) }

    /// `/var/data/db: Permission denied`
    package var description: String { (path.map { "\($0): " } ?? "") + reason }

    private static func code(of error: any Error) -> Int32? {
        if let error = error as? POSIXError { return error.code.rawValue }
        let known = error as NSError
        if known.domain == NSPOSIXErrorDomain { return Int32(known.code) }
        if let cause = known.userInfo[NSUnderlyingErrorKey] as? any Error, let number = code(of: cause) {
            return number
        }
        switch (error as? CocoaError)?.code {
        case .fileWriteOutOfSpace: return ENOSPC
        case .fileWriteVolumeReadOnly: return EROFS
        case .fileWriteNoPermission, .fileReadNoPermission: return EACCES
        case .fileNoSuchFile, .fileReadNoSuchFile: return ENOENT
        default: return nil
        }
    }
}
