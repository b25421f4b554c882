import DocumentValues

/// How far a replication of one collection has come: local sequences that are pushed, remote ones that are pulled.
package struct Checkpoint: Sendable, Hashable {
    package var completed: SequenceRanges
    /// The JSON text of the gateway's sequence.
    package var remote: String?
    /// The next session compares it with the gateway's as ever and then starts from the beginning: whether the gateway
    /// has lost anything is known by that alone. Kept on this side only.
    package var isReset = false

    /// No database comes to sequences like this one; two of them can still be added.
    private static let highest = UInt64.max / 4

    package init(completed: SequenceRanges = SequenceRanges(), remote: String? = nil) {
        self.completed = completed
        self.remote = remote
    }

    /// Members that are missing or of another type count as not there.
    package init(_ object: JSONObject) {
        let flat = (object["localCompleted"]?.arrayValue ?? []).map { $0.numberValue?.uint64 }
        if flat.count >= 2, flat.count.isMultiple(of: 2), flat.allSatisfy({ $0 != nil }) {
            let numbers = flat.compactMap { $0 }.map { min($0, Self.highest) }
            completed = SequenceRanges(
                stride(from: 0, to: numbers.count, by: 2).map { place in
                    numbers[place]..<numbers[place] + numbers[place + 1]
                })
        } else {
            completed = SequenceRanges(through: min(object["local"]?.numberValue?.uint64 ?? 0, Self.highest))
        }
        remote = object["remote"].flatMap { $0.isNull ? nil : $0.description }
        isReset = object[Self.resetMember] == .bool(true)
    }

    /// `nil` for bytes that are no JSON object.
    package init?(parsing bytes: [UInt8]) {
        guard let object = try? JSONObject(parsing: bytes) else { return nil }
        self.init(object)
    }

    private static let resetMember = "reset"
    /// A gateway that was restored from a backup puts it into the checkpoints that it keeps; whoever saves over them
    /// removes it.
    package static let restoredMember = "restored"

    /// Which local changes need no more work.
    package var done: SequenceRanges { isReset ? SequenceRanges() : completed }

    /// What is kept here.
    package func localJSON(at now: Timestamp) -> [UInt8] {
        let shared = json(at: now)
        guard isReset, var object = try? JSONObject(parsing: shared) else { return shared }
        object[Self.resetMember] = .bool(true)
        return object.bytes
    }

    /// What the gateway keeps: the recorded client's members in its order; what has nothing to say is left out.
    package func json(at now: Timestamp) -> [UInt8] {
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
        return object.bytes
    }

    /// Where to start, by what the gateway's copy says (§6.4).
    ///
    /// A checkpoint is saved there first and here when that is acknowledged: so a gateway whose copy is behind ours, or
    /// that has none, was restored from a backup, or made again.
    package func reconciled(with server: JSONObject?) -> CheckpointStart {
        guard let object = server else { return .afterLoss(known: 0) }
        let server = Checkpoint(object)
        let common = completed.intersection(server.completed)
        let isRestored = object[Self.restoredMember] != nil
        if isRestored || common != completed || isBehind(server.remote) { return .afterLoss(known: common.through) }
        if isReset { return .goingOn(Checkpoint()) }
        return .goingOn(Checkpoint(completed: completed, remote: isSame(server.remote) ? remote : nil))
    }

    /// Whether the gateway knows of less that was pulled than we.
    private func isBehind(_ server: String?) -> Bool {
        guard let remote, remote != server else { return false }
        guard let server else { return true }
        guard let own = SequenceID(parsing: remote), let other = SequenceID(parsing: server) else { return false }
        return other < own
    }

    /// Whether two positions are of the same feed: those that cannot be compared are not.
    private func isSame(_ server: String?) -> Bool {
        guard let remote, let server, remote != server else { return remote == server }
        return SequenceID(parsing: remote) != nil && SequenceID(parsing: server) != nil
    }
}

/// Where a session begins.
package enum CheckpointStart: Sendable, Hashable {
    case goingOn(Checkpoint)
    /// The gateway has lost what it had: everything is compared from the beginning, and what was pushed or pulled after
    /// the local sequence `known` may be gone there.
    case afterLoss(known: UInt64)

    package var checkpoint: Checkpoint {
        switch self {
        case .goingOn(let checkpoint): checkpoint
        case .afterLoss(let known): Checkpoint(completed: SequenceRanges(through: known))
        }
    }
}
