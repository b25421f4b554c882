import DocumentValues
import Testing

@testable import FieldRecords

/// Photos of one record that came together under one name.
@Suite struct PhotoNameTests {
    private func photos(_ photos: [(String, String)]) -> JSONValue {
        .array(photos.map { ["name": .string($0.0), "blob": ["digest": .string("sha1-" + $0.1)]] })
    }

    private func names(_ photos: JSONValue) -> [Name] {
        (PhotoNames.unique(photos).arrayValue ?? []).compactMap { ($0["name"]?.stringValue).map { Name($0) } }
    }

    @Test(
        arguments: [
            ([("a.jpg", "1"), ("b.jpg", "2")], ["a.jpg", "b.jpg"]),
            ([("a.jpg", "1"), ("a.jpg", "abcdefgh")], ["a.jpg", "a-abcdef.jpg"]),
            // Another photo already has the new name: before it, and after it.
            (
                [("a-abcdef.jpg", "1"), ("a.jpg", "2"), ("a.jpg", "abcdefghijklmn")],
                ["a-abcdef.jpg", "a.jpg", "a-abcdefghijkl.jpg"]
            ),
            (
                [("a.jpg", "2"), ("a.jpg", "abcdefghijklmn"), ("a-abcdef.jpg", "1")],
                ["a.jpg", "a-abcdefghijkl.jpg", "a-abcdef.jpg"]
            ),
            (
                [("a.jpg", "abc"), ("a.jpg", "abc"), ("a.jpg", "abc"), ("a.jpg", "abc")],
                ["a.jpg", "a-abc.jpg", "a-abc-2.jpg", "a-abc-3.jpg"]
            ),
            ([("\u{E9}", "1"), ("e\u{301}", "2")], ["\u{E9}", "e\u{301}"]),
        ] as [([(String, String)], [String])])
    func noTwoPhotosHaveOneName(given: [(String, String)], expected: [String]) {
        let names = names(photos(given))
        #expect(names == expected.map { Name($0) })
        #expect(Set(names).count == given.count)
    }

    /// An approved photo does not change, at any index of the list.
    @Test func anApprovedPhotoKeepsItsName() {
        let all = photos([("a.jpg", "abcdefghijkl"), ("a.jpg", "approved"), ("a-abcdef.jpg", "x"), ("b.jpg", "y")])
        let unique = PhotoNames.unique(all, keeping: photos([("a.jpg", "approved"), ("b.jpg", "other")]))
        let names = (unique.arrayValue ?? []).map { $0["name"]?.stringValue }
        #expect(names == ["a-abcdefghijkl.jpg", "a.jpg", "a-abcdef.jpg", "b.jpg"])
    }

    /// What one merge renames another takes for the same name, and for no other.
    @Test(
        arguments: [
            ("a-abcdef.jpg", true), ("a-abcdefghijkl.jpg", true), ("a-abcdefghijklmn-2.jpg", true),
            ("a-abcdefghijklmn-12.jpg", true), ("a-abcdefghijklmn-1.jpg", false), ("a-abcdefghijklmn-02.jpg", false),
            ("a-abcd.jpg", false), ("a-abcdef.png", false), ("b-abcdef.jpg", false), ("door.jpg", false),
        ])
    func aNameIsRecognizedAsMadeFromAnother(renamed: String, isMade: Bool) throws {
        let photo = try #require(photos([("a.jpg", "abcdefghijklmn")]).arrayValue?.first)
        #expect(PhotoNames.isMadeUnique((.string(renamed), "a.jpg"), of: photo) == isMade)
        #expect(PhotoNames.isMadeUnique(("a.jpg", .string(renamed)), of: photo) == isMade)
    }
}
