import DocumentValues
import FieldModels
import FieldRecords

/// Shows the changes of a record, and who made them.
struct LogCommand {
    let session: ShellSession

    func run(_ text: String) throws -> Detail {
        let reference = try RecordFinder(session: session, mayBeGone: true).find(text, among: RecordKind.allCases)
        let field = try session.field()
        let clock = session.environment.clock
        let events = try field.history.log(of: reference.kind, reference.id)
        let deleted = try field.store.isThere(reference.kind, id: reference.id) ? nil : deletedRecord(reference)
        let title =
            try deleted.map { "\($0.title), \($0.how)" }
            ?? RecordFinder.title(reference.kind, id: reference.id, field: field)
        var fields = events.map { event in
            Detail.Field(
                label: event.moment.map(clock.text) ?? "",
                value: (event.author.map { "\($0), " } ?? "") + AdviceText.text(event.advised))
        }
        if let changes = try field.receivedChanges.changes(of: reference) {
            if try field.receivedChanges.lossesOfSettingBack(changes) != nil {
                fields.append(Detail.Field(label: "", value: ChangedByOthersCommands.wayBack(reference)))
            }
            try field.receivedChanges.note([changes], as: .read)
        }
        return Detail(
            title: "\(reference.kind.rawValue) \(reference.shortID), \(title)", reference: reference, fields: fields,
            object: ["_id": .string(reference.id), "events": .array(events.map(Self.object))])
    }

    private static func object(_ event: RecordEvent) -> JSONValue {
        var object: JSONObject = ["what": .string(AdviceText.text(event.advised))]
        object["at"] = event.moment.map { .string($0.description) }
        object["by"] = event.author.map { .string($0) }
        return .object(object)
    }

    private func deletedRecord(_ reference: RecordReference) throws -> DeletedRecord? {
        try session.field().deletions.all().first { $0.reference == reference }
    }
}
