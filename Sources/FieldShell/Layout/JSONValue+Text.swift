import DocumentValues
import FieldModels
import FieldRecords

extension JSONValue {
    /// A value as text for a person: lists and objects as their values one after the other.
    var text: String? {
        switch self {
        case .null, .bool, .number, .string: cell
        case .array(let elements): elements.compactMap(\.text).joined(separator: ", ")
        case .object(let object): object.members.compactMap(\.value.text).joined(separator: ", ")
        }
    }
}
