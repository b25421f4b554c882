import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Somebody with write access can make a record as large as a gateway takes: merging it takes no longer than reading it.
@Suite struct MergeWorkTests {
    /// With work that grew with the square, this would take hours.
    @Test(.timeLimit(.minutes(1))) func aRecordOfManyFieldsAndConflictsIsMerged() throws {
        func side(_ mark: Int) -> JSONObject {
            let answers = (0..<10_000).map { JSONObject.Member(key: "q\($0)", value: .int($0 * 10 + mark)) }
            return ["answers": .object(JSONObject(members: answers))]
        }
        let merged = try #require(RecordMerge.merge(.inspection, base: side(0), side(1), side(2)))
        let conflict = try #require(RecordConflict(.inspection, "a", merged))
        #expect(conflict.fields.count == 10_000)
        let choices = Dictionary(
            conflict.fields.map { ($0.path, $0.standing.value ?? .null) }, uniquingKeysWith: { $1 })
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 0))
        let decided = FieldDatabase.decided(merged, conflict, choices, keepsRecord: false, by: author)
        #expect(ContestedValues(of: decided).isEmpty)
        #expect(decided["answers"]?.objectValue?.count == 10_000)
    }
}
