import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Photos of a record, as they are listed, renamed, saved and taken out.
@Suite struct PhotoCommandTests {
    @Test func photosAreAttachedAndExported() async throws {
        let shell = try Shell()
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 7, count: 3_000)).write(to: photo)
        let out = shell.root.appendingPathComponent("out").path
        let transcript = try await shell.type(
            "new inspection mill score=90 --yes", "attach 1 \(photo.path) --caption \"Back door\"",
            "attach 1 \(photo.path)",
            "attach 1 /nowhere.jpg", "export \(out)")
        #expect(transcript.contains("Attached door.png, 3 KB"))
        #expect(transcript.contains("Attached door-2.png, 3 KB"))
        #expect(transcript.contains("there is no file /nowhere.jpg"))
        #expect(transcript.contains("2 attachments in attachments/"))
        let copy = out + "/attachments/2026-03-04-Old-mill/door.png"
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(contentsOf: photo))
    }

    @Test func aCaptionIsWrittenLater() async throws {
        let shell = try Shell()
        let photo = shell.root.appendingPathComponent("door.jpg")
        try Data([0xFF, 0xD8, 0xFF, 1]).write(to: photo)
        func caption() throws -> String? { try shell.field.inspections.all().records.first?.photos.first?.caption }
        let written = try await shell.type(
            "new inspection mill --yes", "attach 1 \(photo.path)", "photo caption 1 \"Back door\"")
        #expect(try written.contains("door.jpg has the caption: Back door") && caption() == "Back door", "\(written)")
        _ = try await shell.type("photo caption 1 1 front door")
        #expect(try caption() == "front door")
        let forgotten = try await shell.type("photo caption 1 1", "photo caption 1 door.jpg")
        #expect(forgotten.components(separatedBy: "Say what photo ").count == 3, "\(forgotten)")
        #expect(try caption() == "front door")
        let cleared = try await shell.type("photo caption 1 door.jpg \"\"", "photo caption 1", "edit 1 colour=red")
        #expect(try cleared.contains("door.jpg has no caption now.") && caption() == nil)
        #expect(cleared.contains("Say the caption: photo caption RECORD [PHOTO] TEXT."))
        #expect(cleared.contains("district, site"), "\(cleared)")
    }

    @Test func photosAreHandledOneByOne() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: photo)
        let out = shell.root.appendingPathComponent("copy.png").path
        let transcript = try await shell.type(
            "new inspection mill", "\u{3}", "new inspection mill score=1 --yes", "attach 1 \(photo.path)",
            "attach 1 \(photo.path) --caption Side", "photo list 1", "photo rename 1 2 side.png",
            "photo save 1 side.png \(out)",
            "photo save 1 side.png \(out)", "photo remove 1", "photo remove 1 door.png", "n", "photo remove 1 door.png",
            "y",
            "photo rename 1 a/b", "photo list 1", "undo")
        #expect(transcript.contains("Attached door-2.png, 1 KB, to "), "\(transcript)")
        #expect(transcript.components(separatedBy: "The same file is there as door.png.").count == 2)
        #expect(transcript.contains("2 photos of inspection"))
        #expect(transcript.contains("Renamed door-2.png to side.png."))
        #expect(transcript.contains("Saved \(out)."))
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == Data(contentsOf: photo))
        #expect(transcript.contains("is there already; nothing was saved."))
        #expect(transcript.contains("Say which of the 2 photos."))
        #expect(transcript.contains("Nothing was removed."))
        #expect(transcript.contains("Removed door.png."))
        #expect(transcript.contains("must be a file's name without a folder"))
        #expect(transcript.contains("1 photo of inspection"))
        #expect(try shell.field.inspections.all().records.first?.photos.map(\.name) == ["door.png", "side.png"])
    }

    /// Other programs know by it how to show the file.
    @Test func aNewNameKeepsTheEnding() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: photo)
        let transcript = try await shell.type(
            "new inspection mill score=1 --yes", "attach 1 \(photo.path)", "photo rename 1 1 yard",
            "photo rename 1 1 gate.jpeg")
        #expect(transcript.contains("Renamed door.png to yard.png.\n"), "\(transcript)")
        #expect(transcript.contains("Renamed yard.png to gate.jpeg.\n"), "\(transcript)")
    }

    /// Cameras and messengers give names with spaces.
    @Test func aCommandThatIsProposedRunsAsItIsShown() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let photo = shell.root.appendingPathComponent("door 1.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: photo)
        let attach = "attach 1 \(LineText.quoted(photo.path))"
        let attached = try await shell.type("new inspection mill score=1 --yes", attach, attach, width: 200)
        let rest = try #require(attached.components(separatedBy: "Remove this one: ").last)
        let command = try #require(rest.split(separator: "\n").first)
        let removed = try await shell.type(String(command), "y", "photo remove 1 door 1.png")
        #expect(removed.contains("Removed door 1-2.png."), "\(removed)")
        #expect(removed.contains("takes fewer arguments. Put a name with spaces in quotation marks."), "\(removed)")
    }

    @Test func sizesAreGroupedEverywhere() async throws {
        let shell = try Shell()
        let photo = shell.root.appendingPathComponent("door.jpg")
        try (Data([0xFF, 0xD8, 0xFF]) + Data(count: 1_500_000)).write(to: photo)
        let transcript = try await shell.type(
            "new inspection mill --yes", "attach 1 \(photo.path)", "photo list 1", "show 1")
        #expect(transcript.components(separatedBy: "door.jpg, 1,465 KB").count == 4, "\(transcript)")
    }

    /// Photos whose files are gone or damaged on this laptop can be listed, renamed and taken out.
    @Test(arguments: [true, false]) func aDamagedPhotoIsRemoved(isGone: Bool) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: photo)
        let other = shell.root.appendingPathComponent("side.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 4, 5, 6]).write(to: other)
        _ = try await shell.type(
            "new inspection mill score=1 --yes", "attach 1 \(photo.path)", "attach 1 \(other.path)")
        var damaged = 0
        let files = FileManager.default.enumerator(at: shell.root, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathComponents.contains("attachments"), !file.hasDirectoryPath else { continue }
            damaged += 1
            if isGone { try FileManager.default.removeItem(at: file) } else { try Data([7]).write(to: file) }
        }
        try #require(damaged >= 2)
        let id = try #require(try shell.field.inspections.all().records.first?.id)
        // Photos that are left out are named, and all others are saved.
        let (file, folder) = (shell.root.appendingPathComponent("out.png"), shell.root.appendingPathComponent("out"))
        let saved = try await shell.type("photo save \(id) door.png \(file.path)", "export \(folder.path)")
        let short = RecordReference.short(id, kind: .inspection)
        #expect(
            saved.contains(
                "The photo door.png of the inspection \(short) is \(isGone ? "not" : "damaged") on this laptop"),
            "\(saved)")
        #expect(
            saved.contains(
                isGone
                    ? "Fetch them from the gateway, then export again: sync --reset"
                    : "2 attachments damaged on this laptop and left out"))
        #expect(saved.contains("\(id): door.png") && saved.contains("Exported to"), "\(saved)")
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let inside = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(inside.contains("inspections.jsonl") && !inside.contains { $0.hasSuffix("png") }, "\(inside)")
        let transcript = try await shell.type(
            "photo list \(id)", "photo rename \(id) side.png window.png", "photo remove \(id) door.png --yes",
            "edit \(id) score=2")
        #expect(transcript.contains("Removed door.png."), "\(transcript)")
        let record = try #require(try shell.field.inspections.find(id))
        #expect(record.photos.map(\.name) == ["window.png"] && record.score == 2)
        #expect(try await shell.type("photo remove \(id) --yes").contains("Removed window.png."))
    }

    /// Where a service runs, the gateway has the slip a second later.
    @Test func aPhotoWhoseRemovalWasSentComesBack() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let photo = shell.root.appendingPathComponent("door.png")
        let copy = shell.root.appendingPathComponent("copy.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: photo)
        _ = try await shell.type("new inspection mill score=1 --yes", "attach 1 \(photo.path)")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.acknowledge(.inspection, id)
        let removed = try await shell.type("photo remove \(id) --yes", width: 200)
        #expect(removed.contains("As long as that is the last change, it can be brought back: undo"), "\(removed)")
        try shell.acknowledge(.inspection, id)
        try shell.field.database.performMaintenance(type: .compact)
        let back = try await shell.type("undo", "photo save \(id) door.png \(copy.path)", width: 300)
        #expect(back.contains("is as it was before") && back.contains("The next sync sends it."), "\(back)")
        #expect(try Data(contentsOf: copy) == Data(contentsOf: photo))
        #expect(try shell.field.collection(of: .inspection).exchange(of: id)?.isSent == false)
    }

    /// The gateway lets supervisors alone take it away, once it has it.
    @Test(arguments: [("mara", true), ("tomas", true), ("tomas", false)])
    func aPhotoOfSomebodyElsesFindingIsAskedAbout(user: String, isSent: Bool) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: photo)
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let finding = try #require(try shell.field.findings.all().records.first)
        let id = RecordReference.short(finding.id, kind: .finding)
        if !isSent { try shell.acknowledge(.finding, finding.id) }
        _ = try await shell.type("attach \(id) \(photo.path)")
        if isSent { try shell.acknowledge(.finding, finding.id) }
        try shell.signIn(user)
        let transcript = try await shell.type("photo remove \(id)", "n")
        let isWarned = transcript.contains("The finding is mara's, and the gateway lets only supervisors take photos")
        #expect(isWarned == (user == "tomas" && isSent), "\(transcript)")
        #expect(transcript.contains("Remove ") && transcript.contains("Nothing was removed."), "\(transcript)")
    }

    /// A name that came by a sync is no path.
    @Test func aPhotoIsSavedIntoNoOtherFolder() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: photo)
        _ = try await shell.type("new inspection mill score=1 --yes", "attach 1 \(photo.path)")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let collection = shell.field.collection(of: .inspection)
        var object = try #require(try collection.document(id: inspection.id)).body
        var image = try #require(object["photos"]?.arrayValue?.first?.objectValue)
        image["name"] = "../../evil.png"
        object["photos"] = .array([.object(image)])
        try collection.save(bodies: [(inspection.id, object.bytes)])
        let folder = shell.root.appendingPathComponent("out/in")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let transcript = try await shell.type("photo save \(inspection.id) 1 \(folder.path)")
        #expect(transcript.contains("Saved \(folder.path)/"), "\(transcript)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        #expect(!FileManager.default.fileExists(atPath: shell.root.appendingPathComponent("evil.png").path))
    }
}
