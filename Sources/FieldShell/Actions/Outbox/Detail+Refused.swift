import FieldRecords

extension Detail {
    /// A refused record, and the advice for it.
    init(of record: RefusedRecord, advice: [String], _ clock: LocalClock) {
        self.init(
            title: "\(record.number)  \(record.line)",
            reference: record.kind.map { RecordReference($0, id: record.documentID) },
            fields: [
                Field(label: "Why", value: AdviceText.text(record.reason)),
                Field(label: "Since", value: clock.text(record.since)),
                Field(label: "Last try", value: clock.text(record.last)),
            ] + (record.isKept ? [Field(label: "Kept", value: "yes; syncs do not report it again")] : []),
            sections: [Section(title: "What you can do", lines: advice)], object: record.object)
    }
}
