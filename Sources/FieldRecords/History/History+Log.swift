import DocumentStore
import DocumentValues
import FieldModels

/// One thing that happened to a record, as far as this laptop knows.
public struct RecordEvent: Sendable, Hashable {
    /// `nil` for the present state.
    public let moment: Timestamp?
    public let author: String?
    /// `created`, `edit: score 80 → 88`; with what can be done, where the gateway has refused the record.
    public let advised: AdvisedText

    /// The same as any program says it.
    public var text: String { advised.text }

    init(moment: Timestamp?, author: String?, text: String) {
        self.init(moment: moment, author: author, advised: AdvisedText(text: text, marks: []))
    }

    init(moment: Timestamp?, author: String?, advised: AdvisedText) {
        self.moment = moment
        self.author = author
        self.advised = advised
    }
}

extension History {
    /// The events of a record's history that this laptop knows, the oldest first. Of changes by others it knows only
    /// the last one, except in the user's own records: it keeps all that it has received of these.
    public func log(of kind: RecordKind, _ id: String) throws -> [RecordEvent] {
        let body = try collection(of: kind).bodies(of: [id])[0].flatMap { JSONObject.readable($0.body) } ?? JSONObject()
        let revision = try collection(of: kind).exchange(of: id)?.revision
        let present = revision.map { JournalRecord.Version(revision: $0, body: body) }
        let own = try ownChanges(kind, id: id, present: present)
        var events: [RecordEvent] = []
        if let created = event(body, text: "created", at: "createdAt", by: "createdBy") { events.append(created) }
        if let file = body["source"]?["file"]?.stringValue {
            events.append(RecordEvent(moment: nil, author: nil, text: "imported from \(file)"))
        }
        let steps = kind == .response ? Self.steps(of: body) : []
        events += steps.map(\.event)
        // A step says more than the change of the record by which it was taken.
        events += own.filter { change in !steps.contains { $0.isTaken(by: change) } }
        let others = try receivedChanges.changes(of: RecordReference(kind, id: id))?.lines ?? []
        events += others.map { RecordEvent(moment: $0.stamp.at, author: $0.stamp.by, text: "changed: \($0.text)") }
        let versions = try earlierVersions(kind, id: id) + [body]
        if let submitted = try submission(id, versions: versions) { events.append(submitted) }
        for reviewed in reviews(kind, id: id, versions: versions)
        where !own.contains(where: { $0.moment == reviewed.moment && $0.author == reviewed.author }) {
            events.append(reviewed)
        }
        if let changed = event(body, text: "changed last", at: "changedAt", by: "changedBy"),
            !own.contains(where: { $0.moment == changed.moment }),
            !others.contains(where: { $0.stamp.at == changed.moment }),
            !events.contains(where: { $0.moment == changed.moment && $0.text == body["status"]?.stringValue }),
            !steps.contains(where: { $0.isTaken(by: changed) })
        {
            events.append(changed)
        }
        let dated = events.enumerated().sorted { left, right in
            (left.element.moment ?? .distantPast, left.offset) < (right.element.moment ?? .distantPast, right.offset)
        }
        return dated.map(\.element) + (try state(kind, id: id))
    }

    /// A record has its last approval or return only; those before are in the versions that were changed here.
    private func reviews(_ kind: RecordKind, id: String, versions: [JSONObject]) -> [RecordEvent] {
        guard kind == .inspection else { return [] }
        return versions.compactMap { Self.review(id, body: $0) }.reduce(into: []) { reviews, review in
            if !reviews.contains(review) { reviews.append(review) }
        }
    }

    /// Those that were changed here, the oldest first.
    private func earlierVersions(_ kind: RecordKind, id: String) throws -> [JSONObject] {
        try journal.entries().flatMap(\.records)
            .filter { $0.kind == kind && $0.id.isExactly(id) }.compactMap { $0.before?.body }
    }

    /// `approved` or `returned`, by the person who did it on whichever laptop.
    private static func review(_ id: String, body: JSONObject) -> RecordEvent? {
        guard let inspection = try? Inspection(id: id, object: body), let stamp = inspection.reviewed else {
            return nil
        }
        return RecordEvent(moment: stamp.at, author: stamp.by, text: inspection.status.rawValue)
    }

    /// The user who handed it in need not be its inspector, and is noted with its status as long as that is the last
    /// step, or else as the person who changed it last: after an approval in the versions that were changed here, or by the
    /// change that found it not handed in yet.
    ///
    /// - Parameter versions: those that are known, the present one last.
    private func submission(_ id: String, versions: [JSONObject]) throws -> RecordEvent? {
        guard let body = versions.last,
            let submitted = event(body, text: "submitted", at: "submittedAt", by: nil), let moment = submitted.moment
        else { return nil }
        let noted = versions.reversed().lazy.compactMap { Self.submitter(of: $0, at: moment) }.first
        let author = try noted ?? ownSubmission(id, at: moment)?.author.name
        let unknown = ", this laptop does not know by whom"
        return RecordEvent(moment: moment, author: author, text: submitted.text + (author == nil ? unknown : ""))
    }

    private func ownSubmission(_ id: String, at moment: Timestamp) throws -> JournalEntry? {
        try journal.entries().first { entry in
            entry.author.moment == moment
                && entry.records.contains { record in
                    guard record.kind == .inspection, record.id.isExactly(id), let before = record.before else {
                        return false
                    }
                    return !Self.isSubmitted(before.body)
                }
        }
    }

    private static func isSubmitted(_ version: JSONObject) -> Bool {
        version["status"]?.stringValue?.isExactly(Inspection.Status.submitted.rawValue) == true
    }

    private static func submitter(of version: JSONObject, at moment: Timestamp) -> String? {
        guard isSubmitted(version) else { return nil }
        let last = FieldChanges(of: version).last(of: [FieldPath("status")]) ?? VersionStamp(of: version)
        return last.at == moment ? last.by : nil
    }

    private func event(_ body: JSONObject, text: String, at moment: String, by author: String?) -> RecordEvent? {
        guard let moment = body[moment]?.stringValue.flatMap({ Timestamp($0) }) else { return nil }
        return RecordEvent(moment: moment, author: author.flatMap { body[$0]?.stringValue }, text: text)
    }

    private func ownChanges(
        _ kind: RecordKind, id: String, present: JournalRecord.Version?
    ) throws -> [RecordEvent] {
        let entries = try journal.entries().compactMap { entry in
            entry.records.first { $0.kind == kind && $0.id.isExactly(id) }.map { (entry, $0) }
        }
        return entries.enumerated().compactMap { index, item in
            guard item.1.before != nil else { return nil }
            let next = index + 1 < entries.count ? entries[index + 1].1.before : present
            let own = Self.differences(of: item.1, next: next)
            let changes = own.isEmpty && kind == .inspection ? Self.findings(in: item.0) : own
            return RecordEvent(
                moment: item.0.author.moment, author: item.0.author.name,
                text: ([item.0.title] + (changes.isEmpty ? [] : [changes.joined(separator: ", ")]))
                    .joined(separator: ": "))
        }
    }

    /// Work on a finding is work on its inspection, in which it changes nothing but who changed it last.
    private static func findings(in entry: JournalEntry) -> [String] {
        entry.records.filter { $0.kind == .finding }.map { "its finding \($0.kind.shortID(of: $0.id))" }
    }

    /// Between a change of this laptop and the next one here others may have changed the record as well: only a version
    /// that is known to be the change's own is compared.
    private static func differences(of record: JournalRecord, next: JournalRecord.Version?) -> [String] {
        if let noted = record.differences { return noted }
        guard let before = record.before, let next, next.revision == record.after else { return [] }
        return RecordDifference.lines(from: before.body, to: next.body)
    }

    private func state(_ kind: RecordKind, id: String) throws -> [RecordEvent] {
        guard let exchange = try collection(of: kind).exchange(of: id) else { return [] }
        let sent =
            exchange.isSent
            ? "the gateway has it as it is here"
            : exchange.isKnownToRemotes ? "changes wait to be sent" : "never sent; nobody else has it"
        var events = [RecordEvent(moment: nil, author: nil, text: "revision \(exchange.revision): \(sent)")]
        if let refused = try outbox.all().first(where: {
            $0.kind == kind && $0.documentID.isExactly(id)
        }) {
            events.append(
                RecordEvent(moment: refused.since, author: nil, advised: "refused by the gateway: \(refused.reason)"))
        }
        return events
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(secondsSince1970: .min / 2)
}
