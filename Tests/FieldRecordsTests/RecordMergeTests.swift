import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// The merge of two versions of a record that were made without knowledge of each other.
@Suite struct RecordMergeTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var kind = RecordKind.inspection
        /// `nil` where it is not known.
        let base: JSONObject?
        /// `nil` for a deletion.
        let a: JSONObject?
        let b: JSONObject?
        /// The expected values of the merged record, by member or by `answers.x`; `null` for a missing one.
        var expected: [(String, JSONValue)] = []
        /// The fields to decide, with all of their values.
        var contested: [String: [JSONValue]] = [:]
        var isDeleted = false
        var hasContestedDeletion = false

        var testDescription: String { name }
    }

    static let blob = "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="

    static func photo(_ name: String, _ mark: String, caption: String? = nil) -> JSONValue {
        var photo: JSONObject = [
            "name": .string(name),
            "blob": ["@type": "blob", "digest": .string("sha1-\(mark)"), "length": 3],
        ]
        photo["caption"] = caption.map { .string($0) }
        return .object(photo)
    }

    static func attached(_ name: String, _ mark: String, _ minute: Int) -> JSONValue {
        var photo = photo(name, mark).objectValue ?? JSONObject()
        photo["attachedAt"] = .string("2026-03-04T10:0\(minute):00Z")
        return .object(photo)
    }

    static func approved(_ more: JSONObject = [:]) -> JSONObject {
        JSONObject(members: [JSONObject.Member(key: "status", value: "approved")] + more.members)
    }

    static let cases: [Case] = [
        Case(
            name: "each side changed another field", base: ["score": 1, "notes": "n"],
            a: ["score": 2, "notes": "n"], b: ["score": 1, "notes": "m"], expected: [("score", 2), ("notes", "m")]),
        Case(
            name: "both changed a field alike", base: ["score": 1], a: ["score": 2], b: ["score": 2],
            expected: [("score", 2)]),
        Case(
            name: "two numbers", base: ["score": 1], a: ["score": 60], b: ["score": 80], expected: [("score", 80)],
            contested: ["score": [60, 80]]),
        Case(
            name: "two sites of different districts",
            base: ["site": "s", "district": "hill", "channels": ["district.hill", "x"]],
            a: ["site": "site-barn", "district": "hill", "channels": ["district.hill", "x"]],
            b: ["site": "mill", "district": "mill", "channels": ["district.mill", "x"]],
            expected: [
                ("site", "site-barn"), ("district", "hill"), ("channels", ["district.hill", "x", "district.mill"]),
            ], contested: ["site": ["site-barn", "mill"], "district": ["hill", "mill"]]),
        Case(
            name: "two districts", kind: .site, base: ["district": "hill", "channels": ["x", "district.hill"]],
            a: ["district": "barn", "channels": ["district.barn", "x"]],
            b: ["district": "mill", "channels": ["district.mill", "x"]],
            expected: [("district", "mill"), ("channels", ["x", "district.barn", "district.mill"])],
            contested: ["district": ["barn", "mill"]]),
        Case(
            name: "each left another channel", kind: .finding,
            base: ["district": "mill", "channels": ["district.hill", "district.mill"]],
            a: ["district": "mill", "channels": ["district.hill"]],
            b: ["district": "mill", "channels": ["district.mill"]], expected: [("channels", ["district.mill"])]),
        Case(
            name: "each left another channel, and none is its district's", base: ["channels": ["x", "y"]],
            a: ["channels": ["x"]], b: ["channels": ["y"]], expected: [("channels", ["x"])]),
        Case(
            name: "a site and nothing else on the other side",
            base: ["site": "s", "district": "hill", "channels": ["district.hill"], "score": 1],
            a: ["site": "s", "district": "hill", "channels": ["district.hill"], "score": 2],
            b: ["site": "mill", "district": "mill", "channels": ["district.mill"], "score": 1],
            expected: [("site", "mill"), ("district", "mill"), ("channels", ["district.mill"]), ("score", 2)]),
        Case(
            name: "two risks", kind: .finding, base: [:], a: ["risk": "high"], b: ["risk": "moderate"],
            expected: [("risk", "high")], contested: ["risk": ["high", "moderate"]]),
        Case(
            name: "two days of a finding, which are its inspection's", kind: .finding, base: ["date": "2026-11-05"],
            a: ["date": "2026-11-07"], b: ["date": "2026-11-06"], expected: [("date", "2026-11-07")]),
        Case(
            name: "two texts", base: ["notes": ""], a: ["notes": "closed, see police report"], b: ["notes": "zebra"],
            expected: [("notes", "closed, see police report")],
            contested: ["notes": ["closed, see police report", "zebra"]]),
        Case(
            name: "one side cleared what the other changed", base: ["notes": "n"], a: [:], b: ["notes": "m"],
            expected: [("notes", "m")], contested: ["notes": [.null, "m"]]),
        Case(
            name: "one side cleared what the other left alone", base: ["notes": "n", "score": 1], a: ["score": 1],
            b: ["notes": "n", "score": 2], expected: [("notes", .null), ("score", 2)]),
        Case(
            name: "answers by question", base: ["answers": ["fridge": 3, "basin": true]],
            a: ["answers": ["fridge": 4, "basin": true]], b: ["answers": ["fridge": 3, "basin": false, "pests": true]],
            expected: [("answers.fridge", 4), ("answers.basin", false), ("answers.pests", true)]),
        Case(
            name: "one question answered twice", base: ["answers": [:]], a: ["answers": ["fridge": 4]],
            b: ["answers": ["fridge": 9, "basin": true]],
            expected: [("answers.fridge", 9), ("answers.basin", true)], contested: ["answers.fridge": [4, 9]]),
        Case(
            name: "an address by its parts", kind: .site, base: ["address": ["street": "A", "city": "B"]],
            a: ["address": ["street": "C", "city": "B"]], b: ["address": ["street": "A", "city": "D"]],
            expected: [("address.street", "C"), ("address.city", "D")]),
        Case(
            name: "a place on the earth is one value", kind: .site,
            base: ["location": ["latitude": 1, "longitude": 1]],
            a: ["location": ["latitude": 2, "longitude": 1]], b: ["location": ["latitude": 1, "longitude": 2]],
            expected: [("location", ["latitude": 2, "longitude": 1])],
            contested: ["location": [["latitude": 2, "longitude": 1], ["latitude": 1, "longitude": 2]]]),
        Case(
            name: "members of a newer version", base: ["weather": "dry"], a: ["weather": "wet"],
            b: ["weather": "dry", "mood": ["a": 1]], expected: [("weather", "wet"), ("mood", ["a": 1])]),
        Case(
            name: "photos of both sides", base: ["photos": [photo("old.jpg", "o")]],
            a: ["photos": [photo("old.jpg", "o"), photo("a.jpg", "a")]],
            b: ["photos": [photo("old.jpg", "o"), photo("b.jpg", "b")]],
            expected: [("photos", [photo("old.jpg", "o"), photo("a.jpg", "a"), photo("b.jpg", "b")])]),
        Case(
            name: "a photo removed on one side", base: ["photos": [photo("old.jpg", "o")], "score": 1],
            a: ["photos": [], "score": 1], b: ["photos": [photo("old.jpg", "o"), photo("b.jpg", "b")], "score": 1],
            expected: [("photos", [photo("b.jpg", "b")])]),
        Case(
            name: "a photo removed on one side and renamed on the other", base: ["photos": [photo("door.jpg", "d")]],
            a: [:], b: ["photos": [photo("gate.jpg", "d")]], expected: [("photos", [photo("gate.jpg", "d")])],
            contested: ["photos.sha1-d": [.null, true]]),
        Case(
            name: "a photo removed on one side and captioned on the other", kind: .finding,
            base: ["photos": [photo("door.jpg", "d"), photo("b.jpg", "b")]], a: ["photos": [photo("b.jpg", "b")]],
            b: ["photos": [photo("door.jpg", "d", caption: "Back"), photo("b.jpg", "b")]],
            expected: [("photos", [photo("door.jpg", "d", caption: "Back"), photo("b.jpg", "b")])],
            contested: ["photos.sha1-d": [.null, true]]),
        Case(
            name: "a photo removed on one side, approved on the other",
            base: ["status": "submitted", "photos": [photo("door.jpg", "d")]], a: ["status": "submitted"],
            b: approved(["photos": [photo("door.jpg", "d")]]),
            expected: [("status", "approved"), ("photos", [photo("door.jpg", "d")])],
            contested: ["photos.sha1-d": [.null, true]]),
        Case(
            name: "a photo removed on one side, handed in on the other",
            base: ["status": "draft", "photos": [photo("door.jpg", "d")]], a: ["status": "draft"],
            b: ["status": "submitted", "photos": [photo("door.jpg", "d")]],
            expected: [("status", "submitted"), ("photos", [photo("door.jpg", "d")])],
            contested: ["photos.sha1-d": [.null, true]]),
        Case(
            name: "a photo removed and handed in without it",
            base: ["status": "draft", "photos": [photo("d.jpg", "d")]],
            a: ["status": "submitted"], b: ["status": "draft", "photos": [photo("d.jpg", "d")], "score": 1],
            expected: [("status", "submitted"), ("photos", .null), ("score", 1)]),
        Case(
            name: "a channel left on one side, approved on the other",
            base: ["status": "submitted", "channels": ["x"]], a: ["status": "submitted"],
            b: approved(["channels": ["x"]]), expected: [("channels", ["x"])]),
        Case(
            name: "two photos of one name", base: [:], a: ["photos": [photo("door.jpg", "aaaaaaaa")]],
            b: ["photos": [photo("door.jpg", "bbbbbbbb")]],
            expected: [("photos", [photo("door.jpg", "aaaaaaaa"), photo("door-bbbbbb.jpg", "bbbbbbbb")])]),
        Case(
            name: "a caption typed twice", base: ["photos": [photo("door.jpg", "d")]],
            a: ["photos": [photo("door.jpg", "d", caption: "Back")]],
            b: ["photos": [photo("door.jpg", "d", caption: "Front")]],
            expected: [("photos", [photo("door.jpg", "d", caption: "Front")])],
            contested: ["photos.sha1-d.caption": ["Back", "Front"]]),
        Case(
            name: "photos in the order in which they were attached", base: ["photos": [photo("old.jpg", "o")]],
            a: ["photos": [photo("old.jpg", "o"), attached("b1.jpg", "z", 1), attached("b3.jpg", "a", 3)]],
            b: ["photos": [photo("old.jpg", "o"), attached("b2.jpg", "y", 2)]],
            expected: [
                (
                    "photos",
                    [
                        photo("old.jpg", "o"), attached("b1.jpg", "z", 1), attached("b2.jpg", "y", 2),
                        attached("b3.jpg", "a", 3),
                    ]
                )
            ]),
        Case(
            name: "a photo renamed twice", base: ["photos": [photo("door.jpg", "d")]],
            a: ["photos": [photo("left.jpg", "d")]], b: ["photos": [photo("right.jpg", "d")]],
            expected: [("photos", [photo("right.jpg", "d")])],
            contested: ["photos.sha1-d.name": ["left.jpg", "right.jpg"]]),
        Case(
            name: "a photo renamed here and approved there",
            base: ["status": "submitted", "photos": [photo("door.jpg", "d")]],
            a: ["status": "submitted", "photos": [photo("much-longer-name.jpg", "d")]],
            b: approved(["photos": [photo("door.jpg", "d")]]), expected: [("photos", [photo("door.jpg", "d")])],
            contested: ["photos.sha1-d.name": ["door.jpg", "much-longer-name.jpg"]]),
        Case(
            name: "a photo of the name of an approved one, which is older", base: ["status": "draft"],
            a: approved(["photos": [attached("door.jpg", "approved", 2)]]),
            b: ["status": "draft", "photos": [attached("door.jpg", "oldphoto", 1)]],
            expected: [
                ("status", "approved"),
                ("photos", [attached("door-oldpho.jpg", "oldphoto", 1), attached("door.jpg", "approved", 2)]),
            ]),
        Case(
            name: "one picture attached twice", base: [:], a: ["photos": [photo("door.jpg", "d")]],
            b: ["photos": [photo("gate.jpg", "d")]], expected: [("photos", [photo("gate.jpg", "d")])],
            contested: ["photos.sha1-d.name": ["door.jpg", "gate.jpg"]]),
        Case(
            name: "one picture attached twice, and renamed by a merge", base: [:],
            a: ["photos": [photo("door.jpg", "abcdefgh")]], b: ["photos": [photo("door-abcdef.jpg", "abcdefgh")]],
            expected: [("photos", [photo("door-abcdef.jpg", "abcdefgh")])]),
        Case(
            name: "channels one by one", kind: .site, base: ["channels": ["district.a", "x"]],
            a: ["channels": ["district.a", "y"]], b: ["channels": ["district.a", "x", "z"]],
            expected: [("channels", ["district.a", "y", "z"])]),
        // States
        Case(
            name: "submitted here, edited there", base: ["status": "draft", "notes": "n"],
            a: ["status": "submitted", "notes": "n", "submittedAt": "2026-03-04T10:15:00Z"],
            b: ["status": "draft", "notes": "m"],
            expected: [("status", "submitted"), ("notes", "m"), ("submittedAt", "2026-03-04T10:15:00Z")]),
        Case(
            name: "submitted here, submitted and returned there", base: ["status": "draft"],
            a: ["status": "submitted", "submittedAt": "2026-03-04T10:15:00Z"],
            b: ["status": "returned", "submittedAt": "2026-03-04T09:00:00Z", "review": "which door?"],
            expected: [
                ("status", "returned"), ("review", "which door?"), ("submittedAt", "2026-03-04T09:00:00Z"),
            ]),
        Case(
            name: "returned, handed in again here, and returned once more there",
            base: ["status": "returned", "review": "r1", "submittedAt": "2026-03-01T00:00:00Z"],
            a: ["status": "submitted", "review": "r1", "submittedAt": "2026-03-02T00:00:00Z"],
            b: ["status": "returned", "review": "r2", "submittedAt": "2026-03-03T00:00:00Z"],
            expected: [("status", "returned"), ("review", "r2"), ("submittedAt", "2026-03-03T00:00:00Z")]),
        Case(
            name: "approved by one supervisor, returned by another", base: ["status": "submitted"], a: approved(),
            b: ["status": "returned", "review": "no"], expected: [("status", "approved"), ("review", .null)],
            contested: ["status": ["approved", "returned"], "review": [.null, "no"]]),
        Case(
            name: "approved here, edited there: what was approved is kept", base: ["status": "draft", "score": 1],
            a: approved(["score": 1]), b: ["status": "draft", "score": 2],
            expected: [("status", "approved"), ("score", 1)], contested: ["score": [1, 2]]),
        Case(
            name: "approved here, changed elsewhere by both", base: ["status": "submitted", "notes": "n", "score": 1],
            a: approved(["notes": "m", "score": 1]), b: ["status": "submitted", "notes": "much longer", "score": 1],
            expected: [("status", "approved"), ("notes", "m")], contested: ["notes": ["m", "much longer"]]),
        Case(
            name: "approved here, moved there",
            base: ["status": "draft", "district": "hill", "channels": ["district.hill"]],
            a: approved(["district": "hill", "channels": ["district.hill"]]),
            b: ["status": "draft", "district": "mill", "channels": ["district.mill"]],
            expected: [("district", "hill"), ("channels", ["district.hill"])],
            contested: ["district": ["hill", "mill"]]),
        Case(
            name: "approved findings go with the approval", base: ["status": "submitted"],
            a: approved(["approvedFindings": ["f": "1"]]), b: ["status": "submitted", "notes": "n"],
            expected: [("status", "approved"), ("approvedFindings", ["f": "1"])], contested: ["notes": [.null, "n"]]),
        Case(
            name: "approved photos go with the approval", base: ["status": "submitted"],
            a: approved(["approvedPhotos": ["p"]]), b: ["status": "submitted", "notes": "n"],
            expected: [("status", "approved"), ("approvedPhotos", ["p"])], contested: ["notes": [.null, "n"]]),
        Case(
            name: "approved by one supervisor, returned by another, who has seen an earlier approval",
            base: approved(["approvedFindings": ["f": "1"]]), a: approved(["approvedFindings": ["f": "2"]]),
            b: ["status": "returned"], expected: [("status", "returned"), ("approvedFindings", .null)]),
        Case(
            name: "approved again", base: approved(["approvedFindings": ["f": "1"]]),
            a: approved(["approvedFindings": ["f": "2"]]), b: approved(["approvedFindings": ["f": "1"]]),
            expected: [("approvedFindings", ["f": "2"])]),
        Case(
            name: "a state of a newer version", base: ["status": "submitted"], a: ["status": "archived"],
            b: ["status": "returned"], expected: [("status", "returned")],
            contested: ["status": ["archived", "returned"]]),
        Case(
            name: "an assignment done and dropped", kind: .assignment, base: ["status": "open"], a: ["status": "done"],
            b: ["status": "dropped"], expected: [("status", "done")], contested: ["status": ["done", "dropped"]]),
        Case(
            name: "an assignment opened again", kind: .assignment, base: ["status": "done", "instructions": "i"],
            a: ["status": "open", "instructions": "i"], b: ["status": "done", "instructions": "j"],
            expected: [("status", "open"), ("instructions", "j")]),
        // Who
        Case(
            name: "who changed it last, from one side",
            base: ["score": 1, "changedBy": "m", "changedAt": "2040-01-01T00:00:00Z", "device": "d1"],
            a: ["score": 2, "changedBy": "i", "changedAt": "2026-01-01T00:00:00Z", "device": "d2"],
            b: ["score": 1, "notes": "n", "changedBy": "m", "changedAt": "2040-01-01T00:00:00Z", "device": "d1"],
            expected: [("changedBy", "i"), ("device", "d2"), ("score", 2), ("notes", "n")]),
        // Deletions
        Case(name: "deleted on both sides", base: ["score": 1], a: nil, b: nil, isDeleted: true),
        Case(name: "deleted here, untouched there", base: ["score": 1], a: nil, b: ["score": 1], isDeleted: true),
        Case(
            name: "deleted here, changed there", base: ["score": 1], a: nil, b: ["score": 2],
            expected: [("score", 2)], hasContestedDeletion: true),
        // Without a common version
        Case(
            name: "no common version", base: nil, a: ["score": 1, "notes": "n", "form": "f"],
            b: ["score": 2, "form": "f"], expected: [("score", 2), ("notes", "n"), ("form", "f")],
            contested: ["score": [1, 2]]),
        Case(
            name: "no common version, deleted on one side", base: nil, a: nil, b: ["score": 2],
            expected: [("score", 2)], hasContestedDeletion: true),
    ]

    @Test(arguments: cases) func merging(_ example: Case) throws {
        let merged = RecordMerge.merge(example.kind, base: example.base, a: example.a, b: example.b)
        let mirrored = RecordMerge.merge(example.kind, base: example.base, a: example.b, b: example.a)
        #expect(merged == mirrored, "it depends on which side is which")
        #expect((merged == nil) == example.isDeleted)
        guard let merged else { return }
        for (name, value) in example.expected {
            let parts = name.split(separator: ".").map(String.init)
            let path = parts.count == 2 ? FieldPath(parts[0], part: parts[1]) : FieldPath(name)
            #expect(path.read(merged) == ValueOrder.present(value), "\(name) in \(merged)")
        }
        let contested = ContestedValues(of: merged)
        let values = contested.fields.map { path, values in
            (path.name, Set(values.map { $0.value ?? .null }))
        }
        #expect(
            Dictionary(uniqueKeysWithValues: values) == example.contested.mapValues { Set($0) },
            "\(merged)")
        #expect(contested.hasDeletion == example.hasContestedDeletion)
        // A second merge of the merged record has the same result.
        for side in [example.a, example.b, example.base, merged] {
            let again = RecordMerge.merge(example.kind, base: example.base, a: merged, b: side)
            if side != nil || example.base != nil { #expect(again == merged, "with \(side as JSONObject?)") }
        }
    }

    // MARK: Deciding

    private let base: JSONObject = ["score": 1, "changedBy": "m", "device": "d1"]

    private func conflict() throws -> JSONObject {
        try #require(
            RecordMerge.merge(
                .inspection, base: base, a: ["score": 60, "changedBy": "m", "device": "d1"],
                b: ["score": 80, "changedBy": "i", "device": "d2"]))
    }

    /// Takes the entries away, as a decision does.
    private func decided(_ object: JSONObject, _ score: JSONValue) -> JSONObject {
        var object = object
        object[ContestedValues.member] = nil
        object["score"] = score
        return object
    }

    /// The question is asked once more, and until then the people of both districts have the record.
    @Test(arguments: RecordKind.allCases) func twoWhoDecideDifferentlyLeaveTheRecordToBoth(kind: RecordKind) throws {
        func moved(to district: String, _ notes: String) -> JSONObject {
            ["district": .string(district), "channels": [.string("district.\(district)")], "notes": .string(notes)]
        }
        let base = moved(to: "hill", "")
        let open = try #require(
            RecordMerge.merge(kind, base: base, a: moved(to: "barn", ""), b: moved(to: "mill", "")))
        #expect(open["channels"] == ["district.barn", "district.mill"])
        let merged = try #require(
            RecordMerge.merge(kind, base: open, a: moved(to: "barn", ""), b: moved(to: "mill", "")))
        #expect(merged["channels"] == ["district.barn", "district.mill"])
        #expect(ContestedValues(of: merged).fields[FieldPath("district")]?.count == 2)
    }

    @Test func anEntrySaysWhoAndOnWhichDevice() throws {
        let entries = ContestedValues(of: try conflict()).values
        #expect(entries.map(\.value) == [60, 80])
        #expect(entries.map(\.stamp.by) == ["m", "i"])
        #expect(entries.map(\.stamp.device) == ["d1", "d2"])
    }

    @Test(arguments: [60, 80, 70] as [JSONValue]) func whatWasDecidedDoesNotComeBack(_ score: JSONValue) throws {
        let open = try conflict()
        var elsewhere = open
        elsewhere["notes"] = "n"
        let merged = try #require(RecordMerge.merge(.inspection, base: open, a: decided(open, score), b: elsewhere))
        #expect(merged["score"] == score && merged["notes"] == "n")
        #expect(ContestedValues(of: merged).isEmpty)
    }

    // MARK: Photos that somebody removed

    /// Mara removed a photo that Ines renamed.
    private func contestedPhoto() throws -> (base: JSONObject, merged: JSONObject, path: FieldPath) {
        let base: JSONObject = ["photos": [Self.photo("door.jpg", "d")], "notes": "n"]
        let merged = try #require(
            RecordMerge.merge(
                .inspection, base: base, a: ["notes": "n", "changedBy": "mara", "device": "d1"],
                b: ["photos": [Self.photo("gate.jpg", "d")], "notes": "n", "changedBy": "ines", "device": "d2"]))
        return (base, merged, FieldPath(components: [Name("photos"), Name("sha1-d")]))
    }

    /// A value that was typed after the merge is its author's, even if another user edits the record later.
    @Test func aLaterValueIsOfWhoTypedIt() throws {
        let object = try JSONObject(
            parsing: Array(
                #"""
                {"type":"inspection","notes":"by edit","changedBy":"mara","changedAt":"2026-03-04T12:00:00Z",
                "device":"north","fieldChanges":[{"by":"tomas","at":"2026-03-04T11:00:00Z","device":"south",
                "fields":["notes"]},{"by":"mara","at":"2026-03-04T12:00:00Z","device":"north","fields":["score"]}],
                "conflicts":[{"field":"notes","value":"mara's","by":"mara","at":"2026-03-04T10:00:00Z",
                "device":"north"}]}
                """#.utf8))
        let field = try #require(RecordConflict(.inspection, id: "i", object: object)?.fields.first)
        #expect(field.current.value == "by edit" && field.current.stamp.by == "tomas")
        #expect(field.current.stamp.device == "south" && field.others.map(\.stamp.by) == ["mara"])
    }

    @Test func aRemovalSaysWhoWantsIt() throws {
        let (_, merged, path) = try contestedPhoto()
        let field = try #require(RecordConflict(.inspection, id: "i", object: merged)?.fields.first)
        #expect(field.path == path && field.current.value == true && field.others.map(\.value) == [nil])
        #expect(field.current.stamp.by == "ines" && field.others.map(\.stamp.by) == ["mara"])
    }

    /// The person who has renamed a photo since keeps it, whatever else that person has changed.
    @Test(arguments: [false, true]) func aPhotoIsKeptByWhoRenamedIt(isSwapped: Bool) throws {
        func stamped(_ photos: JSONValue, _ changes: [(String, [JSONValue], String)]) -> JSONObject {
            var entries: [JSONValue] = []
            for (device, fields, at) in changes {
                entries.append(["by": "mara", "at": .string(at), "device": .string(device), "fields": .array(fields)])
            }
            return ["photos": photos, "fieldChanges": .array(entries)]
        }
        let item: JSONValue = ["photos", "sha1-d"]
        let attached = ("d1", [item], "2026-03-04T08:00:00Z")
        let base = stamped([Self.photo("door.jpg", "d")], [attached])
        let removed = stamped([], [("d1", [item], "2026-03-04T09:00:00Z")])
        let renamed = stamped(
            [Self.photo("gate.jpg", "d")],
            [attached, ("d2", [["photos", "sha1-d", "name"]], "2026-03-04T08:30:00Z")])
        let merged = try #require(
            RecordMerge.merge(
                .inspection, base: base, a: isSwapped ? renamed : removed, b: isSwapped ? removed : renamed))
        let field = try #require(RecordConflict(.inspection, id: "i", object: merged)?.fields.first)
        #expect(field.current.value == true && field.current.stamp.device == "d2")
        #expect(field.current.stamp.at == Timestamp("2026-03-04T08:30:00Z"))
        #expect(field.others.map(\.stamp.device) == ["d1"])
    }

    /// If no user has changed a photo, the supervisor who approved the inspection with it keeps it.
    @Test func aPhotoIsKeptByWhoApprovedIt() throws {
        let item: JSONValue = ["by": "mara", "device": "d1", "fields": [["photos", "sha1-d"]]]
        let approval: JSONValue = ["by": "ines", "device": "d2", "fields": ["status"]]
        let photos: JSONValue = [Self.photo("door.jpg", "d")]
        let merged = try #require(
            RecordMerge.merge(
                .inspection, base: ["status": "submitted", "photos": photos, "fieldChanges": [item]],
                a: ["status": "submitted", "fieldChanges": [item]],
                b: ["status": "approved", "photos": photos, "fieldChanges": [item, approval]]))
        let field = try #require(RecordConflict(.inspection, id: "i", object: merged)?.fields.first)
        #expect(field.current.stamp.by == "ines" && field.others.map(\.stamp.by) == ["mara"])
    }

    @Test(arguments: [true, nil] as [JSONValue?]) func aRemovalIsDecided(_ choice: JSONValue?) throws {
        let (_, merged, path) = try contestedPhoto()
        let conflict = try #require(RecordConflict(.inspection, id: "i", object: merged))
        let decided = Conflicts.decided(
            merged, conflict: conflict, choices: [path: choice ?? .null], keepsRecord: false,
            by: Author(name: "olga", moment: Timestamp(secondsSince1970: 0)))
        #expect(decided["photos"] == (choice == nil ? [] : [Self.photo("gate.jpg", "d")]))
        #expect(ContestedValues(of: decided).isEmpty)
        // A laptop without a decision adopts the other's, whatever else it has changed.
        var elsewhere = merged
        elsewhere["notes"] = "m"
        let united = try #require(RecordMerge.merge(.inspection, base: merged, a: decided, b: elsewhere))
        #expect(united["photos"] == decided["photos"] && ContestedValues(of: united).isEmpty)
    }

    @Test func twoDecisionsAboutARemovalThatDifferAreAskedAgain() throws {
        let (_, merged, path) = try contestedPhoto()
        let conflict = try #require(RecordConflict(.inspection, id: "i", object: merged))
        let author = Author(name: "olga", moment: Timestamp(secondsSince1970: 0))
        let sides = [true, .null].map { (choice: JSONValue) in
            Conflicts.decided(merged, conflict: conflict, choices: [path: choice], keepsRecord: false, by: author)
        }
        let united = try #require(RecordMerge.merge(.inspection, base: merged, a: sides[0], b: sides[1]))
        #expect(united == RecordMerge.merge(.inspection, base: merged, a: sides[1], b: sides[0]))
        #expect(united["photos"] == [Self.photo("gate.jpg", "d")])
        #expect(ContestedValues(of: united).fields[path]?.count == 2)
    }

    /// The person who removes a photo has seen the questions about it.
    @Test func nothingIsAskedAboutAPhotoThatWasRemovedSince() throws {
        let (base, _, _) = try contestedPhoto()
        var open = try #require(
            RecordMerge.merge(
                .inspection, base: base, a: ["photos": [Self.photo("door.jpg", "d", caption: "Back")]],
                b: ["photos": [Self.photo("door.jpg", "d", caption: "Front")]]))
        let before = open
        try #require(!ContestedValues(of: open).isEmpty)
        open["photos"] = nil
        #expect(ContestedValues.afterEdit(from: before, to: open).isEmpty)
    }

    @Test func twoDecisionsThatDifferAreAConflictAgain() throws {
        let open = try conflict()
        let merged = try #require(
            RecordMerge.merge(.inspection, base: open, a: decided(open, 60), b: decided(open, 80)))
        #expect(ContestedValues(of: merged).values.map(\.value) == [60, 80])
        #expect(RecordMerge.merge(.inspection, base: open, a: decided(open, 80), b: decided(open, 60)) == merged)
    }

    @Test func aValueThatSomebodySawAndReplacedIsNotAskedAbout() throws {
        let open = try conflict()
        var edited = open
        edited["score"] = 90
        ContestedValues.afterEdit(from: open, to: edited).write(to: &edited)
        #expect(ContestedValues(of: edited).values.map(\.value) == [60])
        edited["score"] = 60
        ContestedValues.afterEdit(from: open, to: edited).write(to: &edited)
        #expect(ContestedValues(of: edited).isEmpty)
    }

    @Test func theListDoesNotGrowByTheSameValues() throws {
        var record = try conflict()
        let once = record
        for _ in 0..<5 {
            record = try #require(RecordMerge.merge(.inspection, base: nil, a: record, b: try conflict()))
        }
        #expect(record == once)
    }

    @Test func entriesOfNewerVersionsAreKept() throws {
        let foreign: JSONObject = [
            "conflicts": [["field": ["a", 1]], "text", ["field": "score", "value": 7, "why": "x"]], "a": 1,
        ]
        var other = foreign
        other["a"] = 2
        let merged = try #require(RecordMerge.merge(.inspection, base: ["a": 0], a: foreign, b: other))
        let kept = try #require(merged["conflicts"]?.arrayValue)
        #expect(kept.contains("text") && kept.contains(["field": ["a", 1]]))
        #expect(kept.contains(["field": "score", "value": 7, "why": "x"]))
    }

    /// Three laptops that changed the same field, merged in any order.
    @Test func theOrderOfThreeDoesNotMatter() throws {
        let sides: [JSONObject] = (1...3).map { side in
            [
                "score": .int(side * 10), "notes": .string("by \(side)"),
                "photos": [Self.photo("door.jpg", "\(side)aaaaaaa")], "changedBy": .string("u\(side)"),
                "device": .string("d\(side)"), "changedAt": .string("2026-03-0\(side)T00:00:00Z"),
            ]
        }
        var outcomes: Set<String> = []
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let two = RecordMerge.merge(.inspection, base: base, a: sides[order[0]], b: sides[order[1]])
            let three = try #require(RecordMerge.merge(.inspection, base: base, a: two, b: sides[order[2]]))
            outcomes.insert(String(decoding: ValueOrder.key(.object(three)), as: UTF8.self))
        }
        #expect(outcomes.count == 1, "\(outcomes)")
    }

    /// A name that looks like another one is a different name.
    @Test func answersDifferByTheirBytes() throws {
        let merged = try #require(
            RecordMerge.merge(
                .inspection, base: ["answers": [:]], a: ["answers": ["caf\u{e9}": 1]],
                b: ["answers": ["cafe\u{301}": 2]]))
        #expect(merged["answers"]?["caf\u{e9}"] == 1 && merged["answers"]?["cafe\u{301}"] == 2)
        #expect(ContestedValues(of: merged).isEmpty)
    }
}
