import DocumentValues
import SyncFunction

/// More rows: who takes photos from the records of others.
extension FieldSyncFunctionTests {
    private static func inspection(_ status: String, with photos: String..., by creator: String = "bob") -> String {
        record(
            "inspection", #""status":"\#(status)","photos":[\#(photos.joined(separator: ","))]"#, by: creator)
    }
    private static func finding(_ photos: String..., by creator: String? = "bob") -> String {
        record("finding", #""photos":[\#(photos.joined(separator: ","))]"#, by: creator)
    }
    private static func photo(_ letter: String, named name: String = "x") -> String {
        #"{"name":"\#(name)","blob":\#(blob(letter))}"#
    }

    /// Files of so many megabytes, as a revision has them.
    private static func photosOf(_ megabytes: [Int]) -> JSONObject {
        JSONObject(
            members: zip(["a", "b"], megabytes).map { letter, size in
                JSONObject.Member(
                    key: "p-\(letter)",
                    value: ["digest": .string(digest(letter)), "length": .int(size * 1_000_000), "stub": true])
            })
    }
    private static func photographedDraft(by creator: String = "bob", over megabytes: [Int]? = nil) -> String {
        let attached = megabytes.map { #","_attachments":\#(JSONValue.object(photosOf($0)))"# } ?? ""
        return record("inspection", #""photos":[\#(photo("a")),\#(photo("b", named: "y"))]\#(attached)"#, by: creator)
    }
    private static func withPhotos(_ megabytes: [Int]) -> SyncFunctionMeta {
        SyncFunctionMeta(attachments: photosOf(megabytes))
    }

    static let bytesOfColleagues = [
        Row(
            "two photos of a usual size", ann, photographedDraft(), over: photographedDraft(over: [4]),
            meta: withPhotos([4, 5])),
        Row(
            "as much as a colleague may", ann, photographedDraft(), over: photographedDraft(over: [100]),
            meta: withPhotos([100, 100])),
        Row(
            "more than a laptop takes soon", ann, photographedDraft(), over: photographedDraft(over: [100]),
            meta: withPhotos([100, 101]),
            refused: "more than 200 MB together"),
        Row(
            "another length for what was there", ann, photographedDraft(), over: photographedDraft(over: [190]),
            meta: withPhotos([0, 20]),
            refused: "more than 200 MB together"),
        Row(
            "what was there before", ann, photographedDraft(), over: photographedDraft(over: [150, 150]),
            meta: withPhotos([150, 150])),
        Row(
            "less than was there before", ann, photographedDraft(), over: photographedDraft(over: [150, 160]),
            meta: withPhotos([150, 150])),
        Row(
            "by a supervisor", ines, photographedDraft(), over: photographedDraft(over: [100]),
            meta: withPhotos([100, 101])),
        Row(
            "by its owner", ann, photographedDraft(by: "ann"), over: photographedDraft(by: "ann", over: [100]),
            meta: withPhotos([100, 101])),
        Row("in a new record", ann, photographedDraft(by: "ann"), meta: withPhotos([150, 150])),
        Row(
            "packed, with another length", ann, photographedDraft(), over: photographedDraft(over: [1]),
            meta: SyncFunctionMeta(attachments: [
                "p-a": ["digest": .string(digest("a")), "length": 1_000_000, "stub": true],
                "p-b": [
                    "digest": .string(digest("b")), "length": 1, "encoding": "gzip", "encoded_length": 201_000_000,
                    "stub": true,
                ],
            ]), refused: "more than 200 MB together"),
    ]

    static let photosOfOthers = [
        Row(
            "a photo of what bob submitted", ann, inspection("submitted"),
            over: inspection("submitted", with: photo("a")),
            refused: "takes a photo from what somebody else has submitted"),
        Row(
            "one of two", ann, inspection("submitted", with: photo("b")),
            over: inspection("submitted", with: photo("a"), photo("b")), refused: "takes a photo"),
        Row(
            "another in its place", ann, inspection("submitted", with: photo("b")),
            over: inspection("submitted", with: photo("a")), refused: "takes a photo"),
        Row(
            "no list of photos any more", ann, record("inspection", #""status":"submitted""#, by: "bob"),
            over: inspection("submitted", with: photo("a")), refused: "takes a photo"),
        Row("by a supervisor", ines, inspection("submitted"), over: inspection("submitted", with: photo("a"))),
        Row(
            "of her own", ann, inspection("submitted", by: "ann"),
            over: inspection("submitted", with: photo("a"), by: "ann")),
        Row(
            "of her own that somebody else made", ann, work(#""photos":[]"#),
            over: work(#""photos":[\#(photo("a"))]"#)),
        Row(
            "renamed, beside another", ann, inspection("submitted", with: photo("b"), photo("a", named: "door")),
            over: inspection("submitted", with: photo("a"))),
        Row("of a draft", ann, inspection("draft"), over: inspection("draft", with: photo("a"))),
        Row("of what was returned", ann, inspection("returned"), over: inspection("returned", with: photo("a"))),
        Row(
            "a photo without a file", ann, inspection("submitted"),
            over: inspection("submitted", with: #"{"name":"x"}"#)),
        Row(
            "a photo of bob's finding", ann, finding(), over: finding(photo("a")),
            refused: "takes a photo from a finding of somebody else"),
        Row("of bob's finding, by a supervisor", ines, finding(), over: finding(photo("a"))),
        Row("of her own finding", ann, finding(by: "ann"), over: finding(photo("a"), by: "ann")),
        Row("of nobody's finding", ann, finding(by: nil), over: finding(photo("a"), by: nil)),
        Row("one more for bob's finding", ann, finding(photo("a"), photo("b")), over: finding(photo("a"))),
    ]

    /// It is her work, and somebody else has made it.
    private static func work(_ photos: String) -> String {
        record("inspection", #""status":"submitted","inspector":"ann",\#(photos)"#, by: "bob")
    }
}
