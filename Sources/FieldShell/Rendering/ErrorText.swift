import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation
import Replication

/// Any error as one message for a person: what happened, to what, and what to do.
public enum ErrorText {
    public static func text(_ error: any Error) -> String { text(error, spelling: .program(folder: nil)) }

    /// - Parameter spelling: of the commands that the message names.
    static func text(_ error: any Error, spelling: CommandSpelling) -> String {
        AdviceText.text(advised(error), spelling: spelling)
    }

    /// For a text that is kept: where it will be read is not known yet.
    static func advised(_ error: any Error) -> AdvisedText {
        switch error {
        case let error as GatewayUnreached: advised(error)
        case let error as SyncProblem: error.advised
        case let error as any AdvisingError: error.advised
        default: AdvisedText(text: plain(error))
        }
    }

    private static func plain(_ error: any Error) -> String {
        switch error {
        case let error as ReplicationError: text(error)
        case let error as RecordError: text(error)
        // The name of our file that had no space does not help the user to free some.
        case let error as StoreError where error.code == .diskFull:
            [error.message, error.hint].compactMap(\.self).joined(separator: " ")
        case let error as any UserFacingError: error.description
        default: text(error as NSError)
        }
    }

    /// 2 for wrong use, 130 for Ctrl-C, 1 for everything else.
    public static func exitStatus(_ error: any Error) -> Int32 {
        switch error {
        case is UsageError: 2
        case is Stopped: ShellLimits.interruptedStatus
        default: 1
        }
    }

    static let unknownLogin = "The gateway does not accept your name and password, or has no such database (401)."

    private static func text(_ error: ReplicationError) -> String {
        let reason = sentence(error.message.printableLine)
        switch error.code {
        case CBLError.httpAuthRequired:
            return "\(unknownLogin) Sign in again: login"
        case CBLError.httpForbidden:
            return "The gateway does not let you in (403): \(reason) Ask its administrator."
        case CBLError.webSocketAbnormalClose: return "The connection to the gateway is broken."
        case CBLError.httpNotFound:
            return "The gateway has no field database of that name (404): \(reason) "
                + "Check the address, or ask its administrator."
        case CBLError.httpBase + 507:
            return "The gateway has no room left (507): \(reason) Report it to its administrator. "
                + "Your records are safe here; sync again later."
        case CBLError.httpBase + 429:
            return "The gateway makes you wait (429): \(reason) Your records are safe here; try again later. "
                + "If it stays so, check your name and password: login"
        case CBLError.httpBase + 500..<CBLError.httpBase + 600:
            return "The gateway is there, but cannot take your records now "
                + "(\(error.code - CBLError.httpBase)): \(reason) "
                + "Your records are safe here; sync again later. If it stays so, report it to its administrator."
        case CBLError.tlsCertUnknownRoot:
            return "\(reason) If that is right, trust it: login shows its fingerprint and asks, or takes "
                + "--pinned-cert FILE. Nothing was sent."
        case CBLError.tlsCertUntrusted:
            return "\(reason) The gateway may have a new certificate, or somebody is in between: ask its "
                + "administrator. To trust it, sign in again: login shows its fingerprint and asks. Nothing was sent."
        default:
            if error.isDiskFull {
                return "The disk of this computer is full. Free some space, then sync again: what has come until now "
                    + "is stored, and it goes on from there."
            }
            if error.isEndOfConnection { return "The gateway has ended the connection: \(reason)" }
            return error.isOfNetwork ? "The gateway cannot be reached: \(reason)" : sentence(error.description)
        }
    }

    private static func advised(_ error: GatewayUnreached) -> AdvisedText {
        guard let cause = error.cause as? ReplicationError, cause.isOfNetwork else { return advised(error.cause) }
        return "\(text(cause)) \(error.advice)"
    }

    /// With a full stop: reasons come from systems and gateways, which end theirs or not.
    static func sentence(_ text: String) -> String {
        let text = text.trimmingSpaces
        guard let last = text.last, !".!?".contains(last) else { return text }
        return text + "."
    }

    private static func text(_ error: RecordError) -> String {
        let name = "\(error.kind.rawValue) \(RecordReference.short(error.id, kind: error.kind))"
        guard error.problems.count > 1 else { return "The \(name) was not saved: \(error.problems[0])." }
        return "The \(name) was not saved:\n" + error.problems.map { "  \($0)" }.joined(separator: "\n")
    }

    /// The problems of an answer, at its question, which is named by its label there.
    static func problems(_ error: RecordError, at question: FormField) -> String {
        error.problems.map { problem in
            let name = problem.field.isExactly(question.name) ? question.label : problem.field
            return "\(name) \(problem.message)."
        }.joined(separator: " ")
    }

    private static func text(_ error: NSError) -> String {
        if error.domain == NSCocoaErrorDomain, error.code == CocoaError.fileWriteOutOfSpace.rawValue {
            return "The disk is full. Make room, then try again; what was saved before is safe."
        }
        let path = error.userInfo[NSFilePathErrorKey] as? String
        return error.localizedDescription + (path.map { " (\($0))" } ?? "")
    }
}

/// The gateway could not be reached at all; with the consequence for the command.
struct GatewayUnreached: Error {
    let cause: any Error
    let advice: String

    /// The gateway did not answer.
    var isOfNetwork: Bool { (cause as? ReplicationError)?.isOfNetwork ?? false }
}

extension ReplicationError {
    /// The gateway was there, and has said goodbye.
    fileprivate var isEndOfConnection: Bool {
        domain != Self.posixDomain && (CBLError.httpBase + 1_000..<CBLError.httpBase + 5_000).contains(code)
    }

    /// There was no answer, as opposed to a refusal.
    var isOfNetwork: Bool {
        let isAnswer = domain != Self.posixDomain && (CBLError.httpBase..<CBLError.httpBase + 600).contains(code)
        return !isAnswer && !isDiskFull && (domain == Self.posixDomain || isTransient || dependsOnNetwork)
    }
}
