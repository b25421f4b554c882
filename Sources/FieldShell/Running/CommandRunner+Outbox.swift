import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// What the gateway refused, and what is to become of it.
extension CommandRunner {
    func outbox(_ action: OutboxAction) throws -> CommandResult {
        switch action {
        case .list:
            let records = try session.field().refusedRecords()
            session.number(
                LastList(
                    numbered: records.compactMap { record in
                        record.kind.map { (Int(record.number), RecordReference($0, id: record.documentID)) }
                    }))
            for record in records {
                session.outboxNumbers[record.number] = record.kind.map { RecordReference($0, id: record.documentID) }
            }
            return .outbox(records)
        case .show(let text):
            let record = try refused(text)
            return .detail(Detail(of: record, advice: try advice(record), session.environment.clock))
        case .retry(let text?): return .done(try retry(try refused(text)))
        case .retry(nil): return .done(try retryAll())
        case .retryOf(let user): return .done(try retryAll(of: user))
        case .keep(let text?): return .done(try keep(try refused(text)))
        case .keep(nil): return .done(try keepAll())
        case .discard(let text?): return .done(try discardOne(try refused(text)))
        case .discard(nil): return .done(try discardAll())
        }
    }

    /// By its number in the outbox, by the record's id, or by a beginning of that.
    private func refused(_ text: String) throws -> RefusedRecord {
        let records = try session.field().refusedRecords()
        if let number = Int64(text), let record = records.first(where: { $0.number == number }) { return record }
        // Changed, sent and refused again it has another number than the list on the screen.
        if let listed = Int64(text).flatMap({ session.outboxNumbers[$0] }),
            let record = records.first(where: { $0.kind == listed.kind && $0.documentID.isExactly(listed.id) })
        {
            return record
        }
        let whole = records.filter { $0.documentID.isExactly(text) || $0.shortID.isExactly(text) }
        let found = whole.isEmpty && !text.isEmpty ? records.filter { $0.shortID.hasExactPrefix(text) } : whole
        if found.count == 1, Int64(text) == nil { return found[0] }
        guard records.isEmpty else {
            let numbers = records.map { String($0.number) }.joined(separator: ", ")
            throw UsageError("There is no number '\(text)' in the outbox; it has \(numbers).", hint: "See them: outbox")
        }
        throw UsageError("There is no number '\(text)': the outbox is empty.")
    }

    /// What the gateway has as handed in is not edited any more, nor is an assignment by whom it is not for.
    private func mayBeEdited(_ record: RefusedRecord) throws -> Bool {
        let field = try session.field()
        switch record.kind {
        case .inspection:
            return try field.inspections.findReadable(record.documentID).map { try !field.isHandedIn($0) } ?? true
        case .assignment:
            guard let name = try session.author().name else { return true }
            return try field.assignments.findReadable(record.documentID)?.inspector.isExactly(name) ?? true
        case .site, .finding, .form, nil: return true
        }
    }

    /// Values of what was approved meanwhile are the gateway's again once they are confirmed.
    private func decision(_ record: RefusedRecord) throws -> String? {
        guard let kind = record.kind,
            try session.field().conflict(of: kind, record.documentID, for: session.author().name) != nil
        else {
            return nil
        }
        return "Values of two people are to be decided. Confirm those that count now: "
            + "conflicts take \(record.shortID) current"
    }

    private func advice(_ record: RefusedRecord) throws -> [String] {
        guard let kind = record.kind else { return record.advice(try mend(record)) }
        switch record.subject {
        case .district: break
        case .move:
            let old = try session.field().districtAtGateway(of: kind, record.documentID) ?? "CODE"
            return record.advice("Move it back; the rest is sent then: edit \(record.shortID) district=\(old)")
        case .handOver:
            let name = try session.field().inspectorAtGateway(of: kind, record.documentID) ?? "NAME"
            return record.advice("Hand it back; the rest is sent then: edit \(record.shortID) inspector=\(name)")
        case .creator, .lastChange, .takeover, .approval, .deletion: return record.advice(nil)
        case .otherChange where record.awaits == .anotherLaptop, .office where record.awaits == .anotherLaptop:
            return record.advice(nil)
        case .otherChange, .version, .review, .office, .stateByOthers, .other: return record.advice(try mend(record))
        }
        let field = try session.field()
        if kind == .finding, let body = try field.collection(of: kind).document(id: record.documentID)?.body,
            try field.lacksInspection(body)
        {
            return record.advice(
                "Ask your administrator for the district of its inspection, which is not on this laptop.")
        }
        let root = try RefusedOwner(field).owner(of: RecordReference(kind, id: record.documentID))
        let districts = try field.acceptedDistricts().filter { try !$0.isExactly(district(of: root) ?? "") }
        let some = districts.prefix(ShellLimits.candidates).joined(separator: ", ")
        let which = root.id.isExactly(record.documentID) ? "it" : "its \(root.kind.rawValue)"
        let with = root.id.isExactly(record.documentID) ? "" : "; it goes along"
        return record.advice(
            "Move \(which) to a district of yours\(with): edit \(root.shortID) district=CODE"
                + (some.isEmpty ? "" : "\nRecords were accepted in: \(some)"))
    }

    /// - Returns: `nil` where nobody here can mend it.
    private func mend(_ record: RefusedRecord) throws -> String? {
        if record.isOfRegister {
            return "Leave it to the office, which takes over registers: once it has imported the same row, a sync "
                + "settles this one"
        }
        // Whatever is changed in it, it is not an inspector's to make.
        if record.kind == .assignment, record.change == .new,
            record.reason.utf8.starts(with: "Only a supervisor ".utf8)
        {
            return nil
        }
        // Of an assignment that is somebody else's nothing is taken from others.
        guard try mayBeEdited(record) else { return record.kind == .assignment ? nil : try decision(record) }
        return "Change what is wrong, and send it again: edit \(record.shortID)"
    }

    private func district(of reference: RecordReference) throws -> String? {
        try session.field().collection(of: reference.kind).document(id: reference.id)?.body["district"]?.stringValue
    }

    private func retry(_ record: RefusedRecord) throws -> Done {
        if record.isNewWithTakenID || record.isTakenAway, let done = try sendUnderNewID(record) { return done }
        try retry(record, isNamed: true)
        return Done("The \(record.name) is sent again with the next sync: sync", object: ["retried": 1])
    }

    /// - Returns: `nil` where somebody does not want that.
    private func sendUnderNewID(_ record: RefusedRecord) throws -> Done? {
        let why =
            record.isTakenAway
            ? "You may have no access any more to what the gateway has of the \(record.titledName). Yours can go on as a "
                + "record of yours under a "
            : "The gateway has something else under the id of the \(record.titledName). Yours can go on under a "
        guard try session.consents(to: why + "new id, with what belongs to it. Do that?") else { return nil }
        var renamed: RecordReference?
        let field = try session.field()
        try field.database.inBatch {
            renamed = try field.sendUnderNewID(record, by: session.author())
            try field.journal.noteWhole("outbox retry", by: session.author())
        }
        let id = renamed?.shortID ?? record.shortID
        return Done(
            "The \(record.name) is \(id) from now on, and is sent with the next sync: sync",
            object: ["retried": 1, "id": .string(renamed?.id ?? record.documentID)])
    }

    private func retryAll() throws -> Done {
        let field = try session.field()
        let all = try field.refusedRecords()
        guard !all.isEmpty else { return Done("The outbox is empty.", object: ["retried": 0]) }
        // What others made is sent by their laptops, and by this one only where somebody has said so of each.
        let records = all.filter { $0.awaits != .anotherLaptop }
        let ofOthers = all.count - records.count
        let left = try field.settleRefused(records) { try retry($0, isNamed: false) }
            .map { Self.stays($0.record, because: $0.reason) }
        let retried = records.count - left.count
        let sent = "\(retried.of("record")) \(retried == 1 ? "is" : "are") sent again with the next sync: sync"
        let waiting =
            "\(ofOthers.of("record")) of others \(ofOthers == 1 ? "waits" : "wait") for the laptop of who made it."
            + Self.lostLaptops(of: all)
        return Done(
            ((retried > 0 ? [sent] : []) + left + (ofOthers > 0 ? [waiting] : [])).joined(separator: "\n"),
            object: ["retried": .int(retried), "left": .int(left.count + ofOthers)])
    }

    private func retry(_ record: RefusedRecord, isNamed: Bool) throws {
        let field = try session.field()
        guard try isBroughtBack(record, isNamed: isNamed) else { return try field.retryRefused(record) }
        try field.database.inBatch {
            try field.bringBackRefused(record, by: session.author())
            try field.journal.noteWhole("outbox retry", by: session.author())
        }
    }

    /// Whether it is sent as a record of the person's own. Sending all of them again decides that of none.
    private func isBroughtBack(_ record: RefusedRecord, isNamed: Bool) throws -> Bool {
        guard record.hasContent else { return false }
        switch record.subject {
        case .lastChange: return true
        case .otherChange where record.awaits == .anotherLaptop:
            guard isNamed else { return false }
            let sender = record.sender?.printableLine ?? "somebody else"
            return try session.consents(
                to: "This version of the \(record.titledName) is of \(sender), and comes back when the laptop of "
                    + "\(sender) syncs. If that laptop is lost, it can be sent as a change of yours. Send it as that?")
        case .creator:
            guard isNamed else { return false }
            let creator = record.creator?.printableLine ?? "somebody else"
            return try session.consents(
                to: "The \(record.titledName) is a record of \(creator), and comes back when the laptop of "
                    + "\(creator) syncs. If that laptop is lost, or the record was deleted, it can come back as a record "
                    + "of yours. Send it as that?")
        case .version where record.isNewWithTakenID: return false
        case .version:
            guard isNamed else { return false }
            return try session.consents(
                to: "If others have deleted the \(record.titledName), your version can come back as a record of yours. "
                    + "Send it as that?")
        case .takeover, .otherChange, .deletion, .district, .move, .handOver, .review, .approval, .office,
            .stateByOthers,
            .other:
            return false
        }
    }

    private func keep(_ record: RefusedRecord) throws -> Done {
        try session.field().keepRefused(record)
        return Done(
            "The \(record.name) stays here as it is. Syncs say no more of it, unless the gateway gives another reason.",
            object: record.object)
    }

    private func keepAll() throws -> Done {
        let field = try session.field()
        let records = try field.unsettledRefusals()
        guard !records.isEmpty else { return Done("Nothing in the outbox waits for a decision.", object: ["kept": 0]) }
        for record in records { try field.keepRefused(record) }
        return Done(
            "\(records.count.of("record")) of the outbox \(records.count == 1 ? "stays" : "stay") here. Syncs say no more "
                + "of them, unless the gateway gives another reason.",
            object: ["kept": .int(records.count)])
    }

    /// Each is asked about: what is lost is another thing each time. What was done is reported, whatever ends it.
    private func discardAll() throws -> Done {
        let field = try session.field()
        let all = try field.refusedRecords()
        guard !all.isEmpty else { return Done("The outbox is empty.", object: ["discarded": 0]) }
        // Nobody has anything to decide of what another laptop sends, and it may be the only copy that is left.
        let own = all.filter { $0.awaits != .anotherLaptop }
        guard !own.isEmpty else {
            return Done("Nothing in the outbox waits for a decision.", object: ["discarded": 0])
        }
        // A new site after what refers to it.
        let records = own.filter { $0.kind != .site } + own.filter { $0.kind == .site }
        var lines: [String] = []
        var looked = 0
        do {
            let staying = try field.settleRefused(records) { record in
                showProgress(looked, of: records.count)
                looked += 1
                lines += try discardAmongOthers(record)
            }
            session.meter.finish()
            lines += staying.map { Self.stays($0.record, because: $0.reason) }
            let left = try records.count { try field.isRefused($0) }
            return Done(
                lines.joined(separator: "\n"), object: ["discarded": .int(records.count - left), "left": .int(left)])
        } catch {
            session.meter.finish()
            guard !lines.isEmpty else { throw error }
            session.dialogue.show(lines.joined(separator: "\n"))
            if error is Stopped { throw Stopped("The rest stays in the outbox.") }
            throw error
        }
    }

    /// Each is written by itself, which takes minutes for a register. Where they are asked about, the questions show how far
    /// it is.
    private func showProgress(_ completed: Int, of total: Int) {
        guard session.asksNothing else { return }
        session.meter.update("records", completed: UInt64(completed), total: UInt64(total))
    }

    /// - Returns: what became of it; nothing for a finding that went with its new inspection.
    private func discardAmongOthers(_ record: RefusedRecord) throws -> [String] {
        guard try session.field().isRefused(record) else { return [] }
        do { try checkNothingRefers(to: record) } catch let error as UsageError {
            return [Self.stays(record, because: error)]
        }
        return [try discard(record).text]
    }

    static func stays(_ record: RefusedRecord, because reason: any Error) -> String {
        "Number \(record.number) stays in the outbox: \(ErrorText.text(reason))"
    }

    private func discardOne(_ record: RefusedRecord) throws -> Done {
        try checkNothingRefers(to: record)
        var done = try discard(record)
        if try !session.field().isRefused(record) { done.text += try refusedFindings(of: record) }
        return done
    }

    /// What refers to a new site would refer to nothing.
    private func checkNothingRefers(to record: RefusedRecord) throws {
        guard record.change == .new, record.kind == .site else { return }
        try Deletion(of: RecordReference(.site, id: record.documentID), in: session.field()).check()
    }

    private func discard(_ record: RefusedRecord) throws -> Done {
        let field = try session.field()
        let findings = try field.newFindings(of: record).count
        let with = findings > 0 ? " and \(findings.of("finding"))" : ""
        let done = try field.inspectionKept(discarding: record, by: session.author())
        let question =
            try field.isLostAtGateway(record)
            ? Self.lostQuestion(record) : Self.question(record, with: with) + Self.staysDone(by: done)
        guard try session.consents(to: question) else {
            return Done("Nothing was discarded.", object: [:])
        }
        var outcome = Discarded.purged
        try field.database.inBatch {
            outcome = try field.discardRefused(record)
            if let done, outcome == .reverted { try field.closeAssignment(ofReturned: done.id, by: session.author()) }
            try field.journal.noteWhole("outbox discard", by: session.author())
        }
        let text = Self.outcome(outcome, record: record, with: with)
        return Done(outcome == .reverted ? text + Self.staysDone(by: done) : text, object: record.object)
    }

    /// What of a discarded assignment was not refused.
    private static func staysDone(by inspection: Inspection?) -> String {
        guard let inspection else { return "" }
        let id = RecordReference.short(inspection.id, kind: .inspection)
        return " It stays done, by the inspection \(id), which is \(inspection.status.rawValue)."
    }

    /// Findings go along with their inspection to another district, but each is refused by itself.
    private func refusedFindings(of record: RefusedRecord) throws -> String {
        guard record.kind == .inspection else { return "" }
        let field = try session.field()
        let waiting = try field.refusedRecords().filter { refused in
            guard refused.kind == .finding else { return false }
            let inspection = try field.collection(of: .finding).document(id: refused.documentID)?.body["inspection"]
            return inspection?.stringValue?.isExactly(record.documentID) == true
        }
        guard let first = waiting.first else { return "" }
        let name = waiting.count == 1 ? "A finding of it is" : "\(waiting.count.of("finding")) of it are"
        return "\n\(name) still in the outbox. Discard changes there, too: outbox discard \(first.number)"
    }

    /// The gateway has lost the version that is here.
    private static func lostQuestion(_ record: RefusedRecord) -> String {
        "Take the \(record.titledName) from this laptop? The gateway does not have it as it is here: its version comes back, and "
            + "if it has none, nothing is left of it here."
    }

    private static func question(_ record: RefusedRecord, with: String) -> String {
        switch record.change {
        case .edit where record.awaits == .anotherLaptop:
            "Take the \(record.titledName) from this laptop? The gateway's version comes back, if it has one."
        case .new where record.subject == .version:
            "Discard your version of the \(record.titledName)\(with)? The gateway has another version of it"
                + (with.isEmpty ? "." : "; what was found is nowhere else.")
        case .new: "Discard the new \(record.titledName)\(with)? Nobody else has it."
        case .edit where record.isTakenAway:
            "Discard your changes of the \(record.titledName)? The gateway's version comes back, if you have access to it."
        case .edit: "Discard your changes of the \(record.titledName)? The gateway's version comes back."
        case .deletion: "Bring back the \(record.titledName), which you deleted?"
        case .deletionOfNew: "Forget the deleted \(record.titledName)?"
        }
    }

    private static func outcome(_ discarded: Discarded, record: RefusedRecord, with: String) -> String {
        switch discarded {
        case .purged: "Discarded the \(record.titledName)\(with). Nothing of it is left."
        case .reverted where record.subject == .creator:
            "Your changes of the \(record.titledName) are taken back. The gateway does not have it any more; it comes back when "
                + "its creator's laptop syncs."
        case .reverted: "The \(record.titledName) is again as the gateway has it."
        case .comesBack:
            "Discarded what was here of the \(record.titledName). The next sync brings the gateway's version, if that is "
                + "in a district of yours, and nobody has deleted it."
        }
    }
}

extension RefusedRecord {
    var shortID: String { kind.map { RecordReference.short(documentID, kind: $0) } ?? documentID }

    /// The gateway never had it, and has something else under its id.
    fileprivate var isNewWithTakenID: Bool { change == .new && subject == .version }

    /// An import has made it, under an id that the gateway takes from the office only.
    fileprivate var isOfRegister: Bool {
        change == .new && !RecordIDs.isMade(documentID) && reason.utf8.starts(with: "Only the office ".utf8)
    }

    /// `inspection k3m9x2pq7d`.
    var name: String { "\(kind?.rawValue ?? "document") \(shortID)" }

    /// `inspection Old mill, 2026-11-22 routine`: how a person who is asked about it knows it; its id where nothing
    /// else is known.
    var titledName: String { knownTitle != nil ? "\(kind?.rawValue ?? "document") \(title)".printableLine : name }

    /// `new inspection k3m9x2pq7d, 2026-11-22 routine`.
    var line: String {
        let title = knownTitle.map { ", \($0)" } ?? ""
        return switch change {
        case .new: "new \(name)\(title)"
        case .edit: "\(name)\(title)"
        case .deletion, .deletionOfNew: "deleted \(name)\(title)"
        }
    }

    /// Whether it is no deletion.
    var hasContent: Bool {
        switch change {
        case .new, .edit: true
        case .deletion, .deletionOfNew: false
        }
    }

    /// What a person can do.
    ///
    /// - Parameter mend: how to change what is wrong; `nil` where nobody here can.
    fileprivate func advice(_ mend: String?) -> [String] {
        let mend = mend.map { [$0] } ?? []
        let retry =
            switch subject {
            case .review: "Leave it to a supervisor, and send the rest: outbox retry \(number)"
            case .creator:
                "If its creator's laptop is lost, or it was deleted, bring it back as a record of yours: outbox retry \(number)"
            case .otherChange where awaits == .anotherLaptop:
                "If that laptop is lost, send it as a change of yours: outbox retry \(number)"
            case .lastChange: "Bring it back as a record of yours: outbox retry \(number)"
            case .takeover: "Leave it its creator's, and send what else was changed: outbox retry \(number)"
            case .version where isNewWithTakenID:
                "Sync first, which puts both together. If that does not help, send yours under a new id: outbox retry \(number)"
            case .version where isTakenAway:
                "Sync first, if you have access again. Otherwise send yours as a record of yours under a new id: "
                    + "outbox retry \(number)"
            case .version where hasContent:
                "Sync first, which puts both versions together. If that does not help, others may have deleted it; bring it back "
                    + "as a record of yours: outbox retry \(number)"
            case .district, .move, .handOver, .approval, .otherChange, .deletion, .version, .office, .stateByOthers,
                .other:
                "Send it again as it is: outbox retry \(number)"
            }
        let keep = "Leave it here, and hear no more of it: outbox keep \(number)"
        guard awaits != .anotherLaptop else {
            let lost =
                subject == .office
                ? "If the office has lost it, it makes it again; rows of a register by importing them again" : retry
            return ["Nothing is needed: the next sync of that laptop settles it.", lost]
                + ["Go back to what the gateway has, if it has anything: outbox discard \(number)"]
        }
        let rest = [retry, keep]
        switch change {
        case .new where subject == .version:
            return mend + rest + ["Give your version up; the gateway has another one: outbox discard \(number)"]
        case .new: return mend + rest + ["Throw it away; nobody else has it: outbox discard \(number)"]
        case .edit: return mend + rest + ["Go back to the gateway's version: outbox discard \(number)"]
        case .deletion: return rest + ["Bring the record back: outbox discard \(number)"]
        case .deletionOfNew: return ["Forget it; the gateway never had it: outbox discard \(number)"]
        }
    }

    var object: JSONObject {
        [
            "number": .number(JSONNumber(number)), "collection": .string(collection), "_id": .string(documentID),
            "change": .string(change.rawValue), "code": .int(code), "reason": .string(reason),
            "since": .string(since.description), "at": .string(last.description), "kept": .bool(isKept),
            "awaited": .bool(awaits == .anotherLaptop),
        ]
    }
}

extension Detail {
    /// A refused record, and what can be done about it.
    init(of record: RefusedRecord, advice: [String], _ clock: LocalClock) {
        self.init(
            title: "\(record.number)  \(record.line)",
            reference: record.kind.map { RecordReference($0, id: record.documentID) },
            fields: [
                Field(label: "Why", value: record.reason), Field(label: "Since", value: clock.text(record.since)),
                Field(label: "Last try", value: clock.text(record.last)),
            ] + (record.isKept ? [Field(label: "Kept", value: "yes; syncs say no more of it")] : []),
            sections: [Section(title: "What you can do", lines: advice)], object: record.object)
    }
}
