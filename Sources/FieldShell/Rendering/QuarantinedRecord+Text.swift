import DocumentValues
import FieldModels
import FieldRecords

extension QuarantinedRecord {
    var change: String { isDeleted ? "deletion" : "edits" }

    private var isTitled: Bool { !title.isExactly(documentID) }

    /// `inspection k3m9x2pq7d, Old mill, 2026-11-22 routine`.
    var line: String {
        (isDeleted ? "deleted " : "") + "\(kind?.rawValue ?? "document") \(shortID)" + (isTitled ? ", \(title)" : "")
    }

    /// `inspection Old mill, 2026-11-22 routine`: its title for people, or else its id.
    var titledName: String { "\(kind?.rawValue ?? "document") \(isTitled ? title : shortID)".printableLine }

    var object: JSONObject {
        [
            "number": .number(JSONNumber(id)), "collection": .string(collection), "_id": .string(documentID),
            "title": .string(title), "reason": .string(reason), "at": .string(moment.description),
            "deleted": .bool(isDeleted), "body": .object(body),
        ]
    }
}
