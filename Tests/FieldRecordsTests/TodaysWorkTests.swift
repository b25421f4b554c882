import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Testing

@Suite struct TodaysWorkTests {
    private static let today = CalendarDay(daysSince1970: 20_516)

    private static func assignment(
        _ id: String, due: Int, of inspector: String = "mara", _ status: Assignment.Status = .open
    ) -> Assignment {
        var assignment = Assignment(
            id: id, inspector: inspector, site: "site-1", due: today.adding(days: due), district: .unknown)
        assignment.status = status
        return assignment
    }

    private static func inspection(_ id: String, _ status: Inspection.Status, of inspector: String? = "mara")
        -> Inspection
    {
        var inspection = Inspection(id: id, site: "site-1", date: today, district: .unknown)
        (inspection.status, inspection.inspector) = (status, inspector)
        return inspection
    }

    private static let assignments = [
        assignment("late", due: -1), assignment("later", due: -20), assignment("now", due: 0),
        assignment("soon", due: 1), assignment("done", due: -3, .done), assignment("dropped", due: -3, .dropped),
        assignment("hers", due: -3, of: "ines"),
    ]
    private static let inspections = [
        inspection("draft", .draft), inspection("back", .returned), inspection("in", .submitted),
        inspection("nobody", .draft, of: nil), inspection("hers", .draft, of: "ines"),
    ]

    @Test func onlyWhatIsOnesOwnAndOpenIsToBeDone() {
        var work = TodaysWork(
            assignments: Self.assignments, inspections: Self.inspections, user: "mara", today: Self.today, refused: 1,
            conflicts: 2)
        work.quarantined = 3
        #expect(work.overdue.map(\.id) == ["later", "late"])
        #expect(work.due.map(\.id) == ["now"])
        #expect(work.returned.map(\.id) == ["back"])
        #expect(Set(work.drafts.map(\.id)) == ["draft", "nobody"])
        #expect(work.coming.map(\.id) == ["soon"])
        #expect(
            work.line
                == "1 due today, 2 overdue, 1 coming, 2 drafts, 1 returned, 1 refused, 3 in quarantine, 2 conflicts")
    }

    /// No laptop knows who is a supervisor: it infers that from the person's steps.
    @Test(
        arguments: [
            ("mara", nil, []), ("ines", nil, []), ("olga", nil, ["in"]), (nil, nil, []), ("ines", "ines", ["in"]),
            ("mara", "mara", []),
        ] as [(String?, String?, [String])]) func whatWaitsForAnApproval(
            user: String?, assignedBy: String?, ids: [String]
        )
    {
        var assignments = Self.assignments
        assignments[0].envelope.createdBy = assignedBy
        let work = TodaysWork(
            assignments: assignments, inspections: Self.inspections, user: user, today: Self.today)
        #expect(work.submitted.map(\.id) == ids)
        #expect((work.line?.contains("1 not approved yet") == true) == !ids.isEmpty)
    }

    /// A user who claims that unfinished work is done does not hide it from others.
    @Test(
        arguments: [
            ("eve", nil, "mara", true), ("eve", "in", "mara", false), ("eve", "draft", "mara", true),
            ("eve", "nowhere", "ines", true), ("eve", nil, "olga", false), ("mara", nil, "mara", false),
            ("ines", nil, "mara", false), (nil, nil, "mara", false),
        ] as [(String?, String?, String, Bool)])
    func whatOthersHaveClosedIsNamed(closer: String?, inspection: String?, user: String, isNamed: Bool) {
        func work(due: Int) -> TodaysWork {
            var assignment = Self.assignment("a", due: due, .done)
            assignment.inspection = inspection
            (assignment.envelope.createdBy, assignment.envelope.changedBy) = ("ines", closer)
            return TodaysWork(
                assignments: [assignment], inspections: Self.inspections, user: user, today: Self.today)
        }
        #expect(work(due: -3).closedByOthers.map(\.id) == (isNamed ? ["a"] : []))
        #expect((work(due: -3).line?.contains("1 closed by others") == true) == isNamed)
        #expect(work(due: -31).closedByOthers.isEmpty)
    }

    /// Even if others have begun the same work.
    @Test(arguments: [("mara", "own"), ("ines", "hers"), ("olga", "hers"), (nil, "hers")] as [(String?, String)])
    func whatSomebodyHasBegunThemselvesCountsFirst(user: String?, begun: String) {
        var inspections = [
            Self.inspection("in", .submitted), Self.inspection("hers", .draft, of: "ines"),
            Self.inspection("own", .returned), Self.inspection("again", .draft),
        ]
        for index in inspections.indices { inspections[index].assignment = "now" }
        inspections.append(Self.inspection("loose", .draft))
        let work = TodaysWork(
            assignments: Self.assignments, inspections: inspections, user: user, today: Self.today)
        #expect(work.begun[assignment: "now"]?.id == begun)
        #expect(work.begun[assignment: "late"] == nil)
    }

    @Test func withoutASignInItIsEverybodysWork() {
        let work = TodaysWork(
            assignments: Self.assignments, inspections: Self.inspections, user: nil, today: Self.today)
        #expect(work.overdue.map(\.id) == ["later", "hers", "late"])
        #expect(work.drafts.count == 3)
    }

    /// Names that only look the same are those of two people.
    @Test func namesAreComparedByTheirBytes() {
        let work = TodaysWork(
            assignments: [Self.assignment("a", due: 0, of: "jose\u{301}")], inspections: [], user: "jos\u{e9}",
            today: Self.today)
        #expect(work.due.isEmpty && work.line == nil)
    }

    @Test(
        arguments: [(-1, Assignment.Status.open, "overdue"), (0, .open, "today"), (1, .open, nil), (-1, .done, nil)]
            as [(Int, Assignment.Status, String?)])
    func whatIsDueIsMarked(due: Int, status: Assignment.Status, mark: String?) {
        #expect(Self.assignment("a", due: due, status).urgency(on: Self.today) == mark)
    }
}

@Suite struct NaturalOrderTests {
    @Test(arguments: [
        (["100", "10", "2", "1"], ["1", "2", "10", "100"]),
        (["Stand 10", "stand 9", "Stand 1"], ["Stand 1", "stand 9", "Stand 10"]),
        (["a10b2", "a10b10", "a9"], ["a9", "a10b2", "a10b10"]), (["é", "f", "e"], ["e", "é", "f"]),
        (["007", "7", "06"], ["06", "007", "7"]), (["", "a", "1"], ["", "1", "a"]),
        (["b", "a1", "a\u{0}", "ab", "a"], ["a", "a1", "a\u{0}", "ab", "b"]),
        (["\u{10FFFF}", "z", "0", "00", "a0b", "a00b"], ["0", "00", "a00b", "a0b", "z", "\u{10FFFF}"]),
        (
            ["99999999999999999999999", "100000000000000000000000"],
            ["99999999999999999999999", "100000000000000000000000"]
        ),
    ])
    func numbersCountByTheirValue(texts: [String], sorted: [String]) {
        #expect(texts.sortedNaturally { [$0] } == sorted)
    }

    @Test func theSecondTextDecidesAndEqualOnesStayInOrder() {
        let rows = [("b", "1", 0), ("a", "2", 1), ("a", "10", 2), ("A", "1", 3), ("a", "2", 4)]
        #expect(rows.sortedNaturally { [$0.0, $0.1] }.map(\.2) == [3, 1, 4, 2, 0])
    }
}

@Suite struct JournalTests {
    private let temporary: TemporaryField
    private var field: FieldDatabase { temporary.field }

    init() throws {
        temporary = try TemporaryField()
        field.journal.begin("new site", by: temporary.author)
        try field.sites.add(
            Site(id: "site-1", name: "Mill", address: Address(), district: .unknown), by: temporary.author)
    }

    @Test func aNewRecordIsGoneWithoutATrace() throws {
        let change = try field.history.undo(by: temporary.author)
        #expect(change.title == "new site" && change.records.map(\.outcome) == [.removed])
        #expect(try field.collection(of: .site).exchange(of: "site-1") == nil)
        #expect(throws: UndoError.self) { try field.history.undo(by: temporary.author) }
    }

    @Test func onlyWhatWasSeenIsTakenBack() throws {
        let pending = try field.history.pendingUndo()
        #expect(pending.title == "new site" && pending.vanishing.map(\.id) == ["site-1"])
        field.journal.begin("edit", by: temporary.author)
        try field.sites.update("site-1", by: temporary.author) { $0.notes = "n" }
        #expect(try field.history.pendingUndo().vanishing.isEmpty)
        let error = #expect(throws: UndoError.self) { try field.history.undo(by: temporary.author, seen: pending) }
        #expect(error?.code == .otherChange)
        #expect(try field.sites.find("site-1")?.notes == "n")
    }

    @Test func changesAreTakenBackOneAfterTheOther() throws {
        for phone in ["1", "2"] {
            field.journal.begin("edit", by: temporary.author)
            try field.sites.update("site-1", by: temporary.author) { $0.phone = phone }
            try field.sites.update("site-1", by: temporary.author) { $0.notes = "of \(phone)" }
        }
        _ = try field.history.undo(by: temporary.author)
        #expect(try field.sites.find("site-1")?.phone == "1")
        #expect(try field.sites.find("site-1")?.notes == "of 1")
        _ = try field.history.undo(by: temporary.author)
        #expect(try field.sites.find("site-1")?.phone == nil)
        _ = try field.history.undo(by: temporary.author)
        #expect(try field.sites.find("site-1") == nil)
    }

    @Test func anUnsentEditOfASentRecordLeavesNothingToBeSent() throws {
        try field.acknowledge(.site, "site-1")
        field.journal.begin("edit", by: temporary.author)
        try field.sites.update("site-1", by: temporary.author) { $0.phone = "1" }
        #expect(try field.history.undo(by: temporary.author).records.map(\.outcome) == [.restored])
        #expect(try field.sites.find("site-1")?.phone == nil)
        #expect(try field.collection(of: .site).exchange(of: "site-1")?.isSent == true)
    }

    @Test func aNewRecordThatWasSentStays() throws {
        try field.acknowledge(.site, "site-1")
        let error = #expect(throws: UndoError.self) { try field.history.undo(by: temporary.author) }
        #expect(error?.code == .sent(.site, "site-1"))
        #expect(try field.sites.find("site-1") != nil)
    }

    @Test func aDeletionIsTakenBack() throws {
        field.journal.begin("delete", by: temporary.author)
        try field.sites.delete("site-1")
        #expect(try field.history.undo(by: temporary.author).records.map(\.outcome) == [.broughtBack])
        #expect(try field.sites.find("site-1")?.name == "Mill")
    }

    /// The gateway has the record, and perhaps the deletion, too; or it is on its way there.
    @Test(arguments: [false, true]) func theDeletionOfASentRecordIsTakenBackByANewVersion(isSent: Bool) throws {
        try field.acknowledge(.site, "site-1")
        field.journal.begin("delete", by: temporary.author)
        try field.sites.delete("site-1")
        let deletion = try #require(try field.collection(of: .site).exchange(of: "site-1"))
        if isSent { try field.acknowledge(.site, "site-1") }
        #expect(try field.history.undo(by: temporary.author).records.map(\.outcome) == [.broughtBack])
        let site = try #require(try field.sites.find("site-1"))
        #expect(site.name == "Mill")
        if isSent { #expect(site.envelope.changedBy == temporary.author.name) }
        let present = try #require(try field.collection(of: .site).exchange(of: "site-1"))
        #expect(!present.isSent && present.ancestry.history.parent == deletion.revision)
        #expect(throws: UndoError.self) { try field.history.undo(by: temporary.author) }
    }

    /// Revoked records leave the disk, and with it the journal.
    @Test func whatASyncTakesLeavesTheJournal() throws {
        try field.sites.update("site-1", by: temporary.author) { $0.phone = "1" }
        try field.collection(of: .site).purge(id: "site-1")
        try field.history.forgetRemovedRecords()
        #expect(throws: UndoError.self) { try field.history.undo(by: temporary.author) }
    }

    @Test func theLogNamesWhatWasChanged() throws {
        field.journal.begin("edit", by: temporary.author)
        try field.sites.update("site-1", by: temporary.author) { $0.phone = "1" }
        let events = try field.history.log(of: .site, "site-1").map(\.text)
        #expect(events[0] == "created")
        #expect(events.contains("edit: phone nothing → 1"))
        #expect(events.last?.hasSuffix("never sent; nobody else has it") == true)
    }
}
