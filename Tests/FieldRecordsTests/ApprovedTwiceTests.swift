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

    /// The gateway has what one of them approved, and takes no change of it.
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
}
