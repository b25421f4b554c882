import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Photos that two people changed in different ways, and the decisions about them.
@Suite struct ConflictPhotoTests {
    private func record(_ shell: Shell) throws -> Inspection? { try shell.field.inspections.all().records.first }

    /// Two photos' captions are two fields, named as the list of photos numbers them.
    @Test func oneCaptionAmongSeveralIsDecided() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try shell.field.inspections.all().records.first?.id)
        for (index, name) in ["front", "back", "side"].enumerated() {
            let file = shell.root.appendingPathComponent("\(name).jpg")
            try Data([0xFF, 0xD8, 0xFF, UInt8(index)]).write(to: file)
            _ = try await shell.type(
                "attach \(RecordReference.short(id, kind: .inspection)) \(file.path) --caption \(name)")
        }
        let collection = shell.field.collection(of: .inspection)
        var body = try #require(try collection.document(id: id)?.body)
        let photos = try #require(body["photos"]?.arrayValue)
        try #require(photos.map { $0["caption"] } == ["front", "back", "side"])
        body["conflicts"] = .array(
            try photos.dropFirst().flatMap { photo in
                let (digest, caption) = (try #require(photo["blob"]?["digest"]), photo["caption"]?.stringValue ?? "")
                return [caption, "\(caption) door"].map {
                    Shell.contestedEntry(["photos", digest, "caption"], value: .string($0), by: "a", device: $0)
                }
            })
        try collection.save(bodies: [(id, body.bytes)])
        let transcript = try await shell.type(
            "conflicts", "conflicts show 1", "conflicts take 1 caption=x", "conflicts take 1 caption-3=\"side door\"",
            "conflicts take 1 caption=\"back door\"")
        #expect(transcript.contains("caption of back.jpg (caption-2)"), "\(transcript)")
        #expect(
            transcript.contains(
                "'caption' fits 2 fields. Say which: caption-2 (caption of back.jpg), caption-3 (caption of side.jpg)"),
            "\(transcript)")
        #expect(transcript.contains("Decided: caption of side.jpg is side door. Still to decide: 1 field of it"))
        #expect(transcript.contains("Decided: caption of back.jpg is back door.\n"), "\(transcript)")
        let decided = try #require(try collection.document(id: id)?.body["photos"]?.arrayValue)
        #expect(decided.map { $0["caption"] } == ["front", "back door", "side door"])
    }

    /// A photo that somebody removed while others went on with it, and whose caption is open as well.
    @Test(
        arguments: [
            ("theirs", "removed", 0), ("mine", "kept", 1), ("photo-1=removed", "removed", 0),
            ("photo-1=kept", "kept", 1),
            ("photo-1=old-laptop", "removed", 0),
        ]) func aRemovedPhotoIsDecided(_ choice: String, _ outcome: String, _ count: Int) async throws
    {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try record(shell)?.id)
        let file = shell.root.appendingPathComponent("door.jpg")
        try Data([0xFF, 0xD8, 0xFF, 1]).write(to: file)
        _ = try await shell.type("attach \(RecordReference.short(id, kind: .inspection)) \(file.path)")
        let device = try #require(try shell.session.settings().device)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: device)
        try shell.field.inspections.update(id, by: author) { inspection in
            let path: JSONValue = ["photos", .string(inspection.photos[0].blob.digest.description)]
            inspection.envelope.rest["conflicts"] = [
                Shell.contestedEntry(path, value: true, by: "mara", device: device),
                Shell.contestedEntry(path, value: nil, by: "mara", device: "old-laptop"),
            ]
        }
        let transcript = try await shell.type(
            "conflicts", "conflicts show 1", "show \(RecordReference.short(id, kind: .inspection))",
            "conflicts take 1 \(choice)", outcome == "removed" ? "y" : "conflicts")
        #expect(transcript.contains("Remove photo door.jpg from the inspection ") == (outcome == "removed"))
        for part in [
            "photo door.jpg", "photo door.jpg (photo-1)\n    kept  (current; mara on \(device), 10:00 today; mine)",
            "    removed  (mara on old-laptop, 10:00 today)", "Decided: photo door.jpg is \(outcome).\n",
        ] { #expect(transcript.contains(part), "\(part) in \(transcript)") }
        #expect(try record(shell)?.photos.count == count && shell.field.conflicts.all().isEmpty, "\(transcript)")
    }

    /// Four photos that somebody removed elsewhere.
    private func removedPhotos(_ shell: Shell, names: [String]) async throws -> String {
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try record(shell)?.id)
        for (index, name) in names.enumerated() {
            let file = shell.root.appendingPathComponent(name)
            try Data([0xFF, 0xD8, 0xFF, UInt8(index)]).write(to: file)
            _ = try await shell.type("attach \(RecordReference.short(id, kind: .inspection)) '\(file.path)'")
        }
        let device = try #require(try shell.session.settings().device)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: device)
        try shell.field.inspections.update(id, by: author) { inspection in
            inspection.envelope.rest["conflicts"] = .array(
                inspection.photos.flatMap { photo in
                    let path: JSONValue = ["photos", .string(photo.blob.digest.description)]
                    return [
                        Shell.contestedEntry(path, value: true, by: "ines", device: "other"),
                        Shell.contestedEntry(path, value: nil, by: "mara", device: "other"),
                    ]
                })
        }
        return RecordReference.short(id, kind: .inspection)
    }

    /// A number means the photo that had it when the photos were shown, however many are gone since.
    @Test func numbersOfPhotosStayWhileSomebodyDecides() async throws {
        let shell = try Shell()
        let id = try await removedPhotos(shell, names: ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
        let transcript = try await shell.type(
            "conflicts", "conflicts show 1", "conflicts take 1 photo-1=removed", "y",
            "conflicts take 1 photo-1=removed",
            "conflicts take 1 photo-2=removed", "y", "conflicts take 1 photo-4=kept", "conflicts show 1",
            "conflicts take 1 photo-1=removed", "y")
        let shown = transcript.components(separatedBy: "Decided: ")[0]
        let offsets = ["a", "b", "c", "d"].enumerated().compactMap { index, name in
            shown.range(of: "photo \(name).jpg (photo-\(index + 1))")?.lowerBound
        }
        #expect(offsets.count == 4 && offsets == offsets.sorted(), "\(shown)")
        #expect(transcript.contains("Decided: photo a.jpg is removed."))
        #expect(transcript.contains("'photo-1' is none of the fields to decide here: photo-2, photo-3, photo-4."))
        #expect(transcript.contains("Decided: photo b.jpg is removed."))
        #expect(transcript.contains("Decided: photo d.jpg is kept."))
        // Shown again, they are counted again.
        #expect(transcript.contains("photo c.jpg (photo-1)") && transcript.contains("Decided: photo c.jpg is removed."))
        #expect(try record(shell)?.photos.map(\.name) == ["d.jpg"], "\(transcript) \(id)")
    }

    /// Nothing lasts from one command to the next outside the shell: a photo is named by its name there.
    @Test func photosAreNamedOutsideTheShell() async throws {
        let shell = try Shell()
        let id = try await removedPhotos(shell, names: ["a.jpg", "b.jpg", "my yard.jpg"])
        shell.session.use = .command
        shell.session.asksNothing = true
        let runner = CommandRunner(shell.session)
        guard case .detail(let detail) = try await runner.run(.conflicts(.show(id))) else {
            Issue.record("nothing is shown")
            return
        }
        let titles = detail.sections.map(\.title)
        #expect(titles[0] == "photo a.jpg (photo-a.jpg)" && titles[1] == "photo b.jpg (photo-b.jpg)")
        let typed = try #require(titles[2].split(separator: "(").last?.dropLast())
        #expect(typed.hasPrefix("photo-x") && typed.count == 17)
        for name in ["photo-a.jpg", String(typed)] {
            _ = try await runner.run(
                .conflicts(.take(id, side: nil, values: [FieldValue(name, text: "removed")])))
        }
        #expect(try record(shell)?.photos.map(\.name) == ["b.jpg"])
        await #expect(throws: UsageError.self) {
            _ = try await runner.run(
                .conflicts(.take(id, side: nil, values: [FieldValue("photo-1", text: "removed")])))
        }
    }

    /// It is a deletion like any other: by whatever it is removed, it is asked first.
    @Test(arguments: ["photo-a.jpg=removed", "mara"]) func aPhotoIsNotRemovedUnasked(choice: String) async throws {
        let shell = try Shell()
        let id = try await removedPhotos(shell, names: ["a.jpg", "b.jpg"])
        let transcript = try await shell.type("conflicts take \(id) \(choice)", "n")
        #expect(transcript.contains("Nothing was decided."), "\(transcript)")
        let unasked = try await shell.type("conflicts take \(id) \(choice) --yes")
        #expect(unasked.contains("photo a.jpg is removed"), "\(unasked)")
        #expect(try record(shell)?.photos.count == (choice == "mara" ? 0 : 1), "\(unasked)")
    }

    /// A name that says nothing is not offered.
    @Test func aDeviceWithTwoValuesIsNotOffered() async throws {
        let shell = try Shell()
        let id = try await removedPhotos(shell, names: ["a.jpg"])
        let transcript = try await shell.type("conflicts take \(id) theirs")
        #expect(transcript.contains("or name the person or device (ines, mara), or type the value"), "\(transcript)")
    }
}
