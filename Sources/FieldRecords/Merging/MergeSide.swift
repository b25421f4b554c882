import DocumentValues
import FieldModels

/// One of the two versions of a record that are merged.
struct MergeSide {
    /// Which of the two; nothing may depend on which is which.
    enum Letter {
        case a
        case b

        var other: Letter {
            switch self {
            case .a: .b
            case .b: .a
            }
        }
    }

    let object: JSONObject
    let stamp: VersionStamp
    let contested: ContestedValues
    let changes: FieldChanges

    /// - Parameter base: the version that both came from, by which it is seen whose the fields are of which nothing is noted.
    init(_ object: JSONObject, since base: JSONObject? = nil, of kind: RecordKind? = nil) {
        self.object = object
        stamp = VersionStamp(of: object)
        contested = ContestedValues(of: object)
        let noted = FieldChanges(of: object)
        changes = base.map { noted.completed(object, since: $0, of: kind) } ?? noted
    }
}
