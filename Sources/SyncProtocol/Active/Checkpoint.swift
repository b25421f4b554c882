import DocumentValues

/// How far a replication of one collection has come: local sequences that are pushed, remote ones that are pulled.
package struct Checkpoint: Sendable, Hashable {
    package var completed: SequenceRanges
    /// The JSON text of the gateway's sequence.
    package var remote: String?
    /// The gateway may have lost revisions with local sequences up to this one, although it is believed to have them.
    /// They are proposed again until all of them are completed. 0 if there is no doubt. Kept on this side only.
    package var doubtful: UInt64
    /// The next session starts from the beginning. It compares the checkpoint with the gateway's copy all the same,
    /// since only that shows whether the gateway has lost anything. Kept on this side only.
    package var isReset = false
    /// Marks of sessions of this folder. The gateway's copy has the mark of the session that wrote it; on this side, the
    /// mark of a session that is about to write it comes first. Checkpoints of older versions have none.
    package var marks: [String] = []

    /// No database reaches such a sequence, and the sum of two of them does not overflow.
    private static let highest = UInt64.max / 4

    package init(completed: SequenceRanges = SequenceRanges(), remote: String? = nil, doubtful: UInt64 = 0) {
        self.completed = completed
        self.remote = remote
        self.doubtful = completed.through < doubtful ? doubtful : 0
    }

    /// Starts from the beginning, and compares all documents with the gateway's.
    package static let compareEverything = Checkpoint(doubtful: everything)

    private static let everything = UInt64(Int64.max)

    /// Members of a wrong type count as missing.
    package init(_ object: JSONObject) {
        let flat = (object["localCompleted"]?.arrayValue ?? []).map { $0.numberValue?.uint64 }
        if flat.count >= 2, flat.count.isMultiple(of: 2), flat.allSatisfy({ $0 != nil }) {
            let numbers = flat.compactMap { $0 }.map { min($0, Self.highest) }
            completed = SequenceRanges(
                stride(from: 0, to: numbers.count, by: 2).map { index in
                    numbers[index]..<numbers[index] + numbers[index + 1]
                })
        } else {
            completed = SequenceRanges(through: min(object["local"]?.numberValue?.uint64 ?? 0, Self.highest))
        }
        remote = object["remote"].flatMap { $0.isNull ? nil : $0.description }
        doubtful = object[Self.doubtfulMember]?.numberValue?.uint64 ?? 0
        isReset = object[Self.resetMember] == .bool(true)
        marks = [object[Self.markMember], object[Self.earlierMarkMember]].compactMap { $0?.stringValue }
    }

    /// `nil` for bytes that are no JSON object.
    package init?(parsing bytes: [UInt8]) {
        guard let object = try? JSONObject(parsing: bytes) else { return nil }
        self.init(object)
    }

    private static let doubtfulMember = "doubtful"
    private static let resetMember = "reset"
    private static let markMember = "mark"
    private static let earlierMarkMember = "earlierMark"

    /// Which local changes need no more work.
    package var done: SequenceRanges { isReset ? SequenceRanges() : completed }

    /// The copy on this side.
    package func localJSON(at now: Instant) -> [UInt8] {
        var object = shared(at: now)
        if doubtful > 0 { object[Self.doubtfulMember] = .number(JSONNumber(doubtful)) }
        if isReset { object[Self.resetMember] = .bool(true) }
        if marks.count > 1 { object[Self.earlierMarkMember] = .string(marks[1]) }
        return object.bytes
    }

    /// The gateway's copy.
    package func json(at now: Instant) -> [UInt8] { shared(at: now).bytes }

    /// The members that the recorded client writes, in its order, and our mark, without empty ones.
    private func shared(at now: Instant) -> JSONObject {
        var object: JSONObject = ["time": .number(JSONNumber(now / 1_000))]
        if completed.through > 0 { object["local"] = .number(JSONNumber(completed.through)) }
        if completed.ranges.count > 1 {
            object["localCompleted"] = .array(
                completed.ranges.prefix(ActiveLimits.checkpointRanges).flatMap { range in
                    [range.lowerBound, UInt64(range.count)].map { .number(JSONNumber($0)) }
                })
        }
        // The gateway sent the text as JSON; it is written without a change.
        if let remote { object["remote"] = (try? JSONValue(parsing: remote)) ?? .string(remote) }
        if let mark = marks.first { object[Self.markMember] = .string(mark) }
        return object
    }

    /// The start for a gateway whose copy may differ (§6.4): with the changes that are completed in both copies. If the
    /// gateway's copy has less than ours, or there is none, the gateway may have lost revisions: its copy is always
    /// written before ours, so it can only be behind after a backup was restored.
    ///
    /// If this folder did not write the gateway's copy, its local sequences are those of another folder, even if they look
    /// alike: then neither copy is used.
    ///
    /// After a reset, the start is the beginning; revisions that the gateway is known to have are not sent again.
    package func reconciled(with server: Checkpoint?) -> Checkpoint {
        guard let server, mayHaveWritten(server) else { return .compareEverything }
        let common = completed.intersection(server.completed)
        // The doubt includes documents that were pushed after the last checkpoint, which the gateway is also believed
        // to have.
        let doubtful = common == completed && server.hasPulled(asMuchAs: self) ? doubtful : Self.everything
        guard !isReset else { return Checkpoint(doubtful: doubtful) }
        return Checkpoint(completed: common, remote: earlierRemote(than: server), doubtful: doubtful)
    }

    /// False for a folder that was restored from a copy of itself: the gateway's copy was written later, by a session that
    /// the restored folder does not know. Checkpoints of older versions have no mark, and count as written.
    private func mayHaveWritten(_ server: Checkpoint) -> Bool {
        guard !marks.isEmpty, let mark = server.marks.first else { return true }
        return marks.contains(mark)
    }

    /// False if the two cannot be compared.
    private func hasPulled(asMuchAs other: Checkpoint) -> Bool {
        guard let there = other.remote, there != remote else { return true }
        guard let here = sequence, let there = other.sequence else { return false }
        return !(here < there)
    }

    /// `nil`, the beginning, if the two cannot be compared.
    private func earlierRemote(than server: Checkpoint) -> String? {
        guard remote != server.remote else { return remote }
        guard let own = sequence, let other = server.sequence else { return nil }
        return other < own ? server.remote : remote
    }

    private var sequence: SequenceID? { remote.flatMap { SequenceID(parsing: $0) } }
}
