import DocumentValues
import FieldModels
import FieldRecords

/// A record that cannot be read, its problems, and the way to repair it.
struct DamagedRecord: CustomStringConvertible {
    let description: String

    init(_ reference: RecordReference, problems: [FieldProblem]) {
        let name = "\(reference.kind.rawValue) \(reference.shortID)".printableLine
        let wrong = problems.map(\.description).joined(separator: "; ")
        let fields = VitalFields.of(reference.kind, with: problems).map { "\($0.name)=…" }.joined(separator: " ")
        let id = reference.shortID.printableLine
        description = "The \(name) is damaged: \(wrong). Set that alone first: edit \(id) \(fields)"
    }
}
