import DocumentStore
import DocumentValues
import FieldModels

/// A push that the gateway refused; the record stays here until a person has decided what becomes of it.
public struct RefusedRecord: Sendable, Hashable, Identifiable {
    /// To refer to it; the same as long as it is refused.
    public let number: Int64
    /// `nil` for a document of another application in the same folder.
    public let kind: RecordKind?
    @Exact public private(set) var collection: String
    @Exact public private(set) var documentID: String
    /// What a list shows of it; of a deleted one what is still known of it; its id where that is nothing.
    @Exact public private(set) var title: String
    public let change: Change
    /// The gateway's answer, such as 403.
    public let code: Int
    /// As text for the worker.
    @Exact public private(set) var reason: String
    public let subject: Subject
    /// Who created it; `nil` where nobody is named.
    @Exact public private(set) var creator: String?
    /// Whose laptop sends it, where it waits for another one; `nil` where nobody is named.
    @Exact public private(set) var sender: String?
    /// When the gateway refused it first.
    public let since: Timestamp
    /// When the gateway refused it last.
    public let last: Timestamp
    public let awaits: Awaited
    /// Whether it came back from the quarantine: the gateway has another version by now that this laptop may not get.
    public let isTakenAway: Bool

    public var id: Int64 { number }

    /// Somebody has decided to leave it as it is: no sync reminds of it.
    public var isKept: Bool { awaits == .nothing }

    public enum Awaited: Sendable, Hashable {
        /// Somebody here decides what becomes of it.
        case decision
        /// It is to stay as it is.
        case nothing
        /// The laptop of who made this version sends it: it was only received here, and the gateway has lost it.
        case anotherLaptop
    }

    /// `nil` where nothing is known but the record's id.
    public var knownTitle: String? { title.isExactly(documentID) ? nil : title }

    /// What of the record the gateway refused.
    public enum Subject: Sendable, Hashable {
        /// The district that it is in.
        case district
        /// That it went to another district, although it is somebody else's.
        case move
        /// That it was given to somebody else to do.
        case handOver
        /// What a supervisor has said of it, or is asked about it.
        case review
        /// That it is approved at the gateway, and not here.
        case approval
        /// Who created it, and that is somebody else: the gateway does not have it, or not any more.
        case creator
        /// Who changed it last: the gateway does not have it, or not any more.
        case lastChange
        /// Who changed it last, or when: the gateway has another version of it.
        case otherChange
        /// That somebody deletes it whose it is not.
        case deletion
        /// Who created it: the gateway has it as somebody else's.
        case takeover
        /// That the gateway has another version of it, or its deletion.
        case version
        /// What somebody else has said of its state: who handed it in, approved or returned it.
        case stateByOthers
        /// That nobody but the office writes it: a form, what everybody sees, or a record of a register, which names nobody.
        case office
        /// Anything else.
        case other
    }

    /// What was to be sent.
    public enum Change: String, Sendable, Hashable, Codable {
        /// The gateway has no version of the record.
        case new
        case edit
        case deletion
        /// Of a record that the gateway never had.
        case deletionOfNew

        public var isDeletion: Bool {
            switch self {
            case .deletion, .deletionOfNew: true
            case .new, .edit: false
            }
        }
    }
}

/// What became of a refused record that was given up.
public enum Discarded: String, Sendable, Hashable {
    /// Nobody else had it: nothing is left of it.
    case purged
    /// It is again as the gateway has it.
    case reverted
    /// The next sync brings the gateway's version, if the user may see it.
    case comesBack
}

extension FieldDatabase {
    /// Those that wait longest first.
    public func refusedRecords() throws -> [RefusedRecord] {
        let pushes = try database.rejectedPushes()
        guard !pushes.isEmpty else { return [] }
        // The site of what was deleted may be deleted, too.
        let titles = RecordTitles(self, besides: try deletedRecords())
        return try pushes.compactMap { try refused($0, titled: titles) }
            .sorted { ($0.since, $0.number) < ($1.since, $1.number) }
    }

    /// Refused records of which somebody here has to say what is to become of them, and has not yet.
    public func unsettledRefusals() throws -> [RefusedRecord] { try refusedRecords().filter { $0.awaits == .decision } }

    private func refused(_ push: RejectedPush, titled titles: RecordTitles) throws -> RefusedRecord? {
        let kind = RecordKind(collection: push.collection)
        guard let collection = try collection(push), let exchange = try collection.exchange(of: push.documentID)
        else { return nil }
        let body = try lastContent(of: push, kind, in: collection)
        let subject = RefusalText.subject(of: push.code, reason: push.reason)
        let awaits = Self.awaited(push, of: subject, at: exchange)
        let isAwaited = awaits == .anotherLaptop
        return RefusedRecord(
            number: push.number, kind: kind, collection: push.collection.description, documentID: push.documentID,
            title: try kind.flatMap { kind in try body.flatMap { try titles.title(of: kind, $0) } }
                ?? push.documentID, change: Self.change(exchange),
            code: push.code,
            reason: isAwaited
                ? RefusalText.lost(subject, body: body)
                : try message(ofRefusal: push.code, push.reason, of: kind, id: push.documentID, body: body),
            subject: subject, creator: body?["createdBy"]?.stringValue,
            sender: isAwaited ? RefusalText.sender(subject, body: body) : nil,
            since: Timestamp(secondsSince1970: Int64(push.firstDate)),
            last: Timestamp(secondsSince1970: Int64(push.date)), awaits: awaits,
            isTakenAway: subject == .version && exchange.isRestored && !exchange.isDeleted)
    }

    private static func awaited(
        _ push: RejectedPush, of subject: RefusedRecord.Subject, at exchange: DocumentExchange
    ) -> RefusedRecord.Awaited {
        if push.isAcknowledged { return .nothing }
        guard exchange.isSent else { return .decision }
        return switch subject {
        case .creator, .otherChange: .anotherLaptop
        case .deletion: exchange.isDeleted ? .anotherLaptop : .decision
        case .office: exchange.isDeleted ? .decision : .anotherLaptop
        case .lastChange, .district, .move, .handOver, .review, .approval, .takeover, .version, .stateByOthers, .other:
            .decision
        }
    }

    /// What the record is or, where it was deleted, was: the version that the gateway had, or the one that was deleted
    /// here.
    private func lastContent(of push: RejectedPush, _ kind: RecordKind?, in collection: Collection) throws
        -> JSONObject?
    {
        let id = push.documentID
        guard let stored = try collection.bodies(of: [id])[0] else { return nil }
        guard stored.isDeleted else { return JSONObject.readable(stored.body) }
        if let base = try collection.baseBody(of: id).flatMap({ JSONObject.readable($0) }) { return base }
        return try kind.flatMap { try journal.entries().contentBeforeLastChange(of: $0, id) }
    }

    private static func change(_ exchange: DocumentExchange) -> RefusedRecord.Change {
        switch (exchange.isDeleted, exchange.isKnownToRemotes) {
        case (false, false): .new
        case (false, true): .edit
        case (true, false): .deletionOfNew
        case (true, true): .deletion
        }
    }

    private func collection(_ push: RejectedPush) throws -> Collection? {
        try database.collection(name: push.collection.name, scope: push.collection.scope)
    }

    private func collection(_ record: RefusedRecord) throws -> Collection {
        guard let push = try push(of: record), let collection = try collection(push) else {
            throw RecordActionError(.notFound, kind: record.kind, id: record.documentID)
        }
        return collection
    }

    // MARK: What may become of it

    /// Has the next sync send it again, whatever the reason of the refusal was; without what somebody decided here that is a
    /// supervisor's to decide, where it was refused for that: the question is open again.
    ///
    /// - Throws: `RecordActionError` where it has left the outbox.
    public func retryRefused(_ record: RefusedRecord) throws {
        try database.inBatch {
            guard try isRefused(record) else {
                throw RecordActionError(.notFound, kind: record.kind, id: record.documentID)
            }
            try database.acknowledgeRejection(record.number, isAcknowledged: false)
            switch record.subject {
            case .review:
                // What has changed is sent, and is refused no longer.
                if let kind = record.kind, try leaveToSupervisors(kind, id: record.documentID) { return }
                if try withdrawLostReview(of: record) || putTogetherIfLost(record) { return }
            case .approval:
                if try leaveApproved(record) { return }
            case .takeover:
                if let kind = record.kind { return try leaveToCreator(kind, id: record.documentID) }
            case .stateByOthers:
                if try putTogetherIfLost(record) { return }
            case .district, .move, .handOver, .creator, .lastChange, .otherChange, .deletion, .version, .office, .other:
                break
            }
            try collection(record).offerAgain(id: record.documentID)
        }
    }

    /// - Returns: false where there is nothing to take back.
    private func leaveToSupervisors(_ kind: RecordKind, id: String) throws -> Bool {
        let collection = collection(of: kind)
        guard let document = try collection.document(id: id), let before = try gatewayBody(of: kind, id) else {
            return false
        }
        let left = document.body.leavingToSupervisors(what: before, of: kind, id: id)
        guard left != document.body else { return false }
        try collection.save(bodies: [(id, left.bytes)])
        return true
    }

    /// A gateway that was restored does not know the return any more after which an inspection was handed in again, and takes
    /// its reason for an inspector's own note: the inspection goes without it. Where it was changed here since, it is put
    /// together with what the gateway has now.
    ///
    /// - Returns: false where there is no such reason.
    private func withdrawLostReview(of record: RefusedRecord) throws -> Bool {
        let id = record.documentID
        guard let kind = record.kind, var body = try collection(of: kind).document(id: id)?.body else { return false }
        let before = body
        Supervision.takeBack(from: &body, kind: kind)
        guard body != before else { return false }
        guard try isLostAtGateway(record) else {
            try putTogetherNext(kind, id: id, body: body)
            return true
        }
        try collection(of: kind).save(bodies: [(id, body.bytes)])
        try collection(of: kind).forgetBase(of: id)
        return true
    }

    /// Whether the gateway has had the version that it refuses now.
    public func isLostAtGateway(_ record: RefusedRecord) throws -> Bool {
        try collection(record).exchange(of: record.documentID)?.isSent == true
    }

    /// Whether it has not left the outbox since it was read.
    public func isRefused(_ record: RefusedRecord) throws -> Bool { try push(of: record) != nil }

    private func push(of record: RefusedRecord) throws -> RejectedPush? {
        let name = try CollectionName(parsing: record.collection)
        return try database.rejectedPushes(of: record.documentID, in: name).first { $0.number == record.number }
    }

    /// Leaves it as it is; syncs go on trying it, and say nothing as long as the gateway's reason is the same.
    public func keepRefused(_ record: RefusedRecord) throws { try database.acknowledgeRejection(record.number) }

    /// Gives it up: the gateway's version comes back, or, where the gateway has none, nothing is left of it; of a new
    /// inspection neither its new findings.
    public func discardRefused(_ record: RefusedRecord) throws -> Discarded {
        var reversal: Reversal?
        try database.inBatch {
            for finding in try newFindings(of: record) { _ = try findings.collection.purgeIfUnsent(id: finding.id) }
            // A version that was taken away must not stay here either.
            if !record.isTakenAway { reversal = try collection(record).revert(id: record.documentID) }
            // What the gateway had, and refuses now, is not what it has.
            if record.isTakenAway || reversal == .unchanged {
                try collection(record).purgeToBeFetched(id: record.documentID)
                reversal = .purgedToBeFetched
            }
        }
        return switch reversal {
        case .purged, nil: .purged
        case .reverted, .unchanged: .reverted
        case .purgedToBeFetched: .comesBack
        }
    }

    /// The findings that go with a new inspection when that is given up.
    public func newFindings(of record: RefusedRecord) throws -> [Finding] {
        guard record.kind == .inspection, record.change == .new else { return [] }
        return try findings.all(ofInspection: record.documentID).records.filter { finding in
            try findings.collection.exchange(of: finding.id)?.isKnownToRemotes == false
        }
    }

    /// For a gateway at another address, which may be the same one: it is asked about all that was refused, and what it refuses
    /// once more is listed once.
    public func forgetRefusals() throws {
        for push in try database.rejectedPushes() { try collection(push)?.forgetRefusals(of: push.documentID) }
    }

    /// Forgets refused deletions of records that the gateway never had: there is nothing to be deleted anywhere.
    public func forgetDeletionsOfNewRecords() throws {
        for push in try database.rejectedPushes() {
            guard let collection = try collection(push),
                try collection.exchange(of: push.documentID)?.isDeleted == true
            else { continue }
            _ = try collection.purgeIfUnsent(id: push.documentID)
        }
    }
}

extension JSONObject {
    /// With what supervisors have said of the record, and with what they are asked about it, as the gateway has it. A state
    /// in which the record is by now is its inspector's: they may have handed it in.
    fileprivate func leavingToSupervisors(what before: JSONObject, of kind: RecordKind, id: String) -> JSONObject {
        let question = RecordConflict(kind, id: id, object: before)?.ofSupervisors
        let paths = (question?.fields.map(\.path) ?? []) + (kind == .inspection ? [RecordConflict.review] : [])
        var body = self
        for path in paths where path != RecordConflict.status { body[path.member] = before[path.member] }
        var contested = ContestedValues(of: body)
        contested.remove(Set(paths))
        for value in ContestedValues(of: before).values {
            switch value.subject {
            case .field(let path): if paths.contains(path) { contested.insert(value) }
            case .deletion: if question?.deletion != nil { contested.insert(value) }
            }
        }
        contested.write(to: &body)
        return body
    }
}
