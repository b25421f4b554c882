import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Replication

/// Any error as one message for a person: what happened, to what, and what to do.
public enum ErrorWords {
    public static func text(_ error: any Error) -> String {
        switch error {
        case let error as ReplicationError: return words(error)
        case let error as RecordError: return words(error)
        case let error as any CustomStringConvertible where isOurs(error): return error.description
        default: return words(error as NSError)
        }
    }

    /// 2 for wrong use, 1 for everything else.
    public static func exitStatus(_ error: any Error) -> Int32 { error is UsageError ? 2 : 1 }

    private static func isOurs(_ error: Any) -> Bool {
        error is UsageError || error is StoreError || error is SettingsError || error is ImportError
            || error is RecordActionError || error is NotFoundError || error is SecretError || error is FieldProblem
    }

    private static func words(_ error: ReplicationError) -> String {
        switch error.code {
        case CBLError.httpAuthRequired:
            return "The gateway does not accept your name and password, or has no such database (401). "
                + "Sign in again: login"
        case CBLError.httpForbidden:
            return "The gateway does not let you in (403): \(error.message). Ask its administrator."
        case CBLError.httpNotFound:
            return "The gateway does not know this database or its collections (404): \(error.message). "
                + "Check the address you signed in with: status"
        case CBLError.tlsCertUnknownRoot:
            return
                "The gateway's certificate is signed by nobody your system knows. If that is right, sign in again with "
                + "--self-signed or --pinned-cert FILE. Nothing was sent."
        default:
            if error.domain == ReplicationError.posixDomain || error.isTransient || error.dependsOnNetwork {
                return "The gateway cannot be reached: \(error)"
            }
            return error.description
        }
    }

    private static func words(_ error: RecordError) -> String {
        let name = "\(error.kind.rawValue) \(RecordReference.short(error.id, error.kind))"
        guard error.problems.count > 1 else { return "The \(name) is not saved: \(error.problems[0])." }
        return "The \(name) is not saved:\n" + error.problems.map { "  \($0)" }.joined(separator: "\n")
    }

    private static func words(_ error: NSError) -> String {
        if error.domain == NSCocoaErrorDomain, error.code == CocoaError.fileWriteOutOfSpace.rawValue {
            return "The disk is full. Make room, then try again; what was saved before is safe."
        }
        let path = error.userInfo[NSFilePathErrorKey] as? String
        return error.localizedDescription + (path.map { " (\($0))" } ?? "")
    }
}
