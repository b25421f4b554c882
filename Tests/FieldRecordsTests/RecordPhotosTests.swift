import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Testing

@testable import FieldRecords

@Suite struct RecordPhotosTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws { folder = try WorkedFolder() }

    private func attach(_ name: String, end: UInt8 = 0) throws -> Photo {
        let file = try folder.temporary.file(
            name, [0xFF, 0xD8, 0xFF, UInt8(name.utf8.count), name.utf8.first ?? 0, end])
        return try field.photos.attach(
            file: file, toInspection: "inspection-1", caption: nil, by: folder.mara
        ).photo
    }

    private func photos() throws -> [Photo] { try field.photos.all(of: .inspection, "inspection-1") }

    @Test func twoOfOneNameHaveTwoNames() throws {
        for end in UInt8(1)...2 { _ = try attach("door.jpg", end: end) }
        #expect(try photos().map(\.name) == ["door.jpg", "door-2.jpg"])
        #expect(throws: RecordActionError.self) { try field.photos.all(of: .site, "site-1") }
        #expect(throws: RecordActionError(.notFound, kind: .finding, id: "finding-9")) {
            try field.photos.all(of: .finding, "finding-9")
        }
    }

    @Test func aNameIsOfOnePhoto() throws {
        let (door, wall) = (try attach("door.jpg"), try attach("wall.jpg"))
        #expect(throws: RecordActionError.self) {
            try field.photos.rename(door, to: "wall.jpg", of: .inspection, id: "inspection-1", by: folder.mara)
        }
        try field.photos.rename(door, to: "gate.jpg", of: .inspection, id: "inspection-1", by: folder.mara)
        #expect(try photos().map(\.name) == ["gate.jpg", wall.name])
    }

    /// The user has looked at another photo than the present one.
    @Test func whatWasChangedMeanwhileIsLookedAtAgain() throws {
        let door = try attach("door.jpg")
        try field.photos.setCaption("the door", ofPhoto: door, of: .inspection, id: "inspection-1", by: folder.mara)
        let error = #expect(throws: RecordActionError.self) {
            try field.photos.remove(door, of: .inspection, id: "inspection-1", by: folder.mara)
        }
        #expect(error?.code == .photoChanged("door.jpg"))
        let now = try #require(try photos().first)
        #expect(now.caption == "the door")
        try field.photos.remove(now, of: .inspection, id: "inspection-1", by: folder.mara)
        #expect(try photos().isEmpty)
    }

    @Test func whatIsHandedInKeepsItsPhotos() throws {
        let door = try attach("door.jpg")
        try folder.handIn()
        #expect(throws: RecordActionError.self) { try attach("wall.jpg") }
        #expect(throws: RecordActionError.self) {
            try field.photos.remove(door, of: .inspection, id: "inspection-1", by: folder.mara)
        }
        #expect(try photos() == [door])
    }

    @Test func aPhotoIsCopiedIntoANewFile() throws {
        let door = try attach("door.jpg")
        let file = URL(fileURLWithPath: folder.temporary.path("copy.jpg"))
        try field.photos.save(door, of: .inspection, id: "inspection-1", to: file)
        #expect(try Data(contentsOf: file).starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(throws: (any Error).self) { try field.photos.save(door, of: .inspection, id: "inspection-1", to: file) }
    }

    @Test func onlyFilesAreAttached() throws {
        let empty = try folder.temporary.file("empty.jpg", [])
        for path in [folder.temporary.root.path, folder.temporary.path("none.jpg"), empty] {
            #expect(throws: RecordActionError.self) {
                try field.photos.attach(file: path, toInspection: "inspection-1", caption: nil, by: folder.mara)
            }
        }
        #expect(try photos().isEmpty)
    }
}
