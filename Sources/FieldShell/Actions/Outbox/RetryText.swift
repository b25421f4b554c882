import DocumentValues
import FieldRecords

/// What the user reads about sending a refused record again: the line of advice, and the question where it becomes theirs.
struct RetryText {
    let advice: String
    /// `nil` where nothing is asked.
    let question: String?

    init(_ record: RefusedRecord) {
        let (offer, question) = Self.texts(record)
        advice = "\(offer): outbox retry \(record.number)"
        self.question = question
    }

    private static func texts(_ record: RefusedRecord) -> (offer: String, question: String?) {
        switch record.retryOffer {
        case .again: ("Send it again as it is", nil)
        case .withoutReview: ("Leave it to a supervisor, and send the rest", nil)
        case .leaveToCreator: ("Leave the record to its creator, and send the other changes", nil)
        case .asOwn: ("Bring it back as a record of yours", nil)
        case .asOwnIfLost:
            (
                "If its creator's laptop is lost, or it was deleted, bring it back as a record of yours",
                ofLostCreator(record)
            )
        case .asChangeIfLost: ("If that laptop is lost, send it as a change of yours", ofLostSender(record))
        case .asOwnIfDeleted:
            (
                "Sync first, which puts both versions together. If that does not help, others may have deleted it; bring it "
                    + "back as a record of yours", ofDeleted(record)
            )
        case .underNewID:
            ("Sync first, which puts both together. If that does not help, send yours under a new id", nil)
        case .asOwnUnderNewID:
            (
                "Sync first, if you have access again. Otherwise send yours as a record of yours under a new id",
                ofDeleted(record)
            )
        }
    }

    private static func ofLostCreator(_ record: RefusedRecord) -> String {
        let creator = record.creator?.printableLine ?? "somebody else"
        return "The \(record.titledName) is a record of \(creator), and comes back when the laptop of "
            + "\(creator) syncs. If that laptop is lost, or the record was deleted, it can come back as a record "
            + "of yours. Send it as that?"
    }

    private static func ofLostSender(_ record: RefusedRecord) -> String {
        let sender = record.sender?.printableLine ?? "somebody else"
        return "This version of the \(record.titledName) was made by \(sender), and comes back when the laptop of "
            + "\(sender) syncs. If that laptop is lost, it can be sent as a change of yours. Send it as that?"
    }

    private static func ofDeleted(_ record: RefusedRecord) -> String {
        "If others have deleted the \(record.titledName), your version can come back as a record of yours. "
            + "Send it as that?"
    }
}
