import DocumentValues
import GatewayCore

extension JSONValue {
    /// The strings of an array that has only strings.
    var texts: [String]? {
        guard let array = arrayValue, case let texts = array.compactMap(\.stringValue), texts.count == array.count
        else {
            return nil
        }
        return texts
    }

    /// The elements of an array, unless there are more than a request may name.
    var rows: [JSONValue]? {
        get throws(GatewayError) {
            guard let array = arrayValue else { return nil }
            try Self.checkRows(array.count)
            return array
        }
    }

    static func checkRows(_ count: Int) throws(GatewayError) {
        guard count <= GatewayServerLimits.bulkRows else {
            throw GatewayError.tooManyRows
        }
    }

    /// The refusal of a body that should have been a document.
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
        return GatewayError.badJSON("json: cannot unmarshal \(kind) into Go value of type db.Body")
    }
}
