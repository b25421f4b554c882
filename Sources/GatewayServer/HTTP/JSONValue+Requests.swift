import DocumentValues
import GatewayCore

extension JSONValue {
    /// The strings of an array that holds nothing else.
    var texts: [String]? {
        guard let array = arrayValue, case let texts = array.compactMap(\.stringValue), texts.count == array.count
        else {
            return nil
        }
        return texts
    }

    /// The refusal of what should have been a document.
    var wrongDocument: GatewayError {
        let kind =
            switch self {
            case .null: "null"
            case .bool: "bool"
            case .number: "number"
            case .string: "string"
            case .array: "array"
            case .object: "object"
            }
        return GatewayError(400, "Bad JSON: json: cannot unmarshal \(kind) into Go value of type db.Body")
    }
}
