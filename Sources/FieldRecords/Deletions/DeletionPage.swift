import DocumentStore
import DocumentValues
import FieldModels

/// A document of the collection of deletions.
struct DeletionPage {
    let kind: RecordKind
    let id: String
    let title: String
    let before: JSONObject
    let isTied: Bool
    var isSeen = false

    private static let prefix = "deletion-"
    private static let digits = 12

    /// They sort by their numbers.
    static func key(_ number: Int) -> String { prefix + number.padded(to: digits) }

    static func number(of key: String) -> Int? {
        guard key.utf8.starts(with: prefix.utf8) else { return nil }
        return Int(String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }

    var body: [UInt8] {
        let whole = bytes(of: before)
        if JSONObject.readable(whole) != nil { return whole }
        return bytes(of: before.filter { JSONObject.readable(bytes(of: [$0: before[$0] ?? .null])) != nil })
    }

    private func bytes(of before: JSONObject) -> [UInt8] {
        var object: JSONObject = [
            "kind": .string(kind.rawValue), "id": .string(id), "title": .string(title), "before": .object(before),
        ]
        if isTied { object["tied"] = true }
        if isSeen { object["seen"] = true }
        return object.bytes
    }
}

extension DeletionPage {
    /// `nil` for a page that this version cannot read.
    init?(_ body: [UInt8]) {
        guard let object = JSONObject.readable(body),
            let kind = object["kind"]?.stringValue.flatMap({ RecordKind(exactly: $0) }),
            let id = object["id"]?.stringValue, let title = object["title"]?.stringValue,
            let before = object["before"]?.objectValue
        else { return nil }
        self.init(
            kind: kind, id: id, title: title, before: before, isTied: object["tied"] == true,
            isSeen: object["seen"] == true)
    }
}
