import DocumentValues

/// How far a replication of one collection has come: local sequences that are pushed, remote ones that are pulled.
package struct Checkpoint: Sendable, Hashable {
    package var completed: SequenceRanges
    /// The JSON text of the gateway's sequence.
    package var remote: String?
    /// Of the local sequences up to here, what the gateway is believed to have may be gone: it is proposed again until
    /// all of them are completed. 0 if there is no doubt. Kept on this side only.
    package var doubtful: UInt64
    /// The next session compares it with the gateway's as ever and then starts from the beginning: whether the gateway
    /// has lost anything is known by that alone. Kept on this side only.
    package var isReset = false
    /// Of sessions of this folder: that of the one which wrote the gateway's copy, and here before it that of one which is
    /// about to write it. None in what older versions have written.
    package var marks: [String] = []

    /// No database comes to sequences like this one; two of them can still be added.
    private static let highest = UInt64.max / 4

    package init(completed: SequenceRanges = SequenceRanges(), remote: String? = nil, doubtful: UInt64 = 0) {
        self.completed = completed
        self.remote = remote
        self.doubtful = completed.through < doubtful ? doubtful : 0
    }

    /// From the beginning, with nothing believed.
    package static let compareEverything = Checkpoint(doubtful: everything)

    private static let everything = UInt64(Int64.max)

    /// Members that are missing or of another type count as not there.
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

    /// What is kept here.
    package func localJSON(at now: Instant) -> [UInt8] {
        var object = shared(at: now)
        if doubtful > 0 { object[Self.doubtfulMember] = .number(JSONNumber(doubtful)) }
        if isReset { object[Self.resetMember] = .bool(true) }
        if marks.count > 1 { object[Self.earlierMarkMember] = .string(marks[1]) }
        return object.bytes
    }

    /// What the gateway keeps.
    package func json(at now: Instant) -> [UInt8] { shared(at: now).bytes }

    /// The recorded client's members in its order, and our mark; what has nothing to say is left out.
    private func shared(at now: Instant) -> JSONObject {
        var object: JSONObject = ["time": .number(JSONNumber(now / 1_000))]
        if completed.through > 0 { object["local"] = .number(JSONNumber(completed.through)) }
        if completed.ranges.count > 1 {
            object["localCompleted"] = .array(
                completed.ranges.prefix(ActiveLimits.checkpointRanges).flatMap { range in
                    [range.lowerBound, UInt64(range.count)].map { .number(JSONNumber($0)) }
                })
        }
        // The text came as JSON and is written as it came.
        if let remote { object["remote"] = (try? JSONValue(parsing: remote)) ?? .string(remote) }
        if let mark = marks.first { object[Self.markMember] = .string(mark) }
        return object
    }

    /// Where to start when the gateway's copy says something else (§6.4): with what both agree to be done. If the
    /// gateway knows less than we, or has no copy at all, what we believe it to have may be gone: its copy is always
    /// written before ours, so only a backup is behind.
    ///
    /// A copy that this folder does not know to have written counts other local sequences, however alike they look: nothing
    /// of either is believed.
    ///
    /// After a reset it is the beginning, and what the gateway is known to have is not sent again.
    package func reconciled(with server: Checkpoint?) -> Checkpoint {
        guard let server, mayHaveWritten(server) else { return .compareEverything }
        let common = completed.intersection(server.completed)
        // Documents that were pushed after the last checkpoint are believed to be there, too.
        let doubtful = common == completed && server.hasPulled(asMuchAs: self) ? doubtful : Self.everything
        guard !isReset else { return Checkpoint(doubtful: doubtful) }
        return Checkpoint(completed: common, remote: earlierRemote(than: server), doubtful: doubtful)
    }

    /// A folder that was put back from a copy of itself has written the gateway's copy before, and knows nothing of it. What
    /// older versions have written has no mark.
    private func mayHaveWritten(_ server: Checkpoint) -> Bool {
        guard !marks.isEmpty, let mark = server.marks.first else { return true }
        return marks.contains(mark)
    }

    /// Not what cannot be compared.
    private func hasPulled(asMuchAs other: Checkpoint) -> Bool {
        guard let there = other.remote, there != remote else { return true }
        guard let here = sequence, let there = other.sequence else { return false }
        return !(here < there)
    }

    /// `nil`, the beginning, where the two cannot be compared.
    private func earlierRemote(than server: Checkpoint) -> String? {
        guard remote != server.remote else { return remote }
        guard let own = sequence, let other = server.sequence else { return nil }
        return other < own ? server.remote : remote
    }

    private var sequence: SequenceID? { remote.flatMap { SequenceID(parsing: $0) } }
}
