import DocumentValues
import FieldModels
import Testing
import WorkCount

@testable import FieldRecords

/// A user with write access can make a record as large as a gateway accepts: merging it must take no longer than reading
/// it.
@Suite(.serialized) struct MergeWorkTests {
    private static func side(_ count: Int, _ mark: Int) -> JSONObject {
        let answers = (0..<count).map { JSONObject.Member(key: "q\($0)", value: .int($0 * 10 + mark)) }
        return ["answers": .object(JSONObject(members: answers))]
    }

    @Test(.timeLimit(.minutes(2))) func aRecordOfManyFieldsAndConflictsIsMerged() async throws {
        let growth = try await Growth.of(200) { count in
            (count, (0...2).map { Self.side(count, $0) })
        } work: { count, sides in
            let merged = try #require(RecordMerge.merge(.inspection, base: sides[0], a: sides[1], b: sides[2]))
            let conflict = try #require(RecordConflict(.inspection, id: "a", object: merged))
            #expect(conflict.fields.count == count)
            let choices = Dictionary(
                conflict.fields.map { ($0.path, $0.current.value ?? .null) }, uniquingKeysWith: { $1 })
            let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 0))
            let decided = Conflicts.decided(
                merged, conflict: conflict, choices: choices, keepsRecord: false, by: author)
            #expect(ContestedValues(of: decided).isEmpty)
            #expect(decided["answers"]?.objectValue?.count == count)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// Every command reads the open decisions of all records.
    @Test(.timeLimit(.minutes(2)), arguments: [true, false])
    func whatIsToBeDecidedIsFound(isOneField: Bool) async throws {
        let growth = try await Growth.of(200) { count -> JSONObject in
            let stamps: JSONValue = .array(
                (0..<count).map { ["by": "mara", "at": "2026-03-04T10:00:00Z", "fields": [.string("x\($0)")]] })
            let questions: JSONValue = .array(
                (0..<count).map { ["field": .string(isOneField ? "x7" : "x\($0)"), "value": .int($0)] })
            return ["notes": "old", "fieldChanges": stamps, "conflicts": questions]
        } work: { record in
            #expect(RecordConflict(.inspection, id: "a", object: record) != nil)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// Swift's own comparison with the states would take minutes for these.
    @Test(.timeLimit(.minutes(1)), arguments: [RecordKind.inspection, .assignment])
    func aStatusOfManyMarksIsMerged(kind: RecordKind) {
        let marks = "sa" + String(repeating: "\u{301}\u{316}", count: 400_000)
        let base: JSONObject = ["status": "open", "notes": "old"]
        let sides: [JSONObject] = [["status": .string(marks), "notes": "old"], ["status": "done", "notes": "new"]]
        let merged = RecordMerge.merge(kind, base: base, a: sides[0], b: sides[1])
        #expect(merged?["notes"] == "new")
    }
}
