import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Has the next sync send refused records again.
struct OutboxRetry {
    let session: ShellSession

    func retry(_ record: RefusedRecord) throws -> Done {
        if record.isNewWithTakenID || record.isTakenAway, let done = try sendUnderNewID(record) { return done }
        try send(record, isNamed: true)
        return Done("The \(record.name) is sent again with the next sync: sync", object: ["retried": 1])
    }

    /// - Returns: `nil` if the user does not agree.
    private func sendUnderNewID(_ record: RefusedRecord) throws -> Done? {
        let why =
            record.isTakenAway
            ? "You may have no access any more to what the gateway has of the \(record.titledName). Yours can go on as a "
                + "record of yours under a "
            : "The gateway has something else under the id of the \(record.titledName). Yours can go on under a "
        guard try session.consents(to: why + "new id, with everything that belongs to it. Do that?") else { return nil }
        let field = try session.field()
        let renamed = try field.database.inBatch {
            let renamed = try field.newIDs.send(record, by: session.author())
            try field.journal.noteWhole("outbox retry", by: session.author())
            return renamed
        }
        return Done(
            "The \(record.name) is \(renamed.shortID) from now on, and is sent with the next sync: sync",
            object: ["retried": 1, "id": .string(renamed.id)])
    }

    func retryAll() throws -> Done {
        let field = try session.field()
        let all = try field.outbox.all()
        guard !all.isEmpty else { return Done("The outbox is empty.", object: ["retried": 0]) }
        // Records of others are sent by their laptops, and by this one only if the user has confirmed it for each.
        let records = all.filter { $0.awaits != .anotherLaptop }
        let ofOthers = all.count - records.count
        let left = try field.outbox.settle(records) { try send($0, isNamed: false) }
            .map { $0.record.stays(because: $0.reason) }
        let retried = records.count - left.count
        let sent = "\(retried.of("record")) \(retried == 1 ? "is" : "are") sent again with the next sync: sync"
        let waiting =
            "\(ofOthers.of("record")) of others \(ofOthers == 1 ? "waits" : "wait") for the laptop of the person who made it."
            + LostLaptopCommand.advice(on: all)
        return Done(
            ((retried > 0 ? [sent] : []) + left + (ofOthers > 0 ? [waiting] : [])).joined(separator: "\n"),
            object: ["retried": .int(retried), "left": .int(left.count + ofOthers)])
    }

    private func send(_ record: RefusedRecord, isNamed: Bool) throws {
        let field = try session.field()
        guard try isBroughtBack(record, isNamed: isNamed) else { return try field.outbox.retry(record) }
        try field.database.inBatch {
            try field.outbox.bringBack(record, by: session.author())
            try field.journal.noteWhole("outbox retry", by: session.author())
        }
    }

    /// Whether it is sent as a record of the person's own. Sending all of them again decides that of none.
    private func isBroughtBack(_ record: RefusedRecord, isNamed: Bool) throws -> Bool {
        guard record.hasContent else { return false }
        if record.retryOffer == .asOwn { return true }
        guard isNamed, let question = RetryText(record).question else { return false }
        return try session.consents(to: question)
    }
}
