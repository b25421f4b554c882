import DocumentValues
import Fieldbook
import Foundation

/// Documents as the commands write and read them: JSON with `_id`, `_rev` and `_sequence`.
enum DocumentText {
    static func line(_ document: Document) -> String {
        var object: JSONObject = ["_id": .string(document.id)]
        if let revision = document.revisionID { object["_rev"] = .string(revision) }
        object["_sequence"] = .number(JSONNumber(document.sequence))
        return object.setting(document.body).description
    }

    /// Reads an object, without the members that `line` adds.
    ///
    /// - Returns: the id in `_id`, if there is one, and the document's members.
    static func read(_ bytes: [UInt8]) throws -> (id: String?, body: JSONObject) {
        let object: JSONObject
        do { object = try JSONObject(parsing: bytes, halves: .refused) } catch {
            throw CommandFailure("The input is not a JSON object: \(error).")
        }
        return (object["_id"]?.stringValue, object.filter { !["_id", "_rev", "_sequence"].contains($0) })
    }
}
