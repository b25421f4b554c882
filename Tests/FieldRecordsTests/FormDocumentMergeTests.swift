import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Two laptops that publish forms without knowledge of each other.
@Suite struct FormDocumentMergeTests {
    private static func version(_ label: String) -> JSONObject {
        [
            "type": "form", "schema": 2, "form": "well", "version": "1", "title": "Well", "digest": .string(label),
            "nodes": [["name": "a", "type": "text", "label": .string(label)]], "channels": ["!"],
        ]
    }

    private static func head(_ current: String, _ versions: JSONValue) -> JSONObject {
        [
            "type": "form", "schema": 2, "form": "well", "current": .string(current), "state": "open", "title": "Well",
            "versions": versions, "channels": ["!"],
        ]
    }

    /// The questions of both would be a form that no person has checked.
    @Test func aVersionIsTakenAsAWhole() {
        let (mine, theirs) = (Self.version("Mine"), Self.version("Theirs"))
        #expect(RecordMerge.merge(.form, base: nil, a: mine, b: theirs, held: .b) == theirs)
        #expect(RecordMerge.merge(.form, base: nil, a: theirs, b: mine, held: .a) == theirs)
        let one = RecordMerge.merge(.form, base: nil, a: mine, b: theirs)
        #expect(one == RecordMerge.merge(.form, base: nil, a: theirs, b: mine) && (one == mine || one == theirs))
    }

    @Test func aHeadNamesTheVersionsOfBoth() throws {
        let base = Self.head("1", ["1"])
        let merged = RecordMerge.merge(
            .form, base: base, a: Self.head("2", ["1", "2"]), b: Self.head("3", ["1", "3"]), held: .b)
        let versions = try #require(merged?["versions"]?.arrayValue).compactMap(\.stringValue)
        #expect(versions.sorted() == ["1", "2", "3"])
        #expect(["2", "3"].contains(merged?["current"]?.stringValue ?? ""))
        // Which one new records take is for people to decide.
        let conflict = RecordConflict(.form, id: "well", object: try #require(merged))
        #expect(conflict?.fields.map(\.path) == [FieldPath("current")])
    }
}
