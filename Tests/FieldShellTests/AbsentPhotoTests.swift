import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation
import Testing

@testable import FieldShell

/// Photos that are not on this laptop yet, and when they come.
@Suite struct AbsentPhotoTests {
    /// An inspection with a photo whose file is not here, as a pull leaves it.
    private func shellWithAbsentPhoto() async throws -> Shell {
        let shell = try Shell()
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: photo)
        _ = try await shell.type("new inspection mill --yes", "attach 1 \(photo.path)")
        let attached = try #require(try shell.field.inspections.all().records.first?.photos.first)
        try shell.field.database.blobStorage().remove(attached.blob.digest)
        return shell
    }

    @Test func anAbsentPhotoIsNamed() async throws {
        let shell = try await shellWithAbsentPhoto()
        let transcript = try await shell.type("list", "photo list 1", "photo list 1 --json", "show 1", "status")
        #expect(
            transcript.components(separatedBy: "door.png, 1 KB, not on this laptop yet").count == 3, "\(transcript)")
        #expect(transcript.contains(#""isHere":false"#), "\(transcript)")
        #expect(transcript.contains("\n          1 photo not on this laptop yet\n"), "\(transcript)")
        #expect(try await shell.type("status --json").contains(#""photos":"always","absentPhotos":1"#))
    }

    /// The record is edited without its photo, which stays in it.
    @Test func theRecordOfAnAbsentPhotoIsEdited() async throws {
        let shell = try await shellWithAbsentPhoto()
        let transcript = try await shell.type("list", "edit 1 score=50")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        #expect(inspection.score == 50 && inspection.photos.map(\.name) == ["door.png"], "\(transcript)")
        #expect(try shell.field.absentPhotos.count().files == 1)
    }

    /// Nothing listens there.
    @Test(.timeLimit(.minutes(1))) func withoutANetworkAPhotoIsSaidToBeAtTheGateway() async throws {
        let shell = try await shellWithAbsentPhoto()
        var settings = try shell.session.settings()
        (settings.user, settings.gateway) = ("mara", URL(string: "ws://127.0.0.1:1/field"))
        try shell.field.signIn.keep(Credentials(user: "mara", password: "secret"), in: &settings)
        try settings.save(in: shell.session.folder)
        let out = shell.root.appendingPathComponent("out.png").path
        let transcript = try await shell.type("list", "photo save 1 door.png \(out)")
        #expect(transcript.contains("door.png is not on this laptop yet; fetching it"), "\(transcript)")
        #expect(transcript.contains("still at the gateway: open it again when there is a network."), "\(transcript)")
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test(arguments: [("on-demand", PhotoPolicy.onDemand), ("good", .goodLink), ("always", .always)])
    func theSettingIsKept(typed: String, policy: PhotoPolicy) async throws {
        let shell = try Shell()
        _ = try await shell.type("sync --photos \(typed)")
        #expect(try FolderSettings(of: shell.session.folder).photos == policy)
        let status = try await shell.type("status")
        #expect(status.contains("photos of others come") == (policy != .always), "\(status)")
    }

    @Test func anUnknownTimeIsRefused() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("sync --photos sometimes")
        #expect(transcript.contains("always, on-demand, good-link"), "\(transcript)")
        #expect(try FolderSettings(of: shell.session.folder).photos == .always)
    }

    @Test func progressOfPhotosIsShownApart() {
        final class Meter: ProgressMeter {
            var shown: [String] = []
            func update(_ label: String, completed: UInt64, total: UInt64?) {
                shown.append(ProgressBar.line(label, completed: completed, total: total, width: 79))
            }
            func finish() {}
        }
        let meter = Meter()
        var photos = PhotoProgress()
        (photos.count, photos.total, photos.bytes, photos.totalBytes) = (3, 17, 1_232_896, 5_120_000)
        meter.update(photos)
        // Where the records do not say how long their photos are.
        photos.totalBytes = 0
        meter.update(photos)
        #expect(meter.shown.first?.hasPrefix("KB, photo 3 of 17 [") == true, "\(meter.shown)")
        #expect(meter.shown.first?.hasSuffix(" 24 % 1,204 of 5,000") == true, "\(meter.shown)")
        #expect(meter.shown.last == "KB, photo 3 of 17: 1,204", "\(meter.shown)")
    }
}
