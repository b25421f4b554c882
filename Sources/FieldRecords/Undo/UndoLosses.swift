import DocumentValues

/// The values that a change brought into older records, and that are lost when it is taken back, since they are nowhere
/// else.
public struct UndoLosses: Sendable, Hashable {
    public struct Text: Sendable, Hashable {
        public let record: RecordReference
        /// An answer's by its name.
        @Exact public private(set) var field: String
        @Exact public private(set) var text: String
    }

    public struct Photos: Sendable, Hashable {
        public let record: RecordReference
        public let names: [Name]
    }

    public private(set) var texts: [Text] = []
    public private(set) var photos: [Photos] = []

    /// - Parameters:
    ///   - before: the version that the record gets again.
    ///   - present: its present version.
    mutating func add(_ record: RecordReference, before: JSONObject, present: JSONObject) {
        texts += RecordDifference.fields(from: before, to: present).compactMap { field in
            guard let text = field.new?.stringValue, !text.isEmpty else { return nil }
            return Text(record: record, field: field.name, text: text)
        }
        let lost = PhotoList(of: present).names(missingIn: PhotoList(of: before))
        if !lost.isEmpty { photos.append(Photos(record: record, names: lost)) }
    }
}
