import DocumentValues
import Foundation

/// The names of an object's members on their way through Foundation's coders, which take two for one that are canonically
/// equal.
///
/// The encoder asks for the names of a type's members. Those of a dictionary with `String` keys it writes as they are, whatever
/// they begin with, so the mark of a name that was encoded is another one each time.
struct ObjectKeys {
    /// A name in ASCII alone, which nothing else is taken for.
    struct Encoded: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(_ key: any CodingKey, mark: String) {
            let escaped = key.stringValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            stringValue = mark + (escaped ?? key.stringValue)
            intValue = key.intValue
        }

        init?(stringValue: String) { return nil }
        init?(intValue: Int) { return nil }
    }

    /// Of characters that JSON writes as they are.
    private let mark: String

    init() { mark = String(UInt64.random(in: 0 ... .max), radix: 16) + "-" }

    /// What the encoder is to write for a name.
    func encoded(_ path: [any CodingKey]) -> any CodingKey {
        let key = path[path.count - 1]
        return key.stringValue.utf8.allSatisfy { $0 < 0x80 } ? key : Encoded(key, mark: mark)
    }

    /// An encoded object with its names as they were.
    ///
    /// - Throws: `.invalidParameter` where two of them look alike: every decoder takes one for the other.
    func decoded(_ object: JSONObject, from json: Data) throws -> JSONObject {
        guard json.firstRange(of: Array(mark.utf8)) != nil else { return object }
        let decoded = decoded(object)
        var members = LookAlikeMembers(.saving)
        try members.refuse(in: .object(decoded))
        return decoded
    }

    private func decoded(_ object: JSONObject) -> JSONObject {
        JSONObject(members: object.members.map { JSONObject.Member(key: decoded($0.key), value: decoded($0.value)) })
    }

    private func decoded(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object): .object(decoded(object))
        case .array(let elements): .array(elements.map(decoded))
        case .null, .bool, .number, .string: value
        }
    }

    private func decoded(_ key: String) -> String {
        guard key.hasPrefix(mark) else { return key }
        return String(decoding: key.utf8.dropFirst(mark.utf8.count), as: UTF8.self).removingPercentEncoding ?? key
    }

    // MARK: Looking alike

    /// - Throws: `.invalidParameter` where the JSON of a document has two members whose names look alike.
    static func check(_ json: [UInt8], of document: String?) throws {
        // Nearly all names are of ASCII alone.
        guard json.contains(where: { $0 >= 0x80 }) || json.contains(UInt8(ascii: "\\")) else { return }
        var members = LookAlikeMembers(.reading(document: document))
        try members.refuse(in: try JSONValue(parsing: json))
    }
}
