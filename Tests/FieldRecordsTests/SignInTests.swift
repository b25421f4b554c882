import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Whose records a folder has.
@Suite struct SignInTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws { folder = try WorkedFolder() }

    @Test func theFirstOwnerIsNotedOnce() throws {
        #expect(try field.signIn.owner() == nil)
        try field.signIn.noteFirst(owner: "mara")
        try field.signIn.noteFirst(owner: "sven")
        #expect(try field.signIn.owner() == "mara")
        try field.signIn.note(owner: "sven")
        #expect(try field.signIn.owner() == "sven")
    }

    @Test func recordsAreExchangedWhenAGatewayHasOne() throws {
        #expect(try !field.store.hasExchangedRecords())
        try field.acknowledge(.finding, "finding-1")
        #expect(try field.store.hasExchangedRecords())
    }

    /// Records of a register, which an import has made, stay without a creator.
    @Test func whatNamesNobodyIsTheUsers() throws {
        var generator = SystemRandomNumberGenerator()
        let made = RecordIDs.make(.site, using: &generator)
        let nobody = Author(name: nil, moment: folder.mara.moment)
        for id in [made, "site-4711"] {
            try field.sites.add(Site(id: id, name: "Hut", address: Address(), district: folder.hill), by: nobody)
        }
        try field.sites.update(made, by: nobody) { $0.phone = "12" }
        try field.signIn.nameUnnamedRecords("mara")
        let named = try #require(try field.sites.find(made))
        #expect(named.envelope.createdBy == "mara" && named.envelope.changedBy == "mara")
        #expect(try field.sites.find("site-4711")?.envelope.createdBy == nil)
    }

    @Test func whatTheGatewayHasIsNotRenamed() throws {
        var generator = SystemRandomNumberGenerator()
        let made = RecordIDs.make(.site, using: &generator)
        let nobody = Author(name: nil, moment: folder.mara.moment)
        try field.sites.add(Site(id: made, name: "Hut", address: Address(), district: folder.hill), by: nobody)
        try field.acknowledge(.site, made)
        try field.signIn.nameUnnamedRecords("mara")
        #expect(try field.sites.find(made)?.envelope.createdBy == nil)
    }

    @Test func nobodyHasSignedIn() throws {
        let error = #expect(throws: SettingsError.self) { try field.signIn.credentials(in: FolderSettings()) }
        #expect(error?.code == .noLogin && error?.advised.marks.map(\.advice) == [.signIn])
    }
}
