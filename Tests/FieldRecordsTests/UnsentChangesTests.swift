import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Local changes in which this laptop differs from the gateway.
@Suite struct UnsentChangesTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws { folder = try WorkedFolder() }

    private func takesBack(_ field: String, _ text: String) throws -> Bool {
        try self.field.unsent.takesBack([(field: field, text: text)], of: .assignment, id: "assignment-1")
    }

    @Test func whoHasItAtTheGatewayIsKnown() throws {
        #expect(try field.unsent.inspectorAtGateway(of: .assignment, "assignment-1") == nil)
        try field.acknowledge(.assignment, "assignment-1")
        #expect(try field.unsent.inspectorAtGateway(of: .assignment, "assignment-1") == nil, "it is as it is here")
        try field.assignments.update("assignment-1", by: folder.ines) { $0.inspector = "sven" }
        #expect(try field.unsent.inspectorAtGateway(of: .assignment, "assignment-1") == "mara")
    }

    /// Any user may change the other fields, so no refusal is about them.
    @Test func aValueOfTheGatewaysIsTakenBack() throws {
        try field.acknowledge(.assignment, "assignment-1")
        try field.assignments.update("assignment-1", by: folder.ines) {
            $0.inspector = "sven"
            $0.instructions = "look twice"
        }
        #expect(try takesBack("inspector", " mara ") && takesBack("Inspector", "mara"))
        #expect(try takesBack("district", "mill"))
        #expect(try !takesBack("inspector", "sven") && !takesBack("instructions", ""))
        #expect(try !field.unsent.takesBack([], of: .assignment, id: "assignment-1"))
    }

    @Test func nothingIsTakenBackThatTheGatewayDoesNotHave() throws {
        #expect(try !takesBack("inspector", "mara"))
        try field.acknowledge(.assignment, "assignment-1")
        #expect(try !takesBack("inspector", "mara"))
    }

    /// While its district was open, the people of each saw it.
    @Test func channelsComeBackWithTheDistrict() throws {
        let both = [folder.mill, folder.hill].map { District.channelPrefix + $0.code }
        try field.sites.update("site-1", by: folder.mara) { $0.envelope.channels = both }
        try field.acknowledge(.site, "site-1")
        try field.sites.update("site-1", by: folder.mara) { $0.envelope.move(to: folder.hill) }
        var site = try #require(try field.sites.find("site-1"))
        try field.unsent.restoreChannels(of: &site)
        #expect(site.envelope.channels != both, "it is in another district")
        site.envelope.move(to: folder.mill)
        try field.unsent.restoreChannels(of: &site)
        #expect(site.envelope.channels == both)
    }
}
