import DocumentValues
import FieldModels
import Testing

/// One member of a wrong type hides no record, and is kept until a save sets it.
@Suite struct DamagedMemberTests {
    private static let digest = BlobDigest(of: [1]).text
    private static let photo: JSONValue = ["name": "a.jpg", "blob": ["@type": "blob", "digest": .string(digest)]]
    private static let odd: [JSONValue] = [1, 1.5, true, "x", "", [], [1], [:], ["a": 1], "2026-02-30"]
    private static let texts = odd.filter { $0.stringValue == nil }
    private static let moments = odd
    private static let objects = odd.filter { $0.objectValue == nil }

    struct Member: Sendable, CustomTestStringConvertible {
        let kind: RecordKind
        let name: String
        let wrong: [JSONValue]
        var testDescription: String { "\(kind) \(name)" }
    }

    private static let good: [RecordKind: JSONObject] = [
        .site: ["name": "Mill"],
        .inspection: ["site": "s", "date": "2026-03-04", "visit": "routine", "status": "approved", "score": 4],
        .finding: ["site": "s", "date": "2026-03-04", "text": "Dirty"],
        .assignment: ["inspector": "ann", "site": "s", "due": "2026-03-04", "status": "open"],
        .form: ["name": "K"],
        .response: ["form": "f", "formVersion": "1", "state": "draft", "instanceID": "uuid:1", "answers": [:]],
    ]

    private static func body(_ kind: RecordKind) -> JSONObject {
        var body = good[kind] ?? [:]
        body["type"] = .string(kind.rawValue)
        body["district"] = "hill"
        body["channels"] = ["district.hill"]
        return body
    }

    private static let own: [(RecordKind, String, [JSONValue])] = [
        (.site, "address", objects), (.site, "location", objects + [[:], ["latitude": "x", "longitude": 1]]),
        (.site, "phone", texts), (.site, "notes", texts),
        (.inspection, "visit", odd), (.inspection, "inspector", texts), (.inspection, "score", odd.filter { $0 != 1 }),
        (.inspection, "form", texts), (.inspection, "assignment", texts), (.inspection, "answers", objects),
        (.inspection, "notes", texts), (.inspection, "photos", odd.filter { $0 != [] }),
        (.inspection, "photos", [[photo, 5], [photo, ["name": "b.jpg", "blob": ["digest": "x"]]]]),
        (.inspection, "submittedAt", moments), (.inspection, "review", texts),
        (.finding, "inspection", texts), (.finding, "risk", odd), (.finding, "corrected", odd),
        (.finding, "notes", texts), (.finding, "photos", odd.filter { $0 != [] }),
        (.assignment, "form", texts), (.assignment, "instructions", texts), (.assignment, "inspection", texts),
        (.response, "formDigest", texts), (.response, "instanceName", texts), (.response, "deprecatedID", texts),
        (.response, "startedAt", moments), (.response, "endedAt", moments), (.response, "finalisedBy", texts),
        (.response, "site", texts), (.response, "@seeds", objects),
        (.response, "@skipped", odd.filter { $0 != [] }), (.response, "@reports", odd.filter { $0 != [] }),
    ]

    private static let envelope: [(String, [JSONValue])] = [
        ("createdBy", texts), ("createdAt", moments), ("changedBy", texts), ("changedAt", moments), ("device", texts),
        ("source", objects + [[:], ["file": 1, "digest": "x"]]),
    ]

    static let optional =
        own.map { Member(kind: $0.0, name: $0.1, wrong: $0.2) }
        + RecordKind.allCases.flatMap { kind in
            envelope.map { Member(kind: kind, name: $0.0, wrong: $0.1) }
        }

    private static func read(_ kind: RecordKind, _ body: JSONObject) throws -> any FieldRecord {
        switch kind {
        case .site: try Site(id: "r", object: body)
        case .inspection: try Inspection(id: "r", object: body)
        case .finding: try Finding(id: "r", object: body)
        case .form: try FormDefinition(id: "r", object: body)
        case .assignment: try Assignment(id: "r", object: body)
        case .response: try Response(id: "r", object: body)
        }
    }

    @Test(arguments: optional) func isKeptAndNamed(member: Member) throws {
        for wrong in member.wrong {
            var body = Self.body(member.kind)
            body[member.name] = wrong
            let record = try Self.read(member.kind, body)
            #expect(record.object[member.name] == wrong)
            #expect(record.object.members.count { $0.key == member.name } == 1)
            #expect(!record.envelope.damage.isEmpty)
            #expect(record.envelope.damage.allSatisfy { $0.field.hasPrefix(member.name) }, "\(record.envelope.damage)")
            // A record that is made or imported so is refused.
            #expect(throws: RecordError.self) { try record.validate() }
        }
    }

    /// The number of the format, and the district that the record is in by its channel.
    @Test(arguments: RecordKind.allCases) func isKnownFromElsewhere(kind: RecordKind) throws {
        for (name, wrong) in [("schema", JSONValue("x")), ("schema", [:]), ("district", 7), ("district", "a b")] {
            var body = Self.body(kind)
            body[name] = wrong
            let record = try Self.read(kind, body)
            #expect(record.envelope.damage.map(\.field) == [name])
            #expect(record.district == District("hill") && record.object["schema"] == 1)
        }
    }

    static let vital =
        RecordKind.allCases.map { Member(kind: $0, name: "channels", wrong: [1, "x", [1], [:]]) }
        + RecordKind.allCases.map { Member(kind: $0, name: "type", wrong: [1, "x"]) } + [
            Member(kind: .site, name: "name", wrong: texts + [.null]),
            Member(kind: .inspection, name: "site", wrong: texts + [.null]),
            Member(kind: .inspection, name: "date", wrong: odd + [.null]),
            Member(kind: .inspection, name: "status", wrong: odd),
            Member(kind: .finding, name: "site", wrong: texts + [.null]),
            Member(kind: .finding, name: "date", wrong: odd + [.null]),
            Member(kind: .finding, name: "text", wrong: texts + [.null]),
            Member(kind: .assignment, name: "inspector", wrong: texts + [.null]),
            Member(kind: .assignment, name: "site", wrong: texts + [.null]),
            Member(kind: .assignment, name: "due", wrong: odd + [.null]),
            Member(kind: .assignment, name: "status", wrong: odd),
            Member(kind: .response, name: "form", wrong: texts + [.null]),
            Member(kind: .response, name: "formVersion", wrong: texts + [.null]),
            Member(kind: .response, name: "instanceID", wrong: texts + [.null]),
            Member(kind: .response, name: "state", wrong: odd),
            Member(kind: .response, name: "answers", wrong: objects),
            Member(kind: .form, name: "name", wrong: texts + [.null]),
            Member(kind: .form, name: "fields", wrong: [1, "x", [1], [[:]], [["name": "a", "kind": "x"]]]),
            Member(kind: .form, name: "version", wrong: ["x", 1.5, []]),
        ]

    /// Without these a record makes no sense.
    @Test(arguments: vital) func isMissed(member: Member) {
        for wrong in member.wrong {
            var body = Self.body(member.kind)
            body[member.name] = wrong
            let error = #expect(throws: RecordError.self) { try Self.read(member.kind, body) }
            #expect(error?.problems.allSatisfy { $0.field.hasPrefix(member.name) } == true, "\(wrong)")
        }
    }

    @Test func aSaveSetsIt() throws {
        var body = Self.body(.inspection)
        for (name, value) in [
            ("device", JSONValue(1)), ("changedBy", 2), ("changedAt", "x"), ("visit", "x"), ("notes", []),
            ("score", "x"),
        ] { body[name] = value }
        body["photos"] = [7, Self.photo]
        let before = try Inspection(id: "r", object: body)
        var record = before
        record.envelope.device = nil
        record.envelope.changedBy = "ines"
        record.envelope.changedAt = Timestamp("2026-03-04T10:15:00Z")
        record.visit = .routine
        record.notes = "clean"
        #expect(record.object["device"] == nil && record.object["changedBy"] == "ines")
        #expect(record.object["changedAt"] == "2026-03-04T10:15:00Z" && record.object["visit"] == "routine")
        #expect(record.object["notes"] == "clean" && record.object["score"] == "x")
        #expect(record.photos.count == 1 && record.object["photos"] == [Self.photo, 7])
        try record.validate(over: before)
        record.score = 500
        #expect(throws: RecordError.self) { try record.validate(over: before) }
    }

    /// A wrong value in an address or a photo hides neither other photos nor the rest of it.
    @Test func partsAreKept() throws {
        var site = Self.body(.site)
        site["address"] = ["street": 5, "city": "Amble"]
        var read = try Site(id: "r", object: site)
        #expect(read.address.line == "Amble" && read.envelope.damage.map(\.field) == ["address.street"])
        #expect(read.object["address"] == ["city": "Amble", "street": 5])
        read.address.street = "Quay"
        #expect(read.object["address"] == ["street": "Quay", "city": "Amble"])

        var inspection = Self.body(.inspection)
        inspection["photos"] = [
            ["name": "a.jpg", "caption": 5, "blob": ["@type": "blob", "digest": .string(Self.digest)]]
        ]
        let photographed = try Inspection(id: "r", object: inspection)
        #expect(photographed.photos.map(\.name) == ["a.jpg"])
        #expect(photographed.object["photos"]?.arrayValue?[0]["caption"] == 5)
    }
}
