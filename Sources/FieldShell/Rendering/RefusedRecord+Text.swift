import DocumentValues
import FieldModels
import FieldRecords

extension RefusedRecord {
    /// `inspection k3m9x2pq7d`.
    var name: String { "\(kind?.rawValue ?? "document") \(shortID)" }

    /// `inspection Old mill, 2026-11-22 routine`: its title for a person who is asked about it; its id if there is no
    /// title.
    var titledName: String { knownTitle != nil ? "\(kind?.rawValue ?? "document") \(title)".printableLine : name }

    /// `new inspection k3m9x2pq7d, 2026-11-22 routine`.
    var line: String {
        let title = knownTitle.map { ", \($0)" } ?? ""
        return switch change {
        case .new: "new \(name)\(title)"
        case .edit: "\(name)\(title)"
        case .deletion, .deletionOfNew: "deleted \(name)\(title)"
        }
    }

    var object: JSONObject {
        [
            "number": .number(JSONNumber(number)), "collection": .string(collection), "_id": .string(documentID),
            "change": .string(change.rawValue), "code": .int(code), "reason": .string(AdviceText.text(reason)),
            "since": .string(since.description), "at": .string(last.description), "kept": .bool(isKept),
            "awaited": .bool(awaits == .anotherLaptop),
        ]
    }

    /// Why it is not sent again, or not given up.
    func stays(because reason: any Error) -> String {
        "Number \(number) stays in the outbox: \(ErrorText.text(reason))"
    }
}
