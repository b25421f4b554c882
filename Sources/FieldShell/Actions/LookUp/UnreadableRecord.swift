import DocumentValues
import FieldModels
import FieldRecords

/// A document that is no proper record of its kind.
struct UnreadableRecord: UserFacingError {
    let description: String

    init(_ error: RecordError) {
        let name = "\(error.kind.rawValue) \(RecordReference.short(error.id, kind: error.kind))"
        description =
            "The \(name) is damaged and cannot be shown: " + error.problems.map(\.description).joined(separator: "; ")
            + ".\(Self.advice(error))"
    }
}

extension UnreadableRecord {
    /// Empty if the user cannot type the missing values.
    private static func advice(_ error: RecordError) -> String {
        let fields = VitalFields.of(error.kind, with: error.problems).map { "\($0.name)=…" }.joined(separator: " ")
        guard !fields.isEmpty else { return "" }
        return " Set what it lacks: edit \(RecordReference.short(error.id, kind: error.kind).printableLine) \(fields)"
    }
}
