import DocumentStore
import DocumentValues
import FieldModels

extension Outbox {
    /// The reason why a record was refused, with details from the record itself.
    public func message(
        ofRefusal code: Int, _ reason: String, of kind: RecordKind?, id: String
    ) throws -> AdvisedText {
        let body = try kind.flatMap { try collection(of: $0).bodies(of: [id])[0]?.body }
        // The refusal of a damaged record is explained, too, without values of the record.
        return try message(ofRefusal: code, reason, of: kind, id: id, body: body.flatMap { JSONObject.readable($0) })
    }

    /// - Parameter body: the record's, or the one before its deletion; `nil` if that cannot be read.
    func message(
        ofRefusal code: Int, _ reason: String, of kind: RecordKind?, id: String, body: JSONObject?
    ) throws -> AdvisedText {
        let meaning = RefusalText.subject(of: code, reason: reason).meaning
        if let kind, let own = meaning.ownReason, let text = try text(of: own, kind: kind, id: id) { return text }
        let details = RefusedDetails(
            kind: kind, district: body?["district"]?.stringValue,
            oldDistrict: try kind.flatMap { try districts.atGateway(of: $0, id, now: body) },
            isNew: try kind.map { try collection(of: $0).exchange(of: id)?.isKnownToRemotes == false } ?? false,
            isMovable: try body.map { try !lacksInspection($0) } ?? true,
            isFilled: try kind.map { try hasWhatOthersPutIn($0, id: id, body: body) } ?? false)
        return RefusalText.message(code: code, reason: reason, of: details)
    }

    /// - Returns: `nil` where it does not hold for the record.
    private func text(of reason: RefusalMeaning.OwnReason, kind: RecordKind, id: String) throws -> AdvisedText? {
        switch reason {
        case .approvedAgain:
            let isApproved =
                try isReviewedAgain(kind, id: id) || isApprovedInPlaceOfQuestion(kind, id: id)
                || isOverLostVersion(kind, id: id)
            return isApproved ? RefusalText.approvedAgain : nil
        case .returnedAgain: return try isReviewedAgain(kind, id: id) ? RefusalText.returnedAgain : nil
        case .takenAway:
            return try collection(of: kind).exchange(of: id)?.isRestored == true ? RefusalText.takenAway : nil
        }
    }

    private func hasWhatOthersPutIn(_ kind: RecordKind, id: String, body: JSONObject?) throws -> Bool {
        guard let body, let changes = try changePages.find(RecordReference(kind, id: id)) else { return false }
        return !changes.restorable(in: body, notedAsOwn: false).isEmpty
    }
}
