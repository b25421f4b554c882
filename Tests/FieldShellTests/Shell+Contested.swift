import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Records about which something is to be decided.
extension Shell {
    static func contestedEntry(_ field: JSONValue, value: JSONValue?, by: String, device: String) -> JSONValue {
        var entry: JSONObject = ["field": field, "by": .string(by), "device": .string(device)]
        entry["value"] = value
        entry["at"] = "2026-03-04T09:00:00Z"
        return .object(entry)
    }

    /// A draft whose score is 80 here and 60 on another laptop, and whose fridge is 4 here and 9 there.
    func contestedDraft(deletedToo: Bool = false) async throws -> String {
        _ = try await type("new inspection mill form=kitchen fridge=9 score=80 --yes")
        let device = try #require(try session.settings().device)
        let id = try #require(try field.inspections.all().records.first?.id)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: device)
        try field.inspections.update(id, by: author) { inspection in
            inspection.envelope.rest["conflicts"] = .array(
                [
                    Shell.contestedEntry("score", value: 80, by: "mara", device: device),
                    Shell.contestedEntry("score", value: 60, by: "mara", device: "old-laptop"),
                    Shell.contestedEntry(["answers", "fridge"], value: 4, by: "mara", device: device),
                    Shell.contestedEntry(["answers", "fridge"], value: 9, by: "ines", device: "other"),
                ] + (deletedToo ? [["deleted": true]] : []))
        }
        return id
    }
}
