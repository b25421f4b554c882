import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

@Suite struct DistrictsTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws { folder = try WorkedFolder() }

    @Test func allAreInTheirOrder() throws {
        #expect(try field.districts.all() == ["hill", "mill"])
    }

    /// As long as a gateway has accepted no record, it is not known which districts it accepts.
    @Test func thoseOfTakenRecordsAreAccepted() throws {
        #expect(try field.districts.accepted().isEmpty)
        #expect(try field.districts.unaccepted(among: ["hill", "vale"]).isEmpty)
        try field.acknowledge(.site, "site-2")
        #expect(try field.districts.accepted() == ["hill"])
        #expect(try field.districts.unaccepted(among: ["vale", "hill", "mill"]) == ["mill", "vale"])
        #expect(try field.districts.unaccepted(among: [String]()).isEmpty)
    }

    @Test func theOnlyOneThatIsTakenIsOffered() throws {
        try field.acknowledge(.site, "site-2")
        let known = try field.districts.known(for: "mara")
        #expect(known.codes.map(\.text) == ["hill"] && known.preset == folder.hill)
        #expect(known.contains(folder.hill) && !known.contains(folder.mill))
    }

    @Test func whatIsRefusedIsNotOffered() throws {
        #expect(try field.districts.known(for: nil).codes.map(\.text) == ["hill", "mill"])
        try field.refuse(.site, "site-1")
        try field.refuse(.inspection, "inspection-1")
        #expect(try field.districts.known(for: nil).codes.map(\.text) == ["hill"])
    }

    @Test func aFindingIsInTheDistrictOfItsInspection() throws {
        var finding = try #require(try field.findings.find("finding-1"))
        try field.districts.check(finding)
        finding.envelope.move(to: folder.hill)
        let error = #expect(throws: FindingDistrictError.self) { try field.districts.check(finding) }
        #expect(error?.problem.text.hasPrefix("must be mill") == true, "\(String(describing: error))")
        #expect(error?.problem.marks.map(\.advice) == [.moveInspection("inspection-1", district: "hill")])
        // Another program has its own way to it.
        #expect(error?.description.contains("edit ") == false && error?.description.hasSuffix("findings.") == true)
        finding.inspection = nil
        try field.districts.check(finding)
        finding.inspection = "inspection-9"
        let other = #expect(throws: FindingDistrictError.self) { try field.districts.check(finding) }
        #expect(other?.problem.text.contains("not on this laptop") == true)
    }

    @Test func theGatewayHasItInTheFormerOne() throws {
        try field.acknowledge(.site, "site-1")
        #expect(try field.districts.atGateway(of: .site, "site-1") == nil)
        try field.sites.update("site-1", by: folder.mara) { $0.envelope.move(to: folder.hill) }
        #expect(try field.districts.atGateway(of: .site, "site-1") == "mill")
    }

    /// An edit that was not sent can name any district.
    @Test func channelsAreThoseThatTheGatewayHas() throws {
        func channel(_ code: String) -> Name { Name(District.channelPrefix + code) }
        #expect(try field.districts.presentChannels() == [Name("!")])
        try field.acknowledge(.site, "site-1")
        try field.sites.update("site-1", by: folder.mara) { $0.envelope.move(to: folder.hill) }
        #expect(try field.districts.presentChannels() == [Name("!"), channel("mill")])
        #expect(try field.districts.presentChannels(among: [channel("mill")]).contains(channel("mill")))
    }
}
