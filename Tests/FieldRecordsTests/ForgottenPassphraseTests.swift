import AttachmentVault
import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Testing

@testable import FieldRecords

/// A folder whose passphrase is forgotten keeps everything but photos that were never sent.
@Suite struct ForgottenPassphraseTests {
    private let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307))

    private func temporaryFolder() -> FieldFolder {
        FieldFolder(path: FileManager.default.temporaryDirectory.appendingPathComponent("f-\(UUID().uuidString)").path)
    }

    /// Three inspections: the first with a sent photo, the second with a sent and an unsent photo, the third never sent.
    private func fill(_ field: FieldDatabase) throws {
        let day = try #require(CalendarDay("2026-03-04"))
        for id in ["sent", "edited", "new"] {
            try field.inspections.add(Inspection(id: id, site: "s", date: day, district: .unknown), by: author)
        }
        try attach("sent.jpg", to: "sent", in: field)
        try attach("first.jpg", to: "edited", in: field)
        try field.acknowledge(.inspection, "sent")
        try field.acknowledge(.inspection, "edited")
        try attach("second.jpg", to: "edited", in: field)
        try attach("only.jpg", to: "new", in: field)
    }

    private func attach(_ name: String, to id: String, in field: FieldDatabase) throws {
        let file = field.folder.url.appendingPathComponent(name)
        try Data([0xFF, 0xD8, 0xFF] + Array(name.utf8)).write(to: file)
        try field.photos.attach(file: file.path, toInspection: id, caption: nil, by: author)
    }

    private func photos(_ id: String, in field: FieldDatabase) throws -> [String] {
        try #require(try field.inspections.find(id)).photos.map { $0.name }
    }

    /// The key may be lost by a power cut, a bad sector or a mistake; the records beside it are not encrypted.
    @Test(arguments: ["missing", "damaged"]) func aLostKeyLosesPhotosAlone(how: String) throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let made = try FieldDatabase.create(at: folder, key: .keyFile)
        try fill(made)
        try made.close()
        #expect(try !FieldDatabase.hasLostKey(folder))
        let key = folder.url.appendingPathComponent("attachments/vault.key")
        if how == "missing" {
            try FileManager.default.removeItem(at: key)
        } else {
            try Data().write(to: key)
        }
        #expect(try FieldDatabase.hasLostKey(folder))
        let locked = try FieldDatabase.openLocked(at: folder)
        _ = try locked.forgottenPassphrase.giveUp(losing: locked.forgottenPassphrase.unsentPhotos(), at: author.moment)
        try locked.close()
        #expect(try !FieldDatabase.hasLostKey(folder))
        let field = try FieldDatabase.open(at: folder, key: .keyFile)
        #expect(try photos("sent", in: field) == ["sent.jpg"] && field.inspections.all().records.count == 3)
        try field.close()
    }

    @Test func onlyPhotosThatNoGatewayHasAreLost() throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let made = try FieldDatabase.create(at: folder, key: .passphrase("correct horse"))
        var settings = try FolderSettings(of: folder)
        settings.gateway = try SettingsError.gateway("ws://a/b")
        try made.signIn.keep(Credentials(user: "mara", password: "hunter2hunter2"), in: &settings)
        try settings.save(in: folder)
        try fill(made)
        try made.close()

        let locked = try FieldDatabase.openLocked(at: folder)
        let lost = try locked.forgottenPassphrase.unsentPhotos()
        #expect(lost.map { $0.record.id } == ["edited", "new"])
        #expect(lost.map { $0.photos.map { $0.name } } == [["second.jpg"], ["only.jpg"]])
        let moved = try locked.forgottenPassphrase.giveUp(losing: lost, at: author.moment)
        try locked.close()
        #expect(moved.edits == 0 && moved.folder.lastPathComponent == "attachments-locked-1")
        #expect(FileManager.default.fileExists(atPath: moved.folder.appendingPathComponent("vault.json").path))

        let field = try FieldDatabase.open(at: folder, key: .passphrase("another horse"))
        #expect(try photos("sent", in: field) == ["sent.jpg"])
        #expect(try photos("edited", in: field) == ["first.jpg"])
        #expect(try photos("new", in: field).isEmpty)
        let error = #expect(throws: SettingsError.self) {
            try field.signIn.credentials(in: try FolderSettings(of: folder))
        }
        #expect(error?.code == .noLogin)
        #expect(try FolderSettings(of: folder).user == "mara")
        // The remaining records can be sent, and new photos can be sealed.
        try attach("third.jpg", to: "new", in: field)
        #expect(try field.forgottenPassphrase.unsentPhotos().map { $0.record.id } == ["new"])
        try field.close()
        #expect(throws: StoreError.self) { try FieldDatabase.open(at: folder, key: .passphrase("correct horse")) }
    }

    /// The next sync requests the photos that the gateway has: this laptop has the record without its photo.
    @Test func photosThatWereSentComeBack() throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let made = try FieldDatabase.create(at: folder, key: .passphrase("correct horse"))
        try fill(made)
        let remote = try ReplicationStore(database: made.database, remote: "wss://gateway/field")
        let sent = try #require(try remote.revision(of: "sent", in: RecordKind.inspection.collection)).revision
        try made.close()
        let locked = try FieldDatabase.openLocked(at: folder)
        _ = try locked.forgottenPassphrase.giveUp(
            losing: try locked.forgottenPassphrase.unsentPhotos(), at: author.moment)
        try locked.close()
        let field = try FieldDatabase.open(at: folder, key: .keyFile)
        let store = try ReplicationStore(database: field.database, remote: "wss://gateway/field")
        let row = AnnouncedRevision(documentID: "sent", revision: sent, isDeleted: false)
        let decisions = try store.decide([row], in: RecordKind.inspection.collection)
        guard case .wanted = decisions.first else {
            Issue.record("\(decisions)")
            return
        }
        try field.close()
    }

    /// A sync service that knows the passphrase would go on writing with the old key.
    @Test func aFolderThatIsOpenIsLeftAlone() throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let field = try FieldDatabase.create(at: folder, key: .passphrase("correct horse"))
        let error = #expect(throws: StoreError.self) { try FieldDatabase.openLocked(at: folder) }
        #expect(error?.code == .busy)
        try field.close()
        try FieldDatabase.openLocked(at: folder).close()
        try FieldDatabase.open(at: folder, key: .passphrase("correct horse")).close()
    }
}
