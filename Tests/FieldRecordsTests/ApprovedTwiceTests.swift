import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Two supervisors approve one inspection at once, on laptops that have different photos of it.
@Suite struct ApprovedTwiceTests {
    private func approved(_ photo: String, by name: String) -> JSONObject {
        [
            "type": "inspection", "site": "site-mill", "status": "approved", "changedBy": .string(name),
            "photos": [["name": "door.jpg", "blob": ["@type": "blob", "digest": .string("sha1-" + photo)]]],
        ]
    }

    /// The gateway has the version that one of them approved, and accepts no change of it.
    @Test(arguments: [MergeSide.Letter.a, .b]) func thePhotosThatTheGatewayHasKeepTheirNames(held: MergeSide.Letter)
        throws
    {
        var base = approved("", by: "mara")
        (base["status"], base["photos"]) = ("submitted", [])
        let sides = (approved("aaaaaaaaaaaa", by: "ines"), approved("bbbbbbbbbbbb", by: "olga"))
        let merged = try #require(
            RecordMerge.merge(.inspection, base: base, a: sides.0, b: sides.1, held: held)?["photos"]?.arrayValue)
        let kept = try #require((held == .a ? sides.0 : sides.1)["photos"]?.arrayValue?.first)
        #expect(merged.count == 2 && merged.contains(kept), "\(merged)")
        #expect(Set(merged.compactMap { $0["name"]?.stringValue }).count == 2)
    }

    /// Both have added a photo after the approval that both know.
    @Test(arguments: [MergeSide.Letter.a, .b]) func aPhotoThatTheGatewayHasAddedKeepsItsName(held: MergeSide.Letter)
        throws
    {
        var base = approved("", by: "ines")
        base["photos"] = []
        let sides = (approved("aaaaaaaaaaaa", by: "mara"), approved("bbbbbbbbbbbb", by: "tomas"))
        let merged = try #require(
            RecordMerge.merge(.inspection, base: base, a: sides.0, b: sides.1, held: held)?["photos"]?.arrayValue)
        let kept = try #require((held == .a ? sides.0 : sides.1)["photos"]?.arrayValue?.first)
        #expect(merged.count == 2 && merged.contains(kept), "\(merged)")
    }

    /// One of them is no supervisor: the gateway's version was approved, and the other person's values have to be
    /// decided on.
    @Test func theApprovalThatTheGatewayHasIsKept() throws {
        func version(_ name: String, notes: String?, status: String = "approved") -> JSONObject {
            var version = approved("", by: name)
            version["status"] = .string(status)
            version["photos"] = []
            version["notes"] = notes.map { .string($0) }
            let change: JSONObject = [
                "by": .string(name), "at": .string(name == "tomas" ? "2030-01-01T00:00:00Z" : "2026-01-01T00:00:00Z"),
                "device": "x", "fields": ["notes", "status"],
            ]
            version["fieldChanges"] = [.object(change)]
            return version
        }
        let base = version("mara", notes: nil, status: "draft")
        let (real, own) = (version("sofia", notes: nil), version("tomas", notes: "typed offline"))
        let merged = try #require(RecordMerge.merge(.inspection, base: base, a: own, b: real, held: .b))
        #expect(FieldChanges(of: merged).last(of: [FieldPath("status")])?.by == "sofia")
        #expect(merged["notes"] == nil)
        let open = ContestedValues(of: merged).fields[FieldPath("notes")] ?? []
        #expect(open.contains { $0.value == "typed offline" })
    }
}
