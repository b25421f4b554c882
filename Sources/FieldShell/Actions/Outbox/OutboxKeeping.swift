import DocumentValues
import FieldRecords

/// Leaves refused records in the outbox, without further reminders by syncs.
struct OutboxKeeping {
    let session: ShellSession

    func keep(_ record: RefusedRecord) throws -> Done {
        try session.field().outbox.keep(record)
        return Done(
            "The \(record.name) stays here as it is. Syncs do not report it again, unless the gateway gives another reason.",
            object: record.object)
    }

    func keepAll() throws -> Done {
        let field = try session.field()
        let records = try field.outbox.unsettled()
        guard !records.isEmpty else { return Done("Nothing in the outbox waits for a decision.", object: ["kept": 0]) }
        for record in records { try field.outbox.keep(record) }
        return Done(
            "\(records.count.of("record")) of the outbox \(records.count == 1 ? "stays" : "stay") here. Syncs do not "
                + "report them again, unless the gateway gives another reason.",
            object: ["kept": .int(records.count)])
    }
}
