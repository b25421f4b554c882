import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// The tie of findings and their inspection when one of the two is deleted.
@Suite struct InspectionTiesTests {
    private let temporary: TemporaryField
    private var field: FieldDatabase { temporary.field }
    private var author: Author { temporary.author }

    init() throws {
        temporary = try TemporaryField()
        let day = try #require(CalendarDay("2026-03-04"))
        try field.inspections.add(
            Inspection(id: "inspection-1", site: "site-1", date: day, district: .unknown), by: author)
        for number in 1...2 {
            let finding = Finding(
                id: "finding-\(number)", inspection: "inspection-1", site: "site-1", date: day, text: "Dust",
                district: .unknown)
            try field.findings.add(finding, by: author)
        }
        for (kind, id) in [(RecordKind.inspection, "inspection-1"), (.finding, "finding-1")] {
            try field.acknowledge(kind, id)
        }
    }

    @Test func whatWasSentIsHiddenAndComesBackWithTheInspection() throws {
        #expect(try field.removals.deleteInspection("inspection-1") == 2)
        #expect(try field.findings.all().records.isEmpty)
        #expect(try field.collection(of: .finding).exchange(of: "finding-1")?.isDeleted == false)
        #expect(try field.collection(of: .finding).exchange(of: "finding-2") == nil)
        // As a merge with another user's edit would do it.
        let body = #"{"type":"inspection","site":"site-1","date":"2026-03-04","status":"draft"}"#
        try field.collection(of: .inspection).save(bodies: [("inspection-1", Array(body.utf8))])
        #expect(try field.findings.all().records.map(\.id) == ["finding-1"])
    }

    @Test func workOnAFindingIsAnEditOfItsInspection() throws {
        func isSent() throws -> Bool {
            try field.collection(of: .inspection).exchange(of: "inspection-1")?.isSent ?? true
        }
        try #require(try isSent())
        field.journal.begin("edit", by: author)
        try field.findings.update("finding-1", by: author) { $0.text = "Rats" }
        #expect(try isSent() == false)
        let waiting = try field.collection(of: .inspection).exchange(of: "inspection-1")?.revision
        try field.findings.update("finding-1", by: author) { $0.text = "Two rats" }
        #expect(try field.collection(of: .inspection).exchange(of: "inspection-1")?.revision == waiting)
        #expect(try field.history.undo(by: author).records.count == 2)
        #expect(try isSent())
    }

    /// A script, or a service that syncs between two of them, makes both within a second.
    @Test func twoFindingsInOneSecondAreTwoEdits() throws {
        let inspections = field.collection(of: .inspection)
        func body() throws -> JSONObject? { try inspections.document(id: "inspection-1")?.body }
        try field.findings.update("finding-1", by: author) { $0.text = "Rats" }
        let first = try body()
        try field.acknowledge(.inspection, "inspection-1")
        try field.findings.update("finding-1", by: author) { $0.text = "Two rats" }
        #expect(try inspections.exchange(of: "inspection-1")?.isSent == false)
        #expect(try body() != first)
    }

    /// Reading a large file takes long, and a sync may bring an approval in the meantime.
    @Test func aPhotoIsNotAddedToWhatWasHandedInMeanwhile() throws {
        let file = try temporary.file("door.jpg", [0xFF, 0xD8, 0xFF])
        let photo = try field.photos.attach(file: file, toFinding: "finding-1", caption: nil, by: author).photo
        try field.inspections.update("inspection-1", by: author) { $0.status = .submitted }
        try field.acknowledge(.inspection, "inspection-1")
        let error = #expect(throws: RecordActionError.self) {
            try field.photos.add(photo, toFinding: "finding-1", by: author)
        }
        #expect(error?.code == .partOfClosed(status: "submitted", inspection: "inspection-1"))
        #expect(try field.findings.find("finding-1")?.photos.count == 1)
    }

    /// Otherwise the typed values would be saved and sent, but shown in no user's lists.
    @Test func aFindingOfADeletedInspectionIsNotChanged() throws {
        let file = try temporary.file("door.jpg", [0xFF, 0xD8, 0xFF])
        let photo = try field.photos.attach(file: file, toFinding: "finding-1", caption: nil, by: author).photo
        _ = try field.removals.deleteInspection("inspection-1")
        let before = try field.collection(of: .finding).document(id: "finding-1")?.body
        let attempts: [() throws -> Void] = [
            { [field, author] in try field.findings.update("finding-1", by: author) { $0.text = "Rats" } },
            { [field, author] in
                try field.photos.attach(file: file, toFinding: "finding-1", caption: nil, by: author)
            },
            { [field, author] in try field.photos.remove(photo, of: .finding, id: "finding-1", by: author) },
            { [field, author] in
                var finding = try #require(try field.findings.find("finding-1"))
                finding.id = "finding-3"
                try field.findings.add(finding, by: author)
            },
        ]
        for attempt in attempts {
            let error = #expect(throws: RecordActionError.self) { try attempt() }
            #expect(error?.code == .partOfDeleted(inspection: "inspection-1"))
            #expect(error?.advised.marks.map(\.advice) == [.undo("inspection-1")])
        }
        #expect(try field.collection(of: .finding).document(id: "finding-1")?.body == before)
        #expect(try field.findings.find("finding-3") == nil)
    }

    @Test func anInspectionThatWasHandedInIsLeftAlone() throws {
        try field.inspections.update("inspection-1", by: author) { $0.status = .submitted }
        try field.acknowledge(.inspection, "inspection-1")
        try field.findings.update("finding-1", by: author) { $0.text = "Rats" }
        #expect(try field.collection(of: .inspection).exchange(of: "inspection-1")?.isSent == true)
    }

    /// A deletion itself has neither its author nor its time; the laptop on which it was made has both.
    @Test func aContestedDeletionSaysWhoMadeIt() throws {
        func deletion() throws -> VersionStamp? {
            try field.journal.ownDeletion(of: .inspection, "inspection-1", device: "laptop-1")
        }
        let base = try #require(try field.collection(of: .inspection).document(id: "inspection-1")?.body)
        field.journal.begin("edit", by: author)
        try field.inspections.update("inspection-1", by: author) { $0.notes = "n" }
        #expect(try deletion() == nil)
        field.journal.begin("delete", by: author)
        _ = try field.removals.deleteInspection("inspection-1")
        let stamp = VersionStamp(by: "mara", at: author.moment, device: "laptop-1")
        #expect(try deletion() == stamp)
        var edited = base
        edited["notes"] = "elsewhere"
        let merged = try #require(
            RecordConflictResolver.merged(
                .inspection, base: base, local: nil, remote: edited, deletion: try deletion(), writer: nil))
        #expect(RecordConflict(.inspection, id: "inspection-1", object: merged)?.deletion == stamp)
        _ = try field.history.undo(by: author)
        #expect(try deletion() == nil)
    }

    @Test func theyAreDeletedWeeksLaterByWhoFoundThem() throws {
        _ = try field.removals.deleteInspection("inspection-1")
        let sent = try #require(try field.collection(of: .inspection).exchange(of: "inspection-1"))
        func deleted(after seconds: Int64, by name: String = "mara") throws -> Int {
            let moment = Timestamp(secondsSince1970: Int64(sent.date) + seconds)
            return try field.deletions.deleteFindingsOfDeletedInspections(by: Author(name: name, moment: moment))
        }
        let late = FieldRecordsLimits.deletedInspection + 5
        #expect(try deleted(after: late) == 0, "the deletion was not sent yet")
        try field.acknowledge(.inspection, "inspection-1")
        #expect(try deleted(after: 60) == 0 && deleted(after: late, by: "kofi") == 0)
        #expect(try deleted(after: late) == 1 && deleted(after: late) == 0)
        #expect(try field.collection(of: .finding).exchange(of: "finding-1")?.isDeleted == true)
    }

    /// No user has deleted the findings: a person who brings the inspection back gets them, however late, even if
    /// another person deleted it.
    @Test(arguments: [true, false]) func theyComeBackWithTheirInspection(isOwn: Bool) throws {
        let before = try #require(try field.collection(of: .inspection).document(id: "inspection-1")?.body)
        let text = try #require(try field.findings.find("finding-1")?.text)
        field.journal.begin("delete", by: author)
        _ = try field.removals.deleteInspection("inspection-1")
        try field.acknowledge(.inspection, "inspection-1")
        let sent = try #require(try field.collection(of: .inspection).exchange(of: "inspection-1"))
        let late = Int64(sent.date) + FieldRecordsLimits.deletedInspection + 5
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: late))
        #expect(try field.deletions.deleteFindingsOfDeletedInspections(by: author) == 1)
        #expect(try field.deletions.bringBackTiedFindings(by: author) == 0, "the inspection is deleted still")
        if isOwn {
            let deleted = try #require(try field.deletions.all().first { $0.id == "inspection-1" })
            _ = try field.deletions.bringBack(deleted, by: author)
        } else {
            // As a sync does with records that a colleague had not sent yet.
            try field.collection(of: .inspection).save(bodies: [("inspection-1", before.bytes)])
            #expect(try field.deletions.bringBackTiedFindings(by: author) == 1)
        }
        #expect(try field.findings.find("finding-1")?.text == text)
        #expect(try field.deletions.all().allSatisfy { $0.id != "finding-1" })
        #expect(try field.deletions.bringBackTiedFindings(by: author) == 0)
    }

    /// A finding that no list shows is not brought back before its inspection.
    @Test func aFindingThatOthersDeletedComesBackAfterItsInspection() throws {
        for (kind, id) in [(RecordKind.finding, "finding-1"), (.inspection, "inspection-1")] {
            try field.deletions.keep(kind, ids: [id])
            let collection = field.collection(of: kind)
            try collection.delete(document: try #require(try collection.document(id: id)))
            try field.acknowledge(kind, id)
        }
        func deleted(_ id: String) throws -> DeletedRecord {
            try #require(try field.deletions.all().first { $0.id == id })
        }
        #expect(throws: RecordActionError(.partOfDeleted(inspection: "inspection-1"), kind: .finding, id: "finding-1"))
        {
            try field.deletions.bringBack(deleted("finding-1"), by: author)
        }
        _ = try field.deletions.bringBack(deleted("inspection-1"), by: author)
        _ = try field.deletions.bringBack(deleted("finding-1"), by: author)
        #expect(try field.findings.find("finding-1")?.text == "Dust")
    }

    /// Others may delete any number of records in the meantime.
    @Test func whatIsToComeBackIsNotCrowdedOut() throws {
        field.journal.begin("delete", by: author)
        _ = try field.removals.deleteInspection("inspection-1")
        try field.acknowledge(.inspection, "inspection-1")
        let sent = try #require(try field.collection(of: .inspection).exchange(of: "inspection-1"))
        let late = Timestamp(secondsSince1970: Int64(sent.date) + FieldRecordsLimits.deletedInspection + 5)
        #expect(try field.deletions.deleteFindingsOfDeletedInspections(by: Author(name: "mara", moment: late)) == 1)
        let ids = (0...FieldRecordsLimits.deletedElsewhere).map { "site-\($0)" }
        try field.collection(of: .site).save(
            bodies: ids.map { ($0, Array(#"{"type":"site","name":"Mill","district":"a"}"#.utf8)) })
        for part in [ids.prefix(200), ids.dropFirst(200)] { try field.deletions.keep(.site, ids: Array(part)) }
        let kept = try field.deletions.pages.kept().map(\.record)
        #expect(kept.count == FieldRecordsLimits.deletedElsewhere + 1 && kept.contains { $0.isTied })
    }
}
