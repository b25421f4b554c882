import DocumentValues
import FieldModels
import FieldRecords

extension Detail {
    /// A record in quarantine; member by member if it cannot be read.
    init(of kept: QuarantinedRecord, _ field: FieldDatabase, clock: LocalClock) throws {
        let record = try kept.kind.flatMap { kind in
            kept.isDeleted
                ? nil : try DetailBuilder(field, clock: clock).detail(of: kind, kept.documentID, body: kept.body)
        }
        let members = kept.body.filter { $0 != "type" && $0 != "schema" }.compactMap { member in
            member.value.text.map { Field(label: member.key, value: $0) }
        }
        self.init(
            title: "\(kept.id)  \(kept.line)",
            head: [
                Field(label: "Why", value: kept.reason), Field(label: "Since", value: clock.text(kept.moment)),
            ] + (record == nil ? members : []), of: record,
            advice: [
                kept.isDeleted
                    ? "Delete the record again, if it is here again: quarantine restore \(kept.id)"
                    : "Make it a record again, which the next sync sends: quarantine restore \(kept.id)",
                "Forget it for good: quarantine discard \(kept.id)",
            ], object: kept.object)
        if let changes = kept.changes, !changes.isEmpty {
            sections.insert(Section(title: "Changed here, and never sent", lines: changes), at: 0)
        }
    }
}
