import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Findings that were made while their inspection went to another site.
@Suite struct FollowingFindingsTests {
    private let temporary: TemporaryField
    private let hill: District
    private let mill: District
    private var field: FieldDatabase { temporary.field }
    private var mara: Author { temporary.author }
    private var tomas: Author { Author(name: "tomas", moment: temporary.author.moment) }
    private let inspection = RecordReference(.inspection, id: "inspection-1")

    init() throws {
        temporary = try TemporaryField()
        hill = try #require(District("hill"))
        mill = try #require(District("mill"))
        let day = try #require(CalendarDay("2026-03-04"))
        for (id, district) in [("site-1", hill), ("site-2", hill), ("site-3", mill)] {
            try field.sites.add(Site(id: id, name: id, address: Address(), district: district), by: mara)
        }
        var inspection = Inspection(id: "inspection-1", site: "site-1", date: day, district: hill)
        inspection.inspector = "mara"
        try field.inspections.add(inspection, by: mara)
        for author in [mara, tomas] {
            let finding = Finding(
                id: "finding-\(author.name ?? "")", inspection: "inspection-1", site: "site-1", date: day, text: "Dust",
                district: hill)
            try field.findings.add(finding, by: author)
        }
    }

    /// Moves the inspection as a laptop does that knows of no findings.
    private func moveInspection(to site: String, by author: Author) throws {
        let district = try #require(try field.sites.find(site)?.district)
        field.journal.begin("edit", by: author)
        try field.inspections.update("inspection-1", by: author) { inspection in
            inspection.site = site
            inspection.envelope.move(to: district)
        }
        try field.acknowledge(.inspection, "inspection-1")
    }

    private func sites() throws -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: try field.findings.all().records.map { finding in
                (finding.id, "\(finding.site) \(finding.envelope.channels.joined())")
            })
    }

    private let stay = ["finding-mara": "site-1 district.hill", "finding-tomas": "site-1 district.hill"]

    @Test func ownFindingsFollow() throws {
        try moveInspection(to: "site-2", by: mara)
        let moved = try field.moves.bringFindingsAlong(touchedBy: [inspection], by: tomas)
        #expect(moved.map(\.id) == ["finding-tomas"])
        #expect(try sites() == ["finding-mara": "site-1 district.hill", "finding-tomas": "site-2 district.hill"])
        #expect(try field.findings.find("finding-tomas")?.envelope.changedBy == "tomas")
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: tomas).isEmpty)
    }

    @Test func whoMovedTheInspectionBringsThoseOfOthers() throws {
        try moveInspection(to: "site-2", by: mara)
        let finding = RecordReference(.finding, id: "finding-tomas")
        #expect(try field.moves.bringFindingsAlong(touchedBy: [finding], by: mara) == [finding])
        #expect(try sites() == ["finding-mara": "site-1 district.hill", "finding-tomas": "site-2 district.hill"])
    }

    /// A gateway lets only supervisors move findings of others out of a district. Findings that move with a user's own
    /// inspection are in both districts, so that no user has only half of it.
    @Test(arguments: [("mara", "district.mill district.hill"), ("ines", "district.mill")])
    func findingsOfOthersGoToAnotherDistrict(name: String, channels: String) throws {
        let author = Author(name: name, moment: mara.moment)
        try moveInspection(to: "site-3", by: author)
        let followed = try field.moves.bringFindingsAlong(touchedBy: [inspection], by: author)
        #expect(Set(followed.map(\.id)) == ["finding-mara", "finding-tomas"])
        let finding = try #require(try field.findings.find("finding-tomas"))
        #expect(finding.site == "site-3" && finding.district == mill)
        #expect(finding.envelope.channels.joined(separator: " ") == channels)
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: author).isEmpty, "they are there")
    }

    /// A colleague who is no supervisor has moved the inspection within its district; the gateway refuses to move findings of
    /// others out of their district.
    @Test func aColleagueTakesFindingsOutOfNoDistrict() throws {
        let otto = Author(name: "otto", moment: mara.moment)
        try field.sites.add(Site(id: "site-4", name: "site-4", address: Address(), district: mill), by: mara)
        let day = try #require(CalendarDay("2026-03-04"))
        try field.assignments.add(
            Assignment(id: "assignment-1", inspector: "otto", site: "site-1", due: day, district: hill), by: mara)
        try moveInspection(to: "site-3", by: mara)
        try moveInspection(to: "site-4", by: otto)
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: otto).count == 2)
        let both = "site-4 district.milldistrict.hill"
        #expect(try sites() == ["finding-mara": both, "finding-tomas": both])
    }

    /// The same if the findings are there when the inspection is moved.
    @Test func ownInspectionsTakeFindingsOfOthersAlong() throws {
        let site = try #require(try field.sites.find("site-3"))
        #expect(try field.moves.moveInspection("inspection-1", toSite: site, by: mara) == 2)
        #expect(try sites()["finding-mara"] == "site-3 district.mill")
        #expect(try sites()["finding-tomas"] == "site-3 district.milldistrict.hill")
    }

    /// An approval that meets a move keeps the inspection where it was.
    @Test func whoMovedFindingsBringsThemBack() throws {
        let otto = Author(name: "otto", moment: mara.moment)
        field.journal.begin("edit", by: otto)
        try field.findings.update("finding-tomas", by: otto) { finding in
            finding.site = "site-3"
            finding.envelope.move(to: mill)
        }
        try field.acknowledge(.inspection, "inspection-1")
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: mara).isEmpty)
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: otto).count == 1)
        #expect(try sites() == stay)
    }

    /// A colleague may write into a record that ines has moved it: her laptop must not move findings because of that.
    @Test(arguments: [RecordKind.inspection, .finding])
    func aNoteOfSomebodyElseMovesNothing(kind: RecordKind) throws {
        let ines = Author(name: "ines", moment: mara.moment)
        let (id, collection) = (kind == .finding ? "finding-tomas" : "inspection-1", field.collection(of: kind))
        try moveInspection(to: "site-3", by: mara)
        var body = try #require(try collection.document(id: id)?.body)
        let note: JSONObject = [
            "by": "ines", "at": "2030-03-04T10:15:00Z", "device": "x", "fields": ["district", "site"],
        ]
        body["fieldChanges"] = [.object(note)]
        try collection.save(bodies: [(id, body.bytes)])
        try field.acknowledge(.inspection, "inspection-1")
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: ines).isEmpty)
        #expect(try sites() == stay)
    }

    /// Nor after she has moved it to another site before.
    @Test func anEarlierMoveIsNoReasonToFollowALaterOneOfOthers() throws {
        let ines = Author(name: "ines", moment: mara.moment)
        try moveInspection(to: "site-2", by: ines)
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: ines).count == 2)
        try moveInspection(to: "site-3", by: mara)
        let collection = field.collection(of: .inspection)
        var body = try #require(try collection.document(id: "inspection-1")?.body)
        let note: JSONObject = [
            "by": "ines", "at": "2030-03-04T10:15:00Z", "device": "x", "fields": ["district", "site"],
        ]
        body["fieldChanges"] = [.object(note)]
        try collection.save(bodies: [("inspection-1", body.bytes)])
        try field.acknowledge(.inspection, "inspection-1")
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: ines).isEmpty)
    }

    /// An inspection, or a finding, that a colleague has put into a district of theirs, too, is no way into that district.
    @Test(arguments: [RecordKind.inspection, .finding]) func aDistrictOfColleaguesIsLeftToThem(kind: RecordKind) throws
    {
        let id = kind == .finding ? "finding-tomas" : "inspection-1"
        let collection = field.collection(of: kind)
        var body = try #require(try collection.document(id: id)?.body)
        body["district"] = "mill"
        body["channels"] = ["district.hill", "district.mill"]
        try collection.save(bodies: [(id, body.bytes)])
        try field.acknowledge(kind, id)
        try field.acknowledge(.inspection, "inspection-1")
        try field.acknowledge(.site, "site-1")
        let moved = try field.moves.bringFindingsAlong(touchedBy: [inspection], by: tomas)
        let finding = try #require(try field.findings.find("finding-tomas"))
        #expect(finding.district?.code == "hill")
        if kind == .inspection {
            #expect(moved.isEmpty && finding.envelope.channels == ["district.hill"])
        } else {
            #expect(Set(finding.envelope.channels) == ["district.hill", "district.mill"])
        }
    }

    /// As long as the gateway has not accepted the move of the inspection, it is not known whether it will.
    @Test(arguments: ["finding-mara", "finding-tomas"])
    func aMoveThatWasNotSentBringsNothing(id: String) throws {
        field.journal.begin("edit", by: mara)
        try field.inspections.update("inspection-1", by: mara) { $0.site = "site-2" }
        #expect(try field.moves.bringFindingsAlong(touchedBy: [RecordReference(.finding, id: id)], by: mara).isEmpty)
        try field.acknowledge(.inspection, "inspection-1")
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: mara).count == 2)
    }

    /// While a finding's district is undecided, the people of both districts have the finding. An inspector cannot take a
    /// colleague's finding away from them: the gateway would refuse it.
    @Test(arguments: [("mara", ["district.mill"]), ("tomas", ["district.hill", "district.mill"])])
    func anOpenDistrictIsSettledAsTheGatewayTakesIt(finder: String, channels: [String]) throws {
        let findings = field.collection(of: .finding)
        var body = try #require(try findings.document(id: "finding-\(finder)")?.body)
        body["district"] = "mill"
        body["channels"] = ["district.hill", "district.mill"]
        var open = ContestedValues(of: body)
        for district in ["hill", "mill"] as [JSONValue] {
            let stamp = VersionStamp(by: nil, at: nil, device: nil)
            open.insert(ContestedValue(.field(FieldPath("district")), value: district, stamp: stamp))
        }
        open.write(to: &body)
        try findings.save(bodies: [("finding-\(finder)", body.bytes)])
        try moveInspection(to: "site-3", by: mara)
        _ = try field.moves.bringFindingsAlong(touchedBy: [inspection], by: mara)
        let finding = try #require(try field.findings.find("finding-\(finder)"))
        #expect(finding.site == "site-3" && finding.envelope.channels == channels)
    }

    @Test func whatASyncHadNothingToDoWithStays() throws {
        try moveInspection(to: "site-2", by: mara)
        let references = [RecordReference(.site, id: "site-2"), RecordReference(.inspection, id: "inspection-2")]
        #expect(try field.moves.bringFindingsAlong(touchedBy: references, by: mara).isEmpty)
        #expect(try sites() == stay)
    }

    @Test func anInspectionThatIsGoneBringsNothing() throws {
        try moveInspection(to: "site-2", by: mara)
        for author in [mara, tomas] { try field.acknowledge(.finding, "finding-\(author.name ?? "")") }
        _ = try field.removals.deleteInspection("inspection-1")
        let finding = RecordReference(.finding, id: "finding-mara")
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection, finding], by: mara).isEmpty)
    }

    // MARK: The day

    private func moveInspection(toDay text: String) throws {
        let day = try #require(CalendarDay(text))
        field.journal.begin("edit", by: mara)
        try field.inspections.update("inspection-1", by: mara) { $0.date = day }
        try field.acknowledge(.inspection, "inspection-1")
    }

    private func days() throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try field.findings.all().records.map { ($0.id, $0.date.description) })
    }

    @Test(arguments: [("mara", ["finding-mara", "finding-tomas"]), ("tomas", ["finding-tomas"])])
    func findingsHaveTheDayOfTheirInspection(name: String, followed: [String]) throws {
        let author = Author(name: name, moment: mara.moment)
        try moveInspection(toDay: "2026-03-05")
        #expect(Set(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: author).map(\.id)) == Set(followed))
        for (id, day) in try days() { #expect(day == (followed.contains(id) ? "2026-03-05" : "2026-03-04")) }
        #expect(try sites() == stay)
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: author).isEmpty, "they are there")
    }

    @Test func nothingIsFoundAfterItWasPutRight() throws {
        try field.findings.update("finding-mara", by: mara) { $0.corrected = $0.date }
        try moveInspection(toDay: "2026-03-05")
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: mara).map(\.id) == ["finding-tomas"])
    }

    /// One change of the date brings all of them together.
    @Test func whatAnEarlierChangeHasLeftBehindGoesAlong() throws {
        try moveInspection(toDay: "2026-03-05")
        let old = try #require(try field.inspections.find("inspection-1"))
        try moveInspection(toDay: "2026-03-06")
        let new = try #require(try field.inspections.find("inspection-1"))
        try field.moves.bringFindingDatesAlong(from: old, to: new, by: mara)
        #expect(try days() == ["finding-mara": "2026-03-06", "finding-tomas": "2026-03-06"])
    }

    @Test func theDayIsDecidedWithTheInspections() throws {
        var body = try #require(try field.collection(of: .inspection).document(id: "inspection-1")?.body)
        var open = ContestedValues(of: body)
        for day in ["2026-03-04", "2026-03-05"] as [JSONValue] {
            let stamp = VersionStamp(by: nil, at: nil, device: nil)
            open.insert(ContestedValue(.field(FieldPath("date")), value: day, stamp: stamp))
        }
        open.write(to: &body)
        try field.collection(of: .inspection).save(bodies: [("inspection-1", body.bytes)])
        let conflict = try #require(try field.conflicts.conflict(of: .inspection, "inspection-1"))
        field.journal.begin("conflicts", by: mara)
        try field.conflicts.decide(conflict, choices: [FieldPath("date"): "2026-03-08"], by: mara)
        #expect(try days() == ["finding-mara": "2026-03-08", "finding-tomas": "2026-03-08"])
        #expect(try sites() == stay)
        _ = try field.history.undo(by: mara)
        #expect(try days() == ["finding-mara": "2026-03-04", "finding-tomas": "2026-03-04"])
    }

    /// The move was not a command of the user.
    @Test func undoKnowsNothingOfIt() throws {
        field.journal.begin("edit", by: tomas)
        try field.sites.update("site-1", by: tomas) { $0.name = "Mill" }
        try moveInspection(to: "site-2", by: mara)
        field.journal.begin("edit", by: tomas)
        try field.sites.update("site-2", by: tomas) { $0.name = "Barn" }
        #expect(try field.moves.bringFindingsAlong(touchedBy: [inspection], by: tomas).count == 1)
        #expect(try field.history.undo(by: tomas).records.map(\.id) == ["site-2"])
        #expect(try field.findings.find("finding-tomas")?.site == "site-2")
    }
}
