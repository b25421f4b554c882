import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// Explains a gateway's refusal to a worker.
public enum RefusalText {
    /// - Parameters:
    ///   - code: the status, or Couchbase's error number: a status and 10,000.
    ///   - reason: the gateway's text.
    public static func message(
        code: Int, reason: String, of record: RefusedDetails = RefusedDetails()
    ) -> AdvisedText {
        let said = reason.isEmpty ? "" : " (the gateway says: \(reason.printableLine))"
        let status = status(of: code)
        switch status {
        case 401: return "you are not signed in\(said)"
        case 403:
            return RefusalRule.of(reason)?.explanation.text(of: reason, for: record)
                ?? "you may not write this record\(said)"
        case 404: return "the gateway does not know its collection\(said)"
        case 409: return record.isNew ? otherRecord : otherVersion
        case 413: return "it is too large for the gateway\(said)"
        case 429, 503: return "the gateway is busy; it is tried again\(said)"
        // As after a forgotten passphrase: the same sync fetches the photo, where another record at the gateway has it.
        case 500 where reason.utf8.starts(with: UnsentAttachment.reasonBeginning.utf8):
            return
                """
                a photo of it is not on this laptop, or was not yet. Sync again; if it is refused again, take the photo \
                out\(bracketed: .removePhoto) and attach the picture again
                """
        case 507:
            return
                """
                you have sent as much within a day as the gateway's disk has left; ask your administrator, or sync \
                again tomorrow
                """
        default: return "the gateway answered \(status)\(said)"
        }
    }

    /// - Parameter code: as for `message`.
    private static func status(of code: Int) -> Int { code % CBLError.httpBase }

    private static let otherRecord: AdvisedText =
        """
        the gateway has another record, or a deletion, under its id. The next sync puts both together; if it is \
        refused again, this laptop does not get the other one, and yours can go on under a new id\(bracketed: .retry)
        """
    private static let otherVersion: AdvisedText =
        """
        it was changed or deleted on another device, too. The next sync puts both together. If it is refused again, \
        somebody is changing it at that moment (sync later), or this laptop does not get the other version: it \
        is in a district that you do not have (ask for it), or it was deleted \
        (\(way: .retry, or: "sending it again") brings the record back as yours)
        """

    /// Whether it is trouble of the gateway, such as a full disk, and not of the record: the user cannot help there. A 507
    /// is a refusal: the user has sent too much, and the sync itself goes on.
    ///
    /// - Parameter code: as for `message`.
    public static func isOfGateway(_ code: Int) -> Bool { PassingStatus.all.contains(status(of: code)) }

    /// Why a record is not here whose photos find no room on this computer's own disk.
    public static let noRoomHere: AdvisedText =
        "the disk of this laptop has no room for its photos beside what you still write; free some space, and sync"

    /// Why a record could not be fetched from the gateway.
    public static func message(ofFetch code: Int, reason: String) -> AdvisedText {
        let said = reason.isEmpty ? "" : " (the gateway says: \(reason.printableLine))"
        let status = status(of: code)
        switch status {
        case 404:
            return
                """
                a photo of it is missing at the gateway, and a record is not taken over without its photos. A user who \
                has the photo can repair that\(colon: .replacePhoto). Or ask your administrator to look into a backup\(said)
                """
        case 403 where reason.range(of: "doc not being synced", options: .literal) != nil:
            return
                """
                it refers to a photo that is not attached to it at the gateway, and a record is not taken over without \
                its photos; ask your administrator to look into it\(said)
                """
        case 403: return "the gateway does not give its photos to this laptop; ask your administrator\(said)"
        case 507:
            return "the gateway has no room left; ask your administrator\(said)"
        case 429, 503: return "the gateway is busy; it is tried again\(said)"
        case CBLError.badDocID:
            return
                """
                a record whose id cannot be kept here: an id has 1 to \(DocumentIDRules.maximumReceivedLength) bytes, no \
                control characters and no '_' in front. Ask your administrator to delete it at the gateway, or to \
                write it again under another id
                """
        default: return "it could not be fetched; ask your administrator\(said), error \(status)"
        }
    }

    /// The part of the record whose change would end the refusal.
    static func subject(of code: Int, reason: String) -> RefusedRecord.Subject {
        switch status(of: code) {
        case 409: .version
        case 403: RefusalRule.of(reason)?.subject ?? .other
        default: .other
        }
    }

    /// The reason for a record that came back from the quarantine, and that others have changed while its user had no
    /// access.
    static let takenAway: AdvisedText =
        """
        it was changed or deleted on another device, too, while you had no access. If you have none still, ask for its \
        district, or send yours under a new id\(bracketed: .retry)
        """
    /// The reason for a record that was brought back without its approval.
    static let approvedAgain: AdvisedText = "The gateway has it again, approved. The next sync takes that over."
    static let returnedAgain: AdvisedText = "The gateway has it again, returned. The next sync takes that over."
}
