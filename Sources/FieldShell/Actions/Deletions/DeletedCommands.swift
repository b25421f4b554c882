import DocumentValues
import FieldModels
import FieldRecords

/// Lists deleted records, and brings them back.
struct DeletedCommands {
    let session: ShellSession

    func list(_ kind: RecordKind?) throws -> RecordGroups {
        let records = try DeletedFinder.all(in: session.field())
        let clock = session.environment.clock
        var groups = RecordGroups(empty: "Nothing that was deleted is kept here.")
        for each in RecordKind.allCases where kind == nil || kind == each {
            let rows = records.filter { $0.kind == each }.map { record in
                Listing.Row(
                    reference: record.reference,
                    cells: [
                        record.reference.shortID, record.title, record.deleter, clock.text(record.moment),
                    ], object: record.object)
            }
            groups.add(
                "Deleted \(each.plural)", columns: ["ID", each.rawValue.uppercased(), "DELETED", "SINCE"], rows: rows)
        }
        if !groups.groups.isEmpty {
            groups.notes.append(
                "See one: show \(session.recordPlaceholder). Bring it back: undo \(session.recordPlaceholder)")
        }
        try session.field().deletions.noteSeen(records.filter { kind == nil || kind == $0.kind })
        return try session.numbered(groups)
    }

    func show(_ deleted: DeletedRecord) throws -> Detail {
        let clock = session.environment.clock
        let builder = try DetailBuilder(session.field(), clock: clock)
        let isChangedByOthers = try session.field().receivedChanges.changes(of: deleted.reference) != nil
        try session.field().deletions.noteSeen([deleted])
        let then = "Give the same command once more to set back what others had changed before."
        return Detail(
            title: "\(deleted.title), \(deleted.how)",
            head: [Detail.Field(label: "Since", value: clock.text(deleted.moment))],
            of: try builder.detail(of: deleted.kind, deleted.id, body: deleted.body),
            advice: [try wayBack(of: deleted)] + (isChangedByOthers ? [then] : []), object: deleted.object)
    }

    private func wayBack(of deleted: DeletedRecord) throws -> String {
        let isKnown = try session.field().store.isKnownToGateway(deleted.kind, id: deleted.id)
        let isOffices = deleted.kind == .form && !deleted.isOwn && isKnown
        let who = isOffices ? "Only the office brings a form back" : "Bring it back"
        return "\(who): undo \(deleted.reference.shortID)"
    }

    /// The gateway lets supervisors alone assign work, and so bring assignments back that it knew; and the office alone forms.
    private func checkMayBringBack(_ deleted: DeletedRecord) throws {
        let field = try session.field()
        guard let user = try session.settings().user, try field.store.isKnownToGateway(deleted.kind, id: deleted.id)
        else {
            return
        }
        switch deleted.kind {
        case .assignment:
            guard try field.store.supervisorRole(of: user) == .unlikely else { return }
            try askAbout(deleted, doubt: "Only supervisors bring assignments back.", instead: "a supervisor")
        case .form:
            guard !deleted.isOwn else { return }
            try askAbout(deleted, doubt: "Only the office brings forms back.", instead: "the office")
        case .site, .inspection, .finding, .response: break
        }
    }

    private func askAbout(_ deleted: DeletedRecord, doubt: String, instead other: String) throws {
        guard try !session.consents(to: "\(doubt) Do it all the same?") else { return }
        throw UsageError("Nothing was changed.", hint: "Ask \(other): undo \(deleted.reference.shortID)")
    }

    func bringBack(_ found: DeletedRecord) throws -> Done {
        let field = try session.field()
        // A hidden finding comes back with its inspection.
        let inspection = try field.deletions.all().first { $0.reference == found.hiddenWith }
        let deleted = inspection ?? found
        try checkMayBringBack(deleted)
        let outcome = try field.deletions.bringBack(deleted, by: session.author())
        if session.shown.list.isEmpty { session.shown.list = [deleted.reference] }
        let state =
            switch outcome {
            case .broughtBackAsDraft: ", as a draft: it had been returned"
            case .broughtBackAsSubmitted: ", as submitted: it had been approved"
            case .broughtBack, .restored, .restoredByEdit, .removed: ""
            }
        return Done(
            "The \(deleted.line), is back\(state). The next sync sends it.",
            object: ["_id": .string(deleted.id), "outcome": .string(outcome.rawValue)])
    }
}

extension DeletedRecord {
    fileprivate var deleter: String {
        hiddenWith.map { "with inspection \($0.shortID)" } ?? (isOwn ? "here" : "by others")
    }

    var object: JSONObject {
        [
            "_id": .string(id), "collection": .string(kind.collection.description), "title": .string(title),
            "at": .string(moment.description), "here": .bool(isOwn), "body": .object(body),
        ]
    }
}
