import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// The changes that a gateway refuses from users who do not own a record.
@Suite struct RecordOwnershipTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws { folder = try WorkedFolder() }

    @Test func whatTheGatewayDoesNotHaveIsEverybodys() throws {
        #expect(try field.owners.owner(of: .inspection, id: "inspection-1", otherThan: "sven") == nil)
        #expect(try field.owners.owner(keeping: .inspection, "inspection-1", outOf: "hill", from: "sven") == nil)
    }

    @Test func othersDoNotDeleteIt() throws {
        try field.acknowledge(.inspection, "inspection-1")
        #expect(try field.owners.owner(of: .inspection, id: "inspection-1", otherThan: "sven") == "mara")
        #expect(try field.owners.owner(of: .inspection, id: "inspection-1", otherThan: "mara") == nil)
    }

    /// Changes made here since do not change the owner.
    @Test func itIsWhoseTheGatewayHasIt() throws {
        try field.acknowledge(.inspection, "inspection-1")
        try field.inspections.update("inspection-1", by: folder.author("sven", hours: 1)) { $0.inspector = "sven" }
        #expect(try field.owners.owner(of: .inspection, id: "inspection-1", otherThan: "sven") == "mara")
    }

    @Test func othersDoNotMoveIt() throws {
        try field.acknowledge(.inspection, "inspection-1")
        func owner(_ district: String, _ user: String) throws -> String? {
            try field.owners.owner(keeping: .inspection, "inspection-1", outOf: district, from: user)
        }
        #expect(try owner("hill", "sven") == "mara" && owner("hill", "mara") == nil)
        #expect(try owner("mill", "sven") == nil, "the gateway has it there")
    }

    @Test func othersTakeNoPhotoFromAFinding() throws {
        let file = try folder.temporary.file("door.jpg", [0xFF, 0xD8, 0xFF])
        let photo = try field.photos.attach(
            file: file, toFinding: "finding-1", caption: nil, by: folder.mara
        ).photo
        #expect(try field.owners.owner(ofFinding: "finding-1", with: photo, otherThan: "sven") == nil)
        try field.acknowledge(.finding, "finding-1")
        #expect(try field.owners.owner(ofFinding: "finding-1", with: photo, otherThan: "sven") == "mara")
        #expect(try field.owners.owner(ofFinding: "finding-1", with: photo, otherThan: "mara") == nil)
        #expect(try field.owners.owner(ofFinding: "finding-2", with: photo, otherThan: "sven") == nil)
    }
}
