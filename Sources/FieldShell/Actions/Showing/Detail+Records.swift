import DocumentValues
import FieldModels
import FieldRecords

extension Detail {
    init(
        _ record: some FieldRecord, clock: LocalClock, title: String, fields: [(String, String?)]
    ) {
        let reference = RecordReference(type(of: record).kind, id: record.id)
        let envelope: [(String, String?)] = [
            ("District", record.district?.code), ("Created by", record.envelope.createdBy),
            ("Changed by", record.envelope.changedBy), ("Changed", record.envelope.changedAt.map(clock.text)),
            ("From", record.envelope.source?.file), ("Id", reference.shortID),
        ]
        self.init(
            title: title, reference: reference,
            fields: (fields + envelope).compactMap { label, value in
                value.flatMap { $0.isEmpty ? nil : Field(label: label, value: $0) }
            }, object: record.identifiedObject)
        add("Cannot be read", lines: record.envelope.damage.map(\.description.printableLine))
    }

    mutating func add(_ title: String, lines: [String], evenEmpty: Bool = false) {
        if evenEmpty || !lines.isEmpty { sections.append(Section(title: title, lines: lines)) }
    }

    /// A record that is not among the records any more.
    ///
    /// - Parameters:
    ///   - head: fields before those of the record.
    ///   - record: the detail that `show` would give of it; `nil` if it cannot be read.
    init(title: String, head: [Field], of record: Detail?, advice: [String], object: JSONObject) {
        self.init(
            title: title, reference: record?.reference, fields: head + (record?.fields ?? []),
            sections: (record?.sections ?? []) + [Section(title: "What you can do", lines: advice)], object: object)
    }
}
