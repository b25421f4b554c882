import DocumentStore
import DocumentValues
import FieldModels
import Synchronization
import Testing

@testable import FieldRecords

/// The journal's entries for changes that are large, that fail, or that meet changes of others.
@Suite struct ChangeJournalTests {
    private struct Failure: Error {}

    private let temporary: TemporaryField
    private var field: FieldDatabase { temporary.field }

    init() throws {
        temporary = try TemporaryField()
        field.journal.begin("new site", by: temporary.author)
        try field.sites.add(
            Site(id: "site-1", name: "Mill", address: Address(), district: .unknown), by: temporary.author)
    }

    private func edit(_ title: String = "edit", _ change: (inout Site) -> Void) throws {
        field.journal.begin(title, by: temporary.author)
        try field.sites.update("site-1", by: temporary.author, change: change)
    }

    private func lines() throws -> [String] { try field.history.log(of: .site, "site-1").map(\.text) }

    /// Each record is written once, with any number of records in the change.
    @Test func aChangeOfManyRecordsCostsNoMoreThanItsRecords() throws {
        field.journal.begin("many", by: temporary.author)
        for number in 2...400 {
            try field.sites.add(
                Site(id: "site-\(number)", name: "Mill", address: Address(), district: .unknown), by: temporary.author)
        }
        let change = try #require(try field.journal.last())
        #expect(change.records.count == 399 && change.pages.allSatisfy { $0.records.count == 1 })
        #expect(try field.history.undo(by: temporary.author).records.count == 399)
        #expect(try field.journal.last()?.title == "new site")
    }

    /// Each answer is saved when it is given, and a sync may come between two of them.
    @Test func whatASyncBroughtInTheMiddleOfAnEditIsNotUndone() throws {
        try edit { $0.phone = "1" }
        let collection = field.collection(of: .site)
        var body = try #require(try collection.document(id: "site-1")?.body)
        body["name"] = "Old mill"
        try collection.save(bodies: [("site-1", body.bytes)])
        try field.sites.update("site-1", by: temporary.author) { $0.notes = "dry" }
        #expect(
            try lines().filter { $0.hasPrefix("edit") } == ["edit: phone nothing → 1", "edit: notes nothing → dry"])
        #expect(try field.history.undo(by: temporary.author).title == "edit")
        let site = try #require(try field.sites.find("site-1"))
        #expect(site.name == "Old mill" && site.phone == "1" && site.notes == nil)
        #expect(throws: UndoError(code: .changedSince(.site, "site-1"))) {
            try field.history.undo(by: temporary.author)
        }
    }

    @Test func whatATransactionTakesWithItIsNotInTheJournal() throws {
        try edit { $0.phone = "1" }
        #expect(throws: Failure.self) {
            try field.database.inBatch {
                try field.sites.update("site-1", by: temporary.author) { $0.phone = "2" }
                throw Failure()
            }
        }
        try field.sites.update("site-1", by: temporary.author) { $0.notes = "dry" }
        #expect(try field.history.undo(by: temporary.author).records.map(\.outcome) == [.restored])
        #expect(try field.sites.find("site-1")?.phone == nil)
    }

    /// The second journal is another process's, over the same database.
    @Test func theNumberOfAChangeThatFailedIsFreeForOthers() throws {
        field.journal.begin("edit", by: temporary.author)
        #expect(throws: Failure.self) {
            try field.database.inBatch {
                try field.sites.update("site-1", by: temporary.author) { $0.phone = "2" }
                throw Failure()
            }
        }
        try ChangeJournal(in: field.database).noteWhole("import", by: temporary.author)
        try field.sites.update("site-1", by: temporary.author) { $0.phone = "3" }
        #expect(try field.journal.entries().map(\.title) == ["new site", "import", "edit"])
    }

    @Test func eachObserverSeesEachChange() throws {
        let seen = Mutex<[String]>([])
        for name in ["one", "two"] {
            field.journal.observe { change in
                seen.withLock { $0.append("\(name) \(change.record.id)") }
                return {}
            }
        }
        try edit { $0.phone = "1" }
        #expect(seen.withLock { $0 } == ["one site-1", "two site-1"])
    }

    @Test func aChangeThatFailedWhollyIsNoChange() throws {
        field.journal.begin("edit", by: temporary.author)
        #expect(throws: Failure.self) {
            try field.database.inBatch {
                try field.sites.update("site-1", by: temporary.author) { $0.phone = "2" }
                throw Failure()
            }
        }
        try field.sites.update("site-1", by: temporary.author) { $0.notes = "dry" }
        #expect(try field.history.undo(by: temporary.author).title == "edit")
        #expect(try field.history.undo(by: temporary.author).title == "new site")
    }

    /// The service may send a new record while the user is still typing; after that, it cannot disappear without a
    /// trace any more.
    @Test func aNewRecordOfWhichAPartWasSentStays() throws {
        try field.acknowledge(.site, "site-1")
        try field.sites.update("site-1", by: temporary.author) { $0.phone = "1" }
        let error = #expect(throws: UndoError.self) { try field.history.undo(by: temporary.author) }
        #expect(error?.code == .sent(.site, "site-1"))
        #expect(try field.sites.find("site-1")?.phone == "1")
    }

    /// As lists and prompts do.
    @Test func aRecordThatCannotBeUndoneIsNamedByItsShortID() {
        let sent = UndoError(code: .sent(.inspection, "inspection-sjp3nmhfh9"))
        let changed = UndoError(code: .changedSince(.site, "site-mill"))
        #expect(sent.description.contains("the new inspection sjp3nmhfh9 has been sent."))
        #expect(changed.description.contains("the site mill has been changed since"))
    }

    /// A change that a sync brought between two changes of this laptop is no change of this laptop.
    @Test func theLogNamesOnlyWhatWasChangedHere() throws {
        try edit { $0.phone = "1" }
        let document = try #require(try field.collection(of: .site).document(id: "site-1")).toMutable()
        document.setValue("theirs", forKey: "notes")
        try field.collection(of: .site).save(document: document)
        try edit { $0.phone = "2" }
        #expect(try lines().filter { $0.contains("edit") } == ["edit: phone nothing → 1", "edit: phone 1 → 2"])
    }

    @Test(arguments: ["device", "type", "changedBy"]) func aQuestionMayBeNamedAsAFieldOfRecords(name: String) {
        let lines = RecordDifference.lines(
            from: ["type": "a", "answers": .object([name: 1])], to: ["type": "b", "answers": .object([name: 2])])
        #expect(lines == ["\(name) 1 → 2"])
    }

    @Test func photosAreNamed() {
        func photo(_ name: String, _ caption: String = "x") -> JSONValue {
            ["name": .string(name), "caption": .string(caption), "blob": ["digest": .string("sha1-\(name)")]]
        }
        func lines(_ old: [JSONValue]?, _ new: [JSONValue]?) -> [String] {
            func record(_ photos: [JSONValue]?) -> JSONObject {
                JSONObject(members: photos.map { [JSONObject.Member(key: "photos", value: .array($0))] } ?? [])
            }
            return RecordDifference.lines(from: record(old), to: record(new))
        }
        #expect(lines(nil, [photo("a")]) == ["photo a added"])
        #expect(lines([photo("a")], [photo("a"), photo("b")]) == ["photo b added"])
        #expect(lines([photo("a"), photo("b")], nil) == ["photo a removed", "photo b removed"])
        #expect(lines([photo("a")], [photo("b")]) == ["photo a removed", "photo b added"])
        #expect(lines([photo("a")], [photo("a", "y"), photo("b")]) == ["photo b added", "photo a: caption x → y"])
        #expect(lines([photo("a"), photo("b")], [photo("b"), photo("a")]) == ["photos changed"])
        #expect(lines(nil, (1...11).map { photo("\($0)") }) == ["photos nothing → 11 of them"])
    }

    /// An entry that does not note what an edit changed is no deletion.
    @Test func onlyADeletionIsTakenForOne() throws {
        let subject = RecordReference(.site, id: "site-1")
        try field.acknowledge(.site, "site-1")
        try edit { $0.phone = "1" }
        #expect(try field.journal.deletion(of: subject) == nil)
        let changes = try #require(try field.database.collection(name: "changes", scope: "laptop"))
        let key = try #require(try changes.documentIDs().last)
        var page = try #require(try changes.document(id: key)?.body)
        var records = try #require(page["records"]?.arrayValue)
        var record = try #require(records[0].objectValue)
        record["differences"] = nil
        records[0] = .object(record)
        page["records"] = .array(records)
        try changes.save(bodies: [(key, page.bytes)])
        #expect(try field.journal.deletion(of: subject) == nil)
        field.journal.begin("delete", by: temporary.author)
        try field.sites.delete("site-1")
        #expect(try field.journal.deletion(of: subject)?.name == temporary.author.name)
    }

    @Test func nothingBeforeAnImportIsUndone() throws {
        try edit { $0.phone = "1" }
        let file = try temporary.file(
            "sites.jsonl", #"{"_id":"site-9","name":"Quay","district":"hill","channels":["district.hill"]}"# + "\n")
        let report = try RecordImport(into: field, by: temporary.author).run([file])
        try #require(report.counts.map(\.added) == [1])
        let error = #expect(throws: UndoError.self) { try field.history.undo(by: temporary.author) }
        #expect(error?.code == .notKept(title: "import"))
        #expect(try field.sites.find("site-1")?.phone == "1")
        try edit { $0.phone = "2" }
        #expect(try field.history.undo(by: temporary.author).title == "edit")
    }

    /// As earlier versions wrote it: one document for all records of a change.
    @Test func earlierJournalsAreRead() throws {
        let site = try #require(try field.collection(of: .site).document(id: "site-1"))
        let revision = try #require(site.revisionID)
        try edit { $0.phone = "1" }
        let present = try #require(try field.collection(of: .site).exchange(of: "site-1")?.revision)
        let entry = try #require(try field.journal.last())
        try field.journal.forget(entry)
        let record: JSONObject = [
            "kind": "site", "id": "site-1", "revision": .string(revision), "before": .object(site.body),
            "after": .string(present.description),
        ]
        let old: JSONObject = ["title": "edit", "at": "2026-03-04T10:15:07Z", "records": .array([.object(record)])]
        let changes = try #require(try field.database.collection(name: "changes", scope: "laptop"))
        try changes.save(bodies: [("change-000000000007", old.bytes)])
        #expect(try field.history.undo(by: temporary.author).title == "edit")
        #expect(try field.sites.find("site-1")?.phone == nil)
    }

    @Test(arguments: ["-9223372036854775808", "+9223372036854775807", "-10000"])
    func noNumberOfDaysIsTooMuch(text: String) throws {
        let today = try #require(CalendarDay("2026-03-04"))
        #expect(AnswerReader.day(text, today: today) == nil)
    }

    /// An inspection that a colleague handed in for its inspector, as a sync brings it.
    @Test func theLogNamesWhoHandedItIn() throws {
        let laptop = try TemporaryField()
        var inspection = Inspection(
            id: "i", site: "s", date: CalendarDay(daysSince1970: 20_000), district: District("hill") ?? .unknown)
        inspection.inspector = "bo"
        (inspection.status, inspection.submittedAt) = (.submitted, laptop.author.moment)
        (inspection.envelope.changedBy, inspection.envelope.changedAt) = ("mara", laptop.author.moment)
        let collection = laptop.field.collection(of: .inspection)
        try collection.save(document: MutableDocument(id: "i", body: inspection.object))
        #expect(try laptop.field.history.log(of: .inspection, "i").first { $0.text == "submitted" }?.author == "mara")
        inspection.envelope.changedAt = Timestamp(secondsSince1970: laptop.author.moment.secondsSince1970 + 60)
        let changed = try #require(try collection.document(id: "i")).toMutable()
        changed.setBody(inspection.object)
        try collection.save(document: changed)
        let events = try laptop.field.history.log(of: .inspection, "i")
        let event = try #require(events.first { $0.text == "submitted, this laptop does not know by whom" })
        #expect(event.author == nil)
    }

    /// A colleague's change since then was merged with it, and the merged record has the later change.
    @Test func theLogNamesWhoHandedItInBesideWhoChangedItLast() throws {
        let inspection = Inspection(
            id: "i", site: "site-1", date: CalendarDay(daysSince1970: 20_000), district: District("hill") ?? .unknown)
        try field.inspections.add(inspection, by: temporary.author)
        let sofia = Author(name: "sofia", moment: temporary.author.moment)
        try field.inspections.update("i", by: temporary.author) {
            ($0.status, $0.submittedAt) = (.submitted, temporary.author.moment)
        }
        try field.inspections.update("i", by: sofia) { $0.notes = "dusty" }
        #expect(try field.history.log(of: .inspection, "i").first { $0.text == "submitted" }?.author == "mara")
    }

    /// The last step of an approved inspection is the approval, which may be of the same second.
    @Test(arguments: [0, 60]) func theLogNamesWhoHandedInWhatIsApproved(seconds: Int64) throws {
        var inspection = Inspection(
            id: "i", site: "site-1", date: CalendarDay(daysSince1970: 20_000), district: District("hill") ?? .unknown)
        inspection.inspector = "mara"
        try field.inspections.add(inspection, by: temporary.author)
        field.journal.begin("submit", by: temporary.author)
        _ = try field.lifeCycle.submit("i", by: temporary.author)
        let moment = Timestamp(secondsSince1970: temporary.author.moment.secondsSince1970 + seconds)
        let ines = Author(name: "ines", moment: moment)
        field.journal.begin("approve", by: ines)
        _ = try field.lifeCycle.approve("i", by: ines)
        #expect(try field.history.log(of: .inspection, "i").first { $0.text == "submitted" }?.author == "mara")
    }

    /// The record itself has only its last return or approval.
    @Test func theLogKeepsAReturnAfterTheInspectionIsHandedInAgain() throws {
        let ines = Author(
            name: "ines", moment: Timestamp(secondsSince1970: temporary.author.moment.secondsSince1970 + 60))
        let inspection = Inspection(
            id: "i", site: "site-1", date: CalendarDay(daysSince1970: 20_000), district: District("hill") ?? .unknown)
        try field.inspections.add(inspection, by: temporary.author)
        field.journal.begin("submit", by: temporary.author)
        _ = try field.lifeCycle.submit("i", by: temporary.author)
        // As a sync brings it.
        let collection = field.collection(of: .inspection)
        var returned = try #require(try field.inspections.find("i"))
        (returned.status, returned.review) = (.returned, "which door?")
        (returned.envelope.changedBy, returned.envelope.changedAt) = (ines.name, ines.moment)
        var object = returned.object
        FieldChanges.afterEdit(
            from: try #require(try collection.document(id: "i")?.body), to: object, of: .inspection
        ).write(to: &object)
        try collection.save(bodies: [("i", object.bytes)])
        field.journal.begin("submit", by: temporary.author)
        _ = try field.lifeCycle.submit("i", by: temporary.author)
        let events = try field.history.log(of: .inspection, "i")
        #expect(events.contains { $0.text == "returned" && $0.author == "ines" && $0.moment == ines.moment })
        #expect(events.contains { $0.text == "submit: status returned → submitted" }, "\(events.map(\.text))")
    }
}
