import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Sends records that wait for another user's lost laptop as the person's own records and changes.
struct LostLaptopCommand {
    let session: ShellSession

    /// After one question.
    ///
    /// - Parameter user: whose laptop is lost.
    func run(_ user: String) throws -> Done {
        let field = try session.field()
        let name = user.printableLine
        let awaited = try field.outbox.all().filter { $0.awaits == .anotherLaptop && $0.hasContent }
        let records = awaited.filter { $0.sender.isExactly(user) }
        guard !records.isEmpty else {
            let names = Self.senders(of: awaited).joined(separator: ", ")
            throw UsageError(
                "Nothing in the outbox waits for the laptop of '\(name)'.",
                hint: names.isEmpty ? "What is there: outbox" : "It waits for: \(names)")
        }
        guard try session.consents(to: Self.question(records.count, of: name)) else {
            return Done("Nothing was changed.", object: ["retried": 0])
        }
        return try send(records)
    }

    private static func question(_ count: Int, of name: String) -> String {
        let isOne = count == 1
        return "\(count.of("record")) \(isOne ? "comes" : "come") back when the laptop of \(name) syncs. If that "
            + "laptop is lost, \(isOne ? "it" : "they") can be sent as yours. Send \(isOne ? "it" : "all of them") as that?"
    }

    private func send(_ records: [RefusedRecord]) throws -> Done {
        let field = try session.field()
        let left = try field.database.inBatch {
            let left = try field.outbox.settle(records) { try field.outbox.bringBack($0, by: session.author()) }
            try field.journal.noteWhole("outbox retry", by: session.author())
            return left
        }
        let retried = records.count - left.count
        let sent = "\(retried.of("record")) \(retried == 1 ? "is" : "are") sent as yours with the next sync: sync"
        let stays = left.map { $0.record.stays(because: $0.reason) }
        return Done(
            ((retried > 0 ? [sent] : []) + stays).joined(separator: "\n"),
            object: ["retried": .int(retried), "left": .int(left.count)])
    }

    /// What to do about the laptops that records wait for.
    static func advice(on records: [RefusedRecord]) -> String {
        let users = senders(of: records.filter { $0.awaits == .anotherLaptop && $0.hasContent })
        guard let first = users.first else { return "" }
        return users.count == 1
            ? " If \(first)'s laptop is lost, send them as yours: outbox retry of \(LineText.quoted(first))"
            : " If one of these laptops is lost, send its records as yours: outbox retry of NAME, where NAME is one of "
                + users.joined(separator: ", ")
    }

    /// Each once, in the order in which they come.
    private static func senders(of records: [RefusedRecord]) -> [String] {
        var seen: Set<Name> = []
        return records.compactMap { record in
            guard let sender = record.sender, seen.insert(Name(sender)).inserted else { return nil }
            return sender.printableLine
        }
    }
}
