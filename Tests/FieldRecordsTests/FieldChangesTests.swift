import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// The author of a value, however many people have edited the record since.
@Suite struct FieldChangesTests {
    private static let base: JSONObject = [
        "type": "inspection", "status": "draft", "score": 66, "notes": "base", "createdBy": "olga",
        "createdAt": "2026-03-01T08:00:00Z", "device": "office-pc", "answers": ["fridge": 4],
        "photos": [["name": "door.jpg", "blob": ["@type": "blob", "digest": "sha1-d"]]],
    ]

    /// An edit as a laptop saves it.
    private static func edit(
        _ before: JSONObject, by user: String, at minute: Int, _ values: [(String, JSONValue?)]
    ) -> JSONObject {
        var after = before
        for (name, value) in values { after[name] = value }
        Author(
            name: user, moment: Timestamp(secondsSince1970: 1_772_600_000 + Int64(minute) * 60),
            device: "\(user)-laptop"
        ).stamp(&after)
        FieldChanges.afterEdit(from: before, to: after, of: .inspection).write(to: &after)
        return after
    }

    private static func merge(_ a: JSONObject, _ b: JSONObject, base: JSONObject = base) throws -> JSONObject {
        let merged = try #require(RecordMerge.merge(.inspection, base: base, a: a, b: b))
        #expect(merged == RecordMerge.merge(.inspection, base: base, a: b, b: a), "it depends on which side is which")
        return merged
    }

    private static func authors(_ object: JSONObject, _ path: FieldPath) -> [String] {
        (ContestedValues(of: object).fields[path] ?? []).map { value in
            "\(value.text) \(value.stamp.by ?? "?") on \(value.stamp.device ?? "?")"
        }.sorted()
    }

    private static let scores = ["11 mara on mara-laptop", "90 ines on ines-laptop"]

    /// Bo's change is later than mara's, and has nothing to do with it.
    @Test(arguments: [1, 3]) func aSilentMergeGivesNobodysValueAway(minuteOfBo: Int) throws {
        let mara = Self.edit(Self.base, by: "mara", at: 2, [("score", 11)])
        let bo = Self.edit(Self.base, by: "bo", at: minuteOfBo, [("notes", "bo's")])
        let ines = Self.edit(Self.base, by: "ines", at: 4, [("score", 90)])
        let both = try Self.merge(mara, bo)
        #expect(both["conflicts"] == nil)
        #expect(try Self.authors(Self.merge(both, ines), FieldPath("score")) == Self.scores)
        // In another order, and with the notes typed twice.
        let otherNotes = Self.edit(Self.base, by: "ines", at: 4, [("notes", "ines's")])
        #expect(
            try Self.authors(Self.merge(both, otherNotes), FieldPath("notes"))
                == ["bo's bo on bo-laptop", "ines's ines on ines-laptop"])
    }

    /// Bo's program notes nothing, and has left the moment of the version before under his name.
    @Test func ofOneValueTheChangeWithAKnownMomentIsTheLater() throws {
        let base = Self.edit(Self.base, by: "olga", at: 1, [("notes", "olga's")])
        let mara = Self.edit(base, by: "mara", at: 2, [("score", 11)])
        var bo = base
        bo["score"] = 11
        bo["changedBy"] = "bo"
        let merged = try Self.merge(mara, bo, base: base)
        #expect(FieldChanges(of: merged).stamp(at: FieldPath("score"), in: merged).by == "mara")
    }

    /// No one has changed either name since, and neither is by the record's creator.
    @Test(arguments: ["name", "caption"]) func onePictureAttachedTwiceIsNamedByBoth(member: String) throws {
        func attached(by user: String) -> JSONObject {
            let photo: JSONValue = [
                "name": .string("\(user).jpg"), "caption": .string(user),
                "blob": ["@type": "blob", "digest": "sha1-p"],
            ]
            return Self.edit(Self.base, by: user, at: 1, [("photos", [photo])])
        }
        let merged = try Self.merge(attached(by: "mara"), attached(by: "bo"))
        let values = member == "name" ? ["bo.jpg", "mara.jpg"] : ["bo", "mara"]
        #expect(
            Self.authors(merged, FieldPath("photos").appending("sha1-p").appending(member))
                == ["\(values[0]) bo on bo-laptop", "\(values[1]) mara on mara-laptop"])
    }

    @Test func aVersionIncludesTheChangesThatItGoesOnFrom() {
        let first = Self.edit(Self.base, by: "mara", at: 1, [("score", 11)])
        let sent = Self.edit(first, by: "mara", at: 2, [("notes", "mara's")])
        func includesMaras(_ object: JSONObject) -> Bool { FieldChanges(of: object).includes(FieldChanges(of: sent)) }
        let goneOn = Self.edit(sent, by: "bo", at: 4, [("visit", "complaint")])
        let typedOver = Self.edit(sent, by: "bo", at: 4, [("notes", "bo's"), ("score", 5)])
        #expect([sent, goneOn, typedOver].allSatisfy(includesMaras))
        // Edits of an earlier version do not include the change, even if bo has edited the same field later.
        let older = Self.edit(first, by: "bo", at: 4, [("visit", "complaint")])
        let overOlder = Self.edit(first, by: "bo", at: 4, [("notes", "bo's")])
        let oldest = Self.edit(Self.base, by: "bo", at: 4, [("visit", "complaint")])
        #expect(![older, overOlder, oldest].contains(where: includesMaras))
        #expect(includesMaras(Self.base), "of a program that notes nothing it is not known")
    }

    @Test func whoGoesOnWithARecordTypesNothingOfIt() throws {
        let mara = Self.edit(Self.base, by: "mara", at: 1, [("score", 11)])
        let bo = Self.edit(mara, by: "bo", at: 2, [("notes", "bo's")])
        let ines = Self.edit(Self.base, by: "ines", at: 3, [("score", 90)])
        #expect(try Self.authors(Self.merge(bo, ines), FieldPath("score")) == Self.scores)
    }

    /// Edits a record as another program does: without a note, or without the earlier notes.
    private static func foreignEdit(_ before: JSONObject, isDropped: Bool) -> JSONObject {
        var after = before
        after["notes"] = "eve was here"
        after["answers"] = ["fridge": 9]
        after["photos"] = []
        after["changedBy"] = "eve"
        if isDropped { after[FieldChanges.member] = nil }
        return after
    }

    @Test(arguments: [false, true]) func whatIsNotNotedIsOfWhoChangedTheRecordLast(isDropped: Bool) throws {
        let submitted = Self.edit(Self.base, by: "hal", at: 1, [("status", "submitted"), ("score", 90)])
        let eve = Self.foreignEdit(submitted, isDropped: isDropped)
        let ines = Self.edit(submitted, by: "ines", at: 2, [("status", "approved")])
        let merged = try Self.merge(eve, ines, base: submitted)
        #expect(Self.authors(merged, FieldPath("notes")) == ["base olga on ?", "eve was here eve on ?"])
        let removals = (ContestedValues(of: merged).fields[FieldPath("photos", part: "sha1-d")] ?? [])
            .filter { $0.value == nil }
        #expect(removals.map(\.stamp.by) == ["eve"])
        #expect(FieldChanges(of: merged).stamp(at: RecordConflict.status, in: merged).by == "ines")
        // If there is nothing to decide, the change is noted for later.
        let other = Self.edit(submitted, by: "ines", at: 2, [("visit", "complaint")])
        let united = try Self.merge(eve, other, base: submitted)
        #expect(united["conflicts"] == nil && united["notes"] == "eve was here")
        for path in [FieldPath("notes"), FieldPath("answers", part: "fridge")] {
            #expect(FieldChanges(of: united).stamp(at: path, in: united).by == "eve")
        }
        #expect(FieldChanges(of: united).stamp(at: FieldPath("score"), in: united).by == "hal")
    }

    /// The time of the earlier change belongs to its own author.
    @Test(arguments: ["2026-03-04T08:00:00Z", nil]) func aMomentThatWasThereBeforeIsNotTheirs(moment: String?) throws {
        let submitted = Self.edit(Self.base, by: "hal", at: 1, [("status", "submitted")])
        var eve = Self.foreignEdit(submitted, isDropped: false)
        if let moment { eve["changedAt"] = .string(moment) }
        let stamp = FieldChanges(of: eve).completed(eve, since: submitted, of: .inspection)
            .stamp(at: FieldPath("notes"), in: eve)
        #expect(stamp.by == "eve" && stamp.at == moment.flatMap { Timestamp($0) })
    }

    /// A value that was not changed since the record was made.
    @Test func anUnchangedValueIsItsCreators() {
        let bo = Self.edit(Self.base, by: "bo", at: 1, [("notes", "bo's")])
        let stamp = FieldChanges(of: bo).stamp(at: FieldPath("score"), in: bo)
        #expect(stamp.by == "olga" && stamp.device == nil)
        // Without the member, only the last author is known.
        var older = bo
        older[FieldChanges.member] = nil
        #expect(FieldChanges(of: older).stamp(at: FieldPath("score"), in: older).by == "bo")
    }

    @Test func partsOfFieldsAreTheirAuthors() throws {
        let mara = Self.edit(Self.base, by: "mara", at: 1, [("answers", ["fridge": 7])])
        let both = try Self.merge(
            mara, Self.edit(Self.base, by: "bo", at: 2, [("answers", ["fridge": 4, "soap": true])]))
        let ines = Self.edit(Self.base, by: "ines", at: 3, [("answers", ["fridge": 9])])
        #expect(
            try Self.authors(Self.merge(both, ines), FieldPath("answers", part: "fridge"))
                == ["7 mara on mara-laptop", "9 ines on ines-laptop"])
    }

    @Test func clearedFieldsAndPhotosHaveAuthorsToo() throws {
        let photo: JSONValue = [["name": "gate.jpg", "blob": ["@type": "blob", "digest": "sha1-d"]]]
        let mara = Self.edit(Self.base, by: "mara", at: 1, [("notes", nil), ("photos", photo)])
        let both = try Self.merge(mara, Self.edit(Self.base, by: "bo", at: 2, [("score", 5)]))
        let other: JSONValue = [["name": "left.jpg", "blob": ["@type": "blob", "digest": "sha1-d"]]]
        let ines = Self.edit(Self.base, by: "ines", at: 3, [("notes", "n"), ("photos", other)])
        let merged = try Self.merge(both, ines)
        #expect(
            Self.authors(merged, FieldPath("notes")) == ["(empty) mara on mara-laptop", "n ines on ines-laptop"])
        #expect(
            Self.authors(merged, FieldPath(components: ["photos", "sha1-d", "name"].map { Name($0) }))
                == ["gate.jpg mara on mara-laptop", "left.jpg ines on ines-laptop"])
    }

    @Test func aPersonOnADeviceIsThereOnce() throws {
        var record = Self.base
        for minute in 1...50 { record = Self.edit(record, by: "mara", at: minute, [("score", .int(minute))]) }
        for minute in 51...60 { record = Self.edit(record, by: "mara", at: minute, [("q\(minute)", .int(minute))]) }
        record = Self.edit(record, by: "bo", at: 61, [("score", 1)])
        let entries = try #require(record[FieldChanges.member]?.arrayValue)
        #expect(entries.count == 2)
        #expect(entries.compactMap { $0["fields"]?.arrayValue?.count }.sorted() == [1, 10])
        // It contains only fields that a person edits.
        #expect(FieldChanges(of: record).stamp(at: FieldPath("changedAt"), in: record).by == "olga")
    }

    @Test func everyEditNotesIt() throws {
        let laptop = try TemporaryField()
        var inspection = Inspection(
            id: "i", site: "s", date: CalendarDay(daysSince1970: 20_000), district: District("hill") ?? .unknown)
        inspection.score = 66
        let made = try laptop.field.inspections.add(inspection, by: laptop.author)
        #expect(made.object[FieldChanges.member] == nil)
        let otto = Author(name: "otto", moment: laptop.author.moment, device: "tablet")
        let edited = try laptop.field.inspections.update("i", by: otto) { $0.score = 70 }
        #expect(
            edited.object[FieldChanges.member] == [
                [
                    "by": "otto", "at": .string(otto.moment.description), "device": "tablet", "fields": ["score"],
                ]
            ])
        #expect(try Inspection(id: "i", body: edited.body).problems().isEmpty)
    }

    @Test func whatCannotBeReadSaysNothing() {
        for damaged: JSONValue in [
            5, "x", [1, ["by": 3, "fields": [["a"], 7, "score"]]], ["by": "x"], [["fields": "score"]],
        ] {
            var object = Self.base
            object[FieldChanges.member] = damaged
            let stamp = FieldChanges(of: object).stamp(at: FieldPath("notes"), in: object)
            #expect(stamp.by == "olga")
        }
    }
}

extension ContestedValue {
    fileprivate var text: String {
        guard let value, !value.isNull else { return "(empty)" }
        return value.stringValue ?? value.integerValue.map(String.init) ?? "?"
    }
}
