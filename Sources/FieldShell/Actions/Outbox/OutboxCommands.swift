import FieldModels
import FieldRecords

/// Shows refused records, and decides about them.
struct OutboxCommands {
    let session: ShellSession

    func run(_ action: OutboxAction) throws -> CommandResult {
        switch action {
        case .list:
            return .outbox(try list())
        case .show(let text):
            let record = try OutboxFinder(session: session).find(text)
            let advice = try OutboxAdvice(session: session).lines(about: record)
            return .detail(Detail(of: record, advice: advice, session.environment.clock))
        case .retry(let text?):
            return .done(try OutboxRetry(session: session).retry(try OutboxFinder(session: session).find(text)))
        case .retry(nil): return .done(try OutboxRetry(session: session).retryAll())
        case .retryOf(let user): return .done(try LostLaptopCommand(session: session).run(user))
        case .keep(let text?):
            return .done(try OutboxKeeping(session: session).keep(try OutboxFinder(session: session).find(text)))
        case .keep(nil): return .done(try OutboxKeeping(session: session).keepAll())
        case .discard(let text?):
            return .done(
                try OutboxDiscarding(session: session).discardOne(try OutboxFinder(session: session).find(text)))
        case .discard(nil): return .done(try OutboxDiscarding(session: session).discardAll())
        }
    }

    /// The numbers on the screen are those of the outbox from then on.
    private func list() throws -> [RefusedRecord] {
        let records = try session.field().outbox.all()
        session.number(
            LastList(numbered: records.compactMap { record in record.reference.map { (Int(record.number), $0) } }))
        for record in records { session.shown.outboxNumbers[record.number] = record.reference }
        return records
    }
}

extension RefusedRecord {
    /// `nil` for a document that is no record.
    fileprivate var reference: RecordReference? { kind.map { RecordReference($0, id: documentID) } }
}
