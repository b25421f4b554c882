import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// The advice for a refused record.
struct OutboxAdvice {
    let session: ShellSession

    func lines(about record: RefusedRecord) throws -> [String] {
        // What another laptop sends needs no change here.
        guard record.awaits != .anotherLaptop else { return record.advice(nil) }
        guard let kind = record.kind else { return record.advice(try mend(record)) }
        switch record.subject.meaning.mending {
        case .ownDistrict: return record.advice(try wayToDistrict(kind, record: record))
        case .oldDistrict:
            let old = try session.field().districts.atGateway(of: kind, record.documentID)
            let way = AdviceText.command(.edit(.district, value: old), record: record.shortID)
            return record.advice("Move it back; the rest is sent then: \(way)")
        case .oldInspector:
            let name = try session.field().unsent.inspectorAtGateway(of: kind, record.documentID)
            let way = AdviceText.command(.edit(.inspector, value: name), record: record.shortID)
            return record.advice("Hand it back; the rest is sent then: \(way)")
        case .none: return record.advice(nil)
        case .edit: return record.advice(try mend(record))
        }
    }

    /// How a record comes to a district of the person's own.
    private func wayToDistrict(_ kind: RecordKind, record: RefusedRecord) throws -> String {
        let field = try session.field()
        if kind == .finding, let body = try field.collection(of: kind).document(id: record.documentID)?.body,
            try field.store.lacksInspection(body)
        {
            return "Ask your administrator for the district of its inspection, which is not on this laptop."
        }
        let root = try DistrictOrigin(field).origin(of: RecordReference(kind, id: record.documentID))
        let districts = try field.districts.accepted().filter { try !$0.isExactly(district(of: root) ?? "") }
        let some = districts.prefix(ShellLimits.candidates).joined(separator: ", ")
        let which = root.id.isExactly(record.documentID) ? "it" : "its \(root.kind.rawValue)"
        let with = root.id.isExactly(record.documentID) ? "" : "; it goes along"
        let way = AdviceText.command(.edit(.district, value: nil), record: root.shortID)
        return "Move \(which) to a district of yours\(with): \(way)"
            + (some.isEmpty ? "" : "\nRecords were accepted in: \(some)")
    }

    /// - Returns: `nil` if the user cannot mend it.
    private func mend(_ record: RefusedRecord) throws -> String? {
        if record.isOfRegister {
            return "Leave it to the office, which takes over registers: once it has imported the same row, a sync "
                + "settles this one"
        }
        if record.isAssignedByInspector { return nil }
        // The gateway takes no change of another user's assignment.
        guard try mayBeEdited(record) else { return record.kind == .assignment ? nil : try decision(record) }
        return "Change what is wrong, and send it again: edit \(record.shortID)"
    }

    /// An inspection that the gateway has as handed in cannot be edited any more. Only its inspector edits an
    /// assignment.
    private func mayBeEdited(_ record: RefusedRecord) throws -> Bool {
        let field = try session.field()
        switch record.kind {
        case .inspection:
            return try field.inspections.findReadable(record.documentID).map { try !field.submissions.isHandedIn($0) }
                ?? true
        case .assignment:
            guard let name = try session.author().name else { return true }
            return try field.assignments.findReadable(record.documentID)?.inspector.isExactly(name) ?? true
        case .site, .finding, .form, .response, nil: return true
        }
    }

    /// The values of an inspection that was approved since are the gateway's again once they are confirmed.
    private func decision(_ record: RefusedRecord) throws -> String? {
        guard let kind = record.kind,
            try session.field().conflicts.conflict(of: kind, record.documentID, for: session.author().name) != nil
        else {
            return nil
        }
        return "Values of two people are to be decided. Confirm those that count now: "
            + "conflicts take \(record.shortID) current"
    }

    private func district(of reference: RecordReference) throws -> String? {
        try session.field().collection(of: reference.kind).document(id: reference.id)?.body["district"]?.stringValue
    }
}
