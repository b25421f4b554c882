import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell
@testable import FieldSync

/// What a worker sees of records that were given different values on two devices, and decides.
@Suite struct ConflictShellTests {
    private func entry(_ field: JSONValue, _ value: JSONValue?, _ by: String, _ device: String) -> JSONValue {
        Shell.contestedEntry(field, value, by, device)
    }

    private func contested(_ shell: Shell, deletedToo: Bool = false) async throws -> String {
        try await shell.contestedDraft(deletedToo: deletedToo)
    }

    private func record(_ shell: Shell) throws -> Inspection? { try shell.field.inspections.all().records.first }

    @Test func thePromptSaysItUntilSomebodyHasDecided() async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let transcript = try await shell.type(
            "conflicts", "conflicts show 1", "status", "conflicts take 1 mine", "status")
        let text = try shell.withoutIDs(transcript)
        #expect(
            text.hasPrefix(
                "1 record was given different values on two devices; you decide: conflicts\nfieldbook (1 conflict)> "))
        #expect(text.contains("1  inspection ID, Old mill, 2026-03-04 routine  Fridge °C, Score"))
        #expect(text.contains("    80  (current; mara on "))
        #expect(text.contains("    60  (mara on old-laptop, 10:00 today)"))
        #expect(text.contains("    9  (current; ines on other, 10:00 today)"))
        #expect(text.contains("Decide: conflicts take 1 mine, or theirs, or fridge=VALUE"))
        #expect(text.contains("Decided: Fridge °C is 4, Score is 80."))
        #expect(text.components(separatedBy: "you decide: conflicts").count == 3, "\(text)")
        #expect(text.hasSuffix("fieldbook> \n"))
        #expect(try record(shell)?.score == 80 && record(shell)?.answers["fridge"] == 4)
        #expect(try record(shell)?.envelope.rest["conflicts"] == nil)
    }

    /// A decision is a command: the findings that go along with it come back with it, and are the person's own doing.
    @Test func aSiteThatWasChosenIsTakenBackWithItsFindings() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let device = try #require(try shell.session.settings().device)
        let id = try #require(try record(shell)?.id)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: device)
        try shell.field.inspections.update(id, by: author) { inspection in
            inspection.envelope.rest["conflicts"] = [
                entry("site", "site-mill", "mara", device), entry("site", "site-quay", "ines", "other"),
            ]
        }
        func sites() throws -> [String?] {
            try [record(shell)?.site] + shell.field.findings.all().records.map(\.site)
        }
        let taken = try await shell.type("show 1", "conflicts", "conflicts show 1", "conflicts take 1 theirs")
        #expect(try sites() == ["site-quay", "site-quay"], "\(taken)")
        let undone = try await shell.type("undo", "y")
        #expect(try sites() == ["site-mill", "site-mill"], "\(undone)")
    }

    @Test(arguments: [40, 60, 80]) func theListCutsNothing(width: Int) async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let transcript = try await shell.type("conflicts", width: width)
        let text = try shell.withoutIDs(transcript)
        let joined = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(joined.contains("1 inspection ID, Old mill, 2026-03-04 routine"), "\(text)")
        #expect(joined.contains("Fridge °C, Score") && !text.contains("…"), "\(text)")
        // The first line and the prompt are the terminal's to break.
        let list = transcript.split(separator: "\n").drop { !$0.hasPrefix("Different values") }.prefix {
            !$0.hasPrefix("fieldbook")
        }
        #expect(!list.isEmpty && list.allSatisfy { String($0).displayWidth <= width }, "\(transcript)")
    }

    @Test(
        arguments: [
            (["conflicts take 1 theirs"], 60, 9), (["conflicts take 1 current"], 80, 9),
            (["conflicts take 1 other"], 60, 4), (["conflicts take 1 fridge=7.5 score=theirs"], 60, 7.5),
            (["conflicts take 1 mine fridge=theirs"], 80, 9),
            (["conflicts take 1 score=70", "conflicts take 1 theirs"], 70, 9),
        ] as [([String], Int, Double)])
    func deciding(_ lines: [String], _ score: Int, _ fridge: Double) async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        var transcript = ""
        for line in lines { transcript += try await shell.type(line) }
        let record = try #require(try record(shell))
        #expect(record.score == score && record.answers["fridge"]?.doubleValue == fridge, "\(transcript)")
        #expect(try shell.field.conflicts().isEmpty, "\(transcript)")
        #expect(try record.envelope.device == shell.session.settings().device)
    }

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
                return [caption, "\(caption) door"].map { entry(["photos", digest, "caption"], .string($0), "a", $0) }
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
                entry(path, true, "mara", device), entry(path, nil, "mara", "old-laptop"),
            ]
        }
        let transcript = try await shell.type(
            "conflicts", "conflicts show 1", "show \(RecordReference.short(id, kind: .inspection))",
            "conflicts take 1 \(choice)")
        for part in [
            "photo door.jpg", "photo door.jpg (photo-1)\n    kept  (current; mara on \(device), 10:00 today; mine)",
            "    removed  (mara on old-laptop, 10:00 today)", "Decided: photo door.jpg is \(outcome).\n",
        ] { #expect(transcript.contains(part), "\(part) in \(transcript)") }
        #expect(try record(shell)?.photos.count == count && shell.field.conflicts().isEmpty, "\(transcript)")
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
                    return [entry(path, true, "ines", "other"), entry(path, nil, "mara", "other")]
                })
        }
        return RecordReference.short(id, kind: .inspection)
    }

    /// A number means the photo that had it when the photos were shown, however many are gone since.
    @Test func numbersOfPhotosStayWhileSomebodyDecides() async throws {
        let shell = try Shell()
        let id = try await removedPhotos(shell, names: ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
        let transcript = try await shell.type(
            "conflicts", "conflicts show 1", "conflicts take 1 photo-1=removed", "conflicts take 1 photo-1=removed",
            "conflicts take 1 photo-2=removed", "conflicts take 1 photo-4=kept", "conflicts show 1",
            "conflicts take 1 photo-1=removed")
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
        shell.session.isShell = false
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

    /// A name that says nothing is not offered.
    @Test func aDeviceWithTwoValuesIsNotOffered() async throws {
        let shell = try Shell()
        let id = try await removedPhotos(shell, names: ["a.jpg"])
        let transcript = try await shell.type("conflicts take \(id) theirs")
        #expect(transcript.contains("or name the person or device (ines, mara), or type the value"), "\(transcript)")
    }

    /// Two inspections of one site are known by their day, how far they are and their score, not by their ids.
    @Test func inspectionsOfAnAssignmentAreDescribed() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=60 --yes", "submit 1", "new inspection mill score=80 --yes")
        let ids = try shell.field.inspections.all().records.sorted { $0.score ?? 0 < $1.score ?? 0 }.map(\.id)
        try #require(ids.count == 2)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: "d1")
        var assignment = Assignment(
            id: "assignment-a", inspector: "mara", site: "site-mill", due: shell.session.environment.today(),
            district: .unknown)
        assignment.inspection = ids[0]
        assignment.envelope.rest["conflicts"] = .array(
            zip(ids, ["d1", "d2"]).map { entry("inspection", .string($0), "mara", $1) })
        try shell.field.assignments.add(assignment, by: author)
        let short = ids.map { RecordReference.short($0, kind: .inspection) }
        let transcript = try await shell.type(
            "conflicts", "conflicts show 1", "conflicts take 1 inspection=\(short[1])", width: 200)
        let titles = [
            "Old mill, 2026-03-04 routine, submitted, score 60 (\(short[0]))",
            "Old mill, 2026-03-04 routine, draft, score 80 (\(short[1]))",
        ]
        for part in [
            "due 2026-03-04  Inspection\n", "  Inspection\n    \(titles[0])  (current; mara on d1, 10:00 today)",
            "    \(titles[1])  (mara on d2, 10:00 today", "Decided: Inspection is \(titles[1]).",
        ] { #expect(transcript.contains(part), "\(part) in \(transcript)") }
        #expect(try shell.field.assignments.find("assignment-a")?.inspection == ids[1])
    }

    /// Another laptop has brought the versions together, and left the decision to people.
    @Test func aSyncThatReceivesAConflictSaysSo() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        var report = SyncReport()
        report.pulled = [.inspection: 1]
        report.undecided = try shell.field.undecided(
            among: [
                RecordReference(.inspection, id: id), RecordReference(.site, id: "site-mill"),
                RecordReference(.site, id: "gone"),
            ], for: "mara")
        #expect(
            SyncText.lines(report) == ["Received 1 inspection.", "1 inspection has something to decide: conflicts"])
        report.undecided[.site] = 2
        #expect(SyncText.lines(report).last == "2 sites and 1 inspection have something to decide: conflicts")
        try shell.session.noteConflicts(of: report)
        #expect(!(try await shell.type("status --json").contains("you decide: conflicts")))
    }

    @Test func aDeletionSaysWhoMadeIt() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: "d")
        try shell.field.inspections.update(id, by: author) {
            $0.envelope.rest["conflicts"] = [
                ["deleted": true, "by": "mara", "device": "old-laptop", "at": "2026-03-04T09:00:00Z"]
            ]
        }
        let text = try ConflictText(try #require(try shell.field.conflicts().first), session: shell.session)
        #expect(text.reportLines == ["Deleted by mara on old-laptop, 10:00 today"])
        let transcript = try await shell.type("conflicts show 1", width: 200)
        #expect(
            transcript.contains(
                "deleted by mara on old-laptop, 10:00 today, while it was changed elsewhere; the change counts"))
    }

    @Test func listsMarkWhatIsToBeDecided() async throws {
        let shell = try Shell()
        let id = RecordReference.short(try await contested(shell), kind: .inspection)
        for line in ["list", "today"] {
            let transcript = try await shell.type(line)
            #expect(transcript.contains("\(id) !"), "\(transcript)")
            #expect(transcript.contains("! has something for you to decide: conflicts"))
        }
        _ = try await shell.type("conflicts take 1 mine")
        #expect(!(try await shell.type("list").contains("!")))
    }

    @Test func aSyncThatNamedAConflictIsEnough() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        var report = SyncReport()
        report.merged = [
            MergedRecord(
                reference: RecordReference(.inspection, id: id), title: "", outcome: .contested, subjects: "", lines: []
            )
        ]
        try shell.session.noteConflicts(of: report)
        let transcript = try await shell.type("status --json")
        #expect(!transcript.contains("you decide: conflicts"))
        #expect(transcript.contains("(1 conflict)> "))
    }

    /// The number of a conflict that nobody has seen a list of could be any other's after the next sync.
    @Test func numbersOfConflictsCountOnceTheyWereShown() async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let device = try #require(try shell.session.settings().device)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: device)
        try shell.field.sites.update("site-mill", by: author) { site in
            site.envelope.rest["conflicts"] = [entry("phone", "1", "mara", device), entry("phone", "2", "ines", "o")]
        }
        let before = try await shell.type("conflicts take 1 mine")
        #expect(before.contains("No conflict has the number or the id '1'. List them: conflicts"))
        #expect(try shell.field.conflicts().count == 2)
        _ = try await shell.type("conflicts", "conflicts take 2 mine")
        #expect(try shell.field.conflicts().map(\.kind) == [.inspection])
    }

    /// A sync may bring another value after the conflict was looked at.
    @Test func aSideMeansTheValuesThatWereShown() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        _ = try await shell.type("conflicts", "conflicts show 1")
        let tomas = Author(name: "tomas", moment: Timestamp(secondsSince1970: 1_772_619_307), device: "other")
        try shell.field.inspections.update(id, by: tomas) { $0.score = 33 }
        let refused = try await shell.type("conflicts take 1 current")
        #expect(refused.contains("There are other values than those you looked at; nothing was decided."))
        #expect(try shell.field.conflicts().first?.fields.count == 2)
        // What did not change can be decided, and then the rest.
        _ = try await shell.type("conflicts take 1 fridge=4", "conflicts show 1", "conflicts take 1 current")
        #expect(try record(shell)?.score == 33 && shell.field.conflicts().isEmpty)
    }

    /// Two versions of one device: the one that was typed last is mine.
    @Test func aConflictWithOneselfCanBeDecided() async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let device = try #require(try shell.session.settings().device)
        let id = try #require(try record(shell)?.id)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: device)
        func own(_ value: JSONValue, _ moment: String) -> JSONValue {
            ["field": "score", "value": value, "by": "mara", "device": .string(device), "at": .string(moment)]
        }
        try shell.field.inspections.update(id, by: author) { inspection in
            inspection.envelope.rest["conflicts"] = [
                own(80, "2026-03-04T09:00:00Z"), own(60, "2026-03-04T09:30:00Z"),
            ]
        }
        _ = try await shell.type("conflicts take 1 mine")
        #expect(try record(shell)?.score == 60 && shell.field.conflicts().isEmpty)
    }

    /// A supervisor looks at what two others typed: nothing is hers, so theirs is no answer, and the names are shown.
    @Test func neitherValueIsOnesOwn() async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let id = try #require(try record(shell)?.id)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: "desk")
        func typed(_ value: JSONValue, by name: String) -> JSONValue {
            [
                "field": "score", "value": value, "by": .string(name), "device": .string("\(name)-laptop"),
                "at": "2026-03-04T09:00:00Z",
            ]
        }
        try shell.field.inspections.update(id, by: author) { inspection in
            inspection.envelope.rest["conflicts"] = [typed(80, by: "tom"), typed(60, by: "ben")]
        }
        let transcript = try await shell.type("conflicts take 1 theirs", "conflicts take 1 mine")
        #expect(
            transcript.contains(
                "Several values of Score are somebody else's. Say current or other, or name the person or device "
                    + "(tom, ben, tom-laptop, ben-laptop), or type the value: score=VALUE"), "\(transcript)")
        #expect(transcript.contains("No value of Score is yours."), "\(transcript)")
        _ = try await shell.type("conflicts take 1 ben")
        #expect(try record(shell)?.score == 60 && shell.field.conflicts().isEmpty)
    }

    @Test func whatCannotBeMeantIsSaid() async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let transcript = try await shell.type(
            "conflicts take 1", "conflicts take 2 mine", "conflicts take 1 nobody", "conflicts take 1 colour=red",
            "conflicts take 1 score=120", "conflicts take 1 keep", "conflicts show", "conflicts take 1 mine theirs")
        for part in [
            "Say what counts. Decide: conflicts take NUMBER mine, or theirs, or fridge=VALUE",
            "No conflict has the number or the id '2'. List them: conflicts",
            "No value of Fridge °C is 'nobody'. Say current or other, or name the person or device (",
            "'colour' is none of the fields to decide here: fridge, score.", "score must be 0 to 100, but is 120.",
            "Nobody has deleted this record.", "Say which: conflicts show NUMBER.",
            "'theirs' is no FIELD=VALUE.",
        ] { #expect(transcript.contains(part), "\(part) in \(transcript)") }
        #expect(try shell.field.conflicts().count == 1)
    }

    /// Somebody else went on with the record before it met the other version.
    @Test func mineIsWhatWasTypedHereNoMatterWhoSavedItLater() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=66 --yes", "edit 1 score=11", "edit 1 notes=x")
        let id = try #require(try shell.field.inspections.all().records.first?.id)
        let document = try #require(try shell.field.collection(of: .inspection).document(id: id)).toMutable()
        var body = document.body
        body["score"] = 22
        body["conflicts"] = [entry("score", 11, "bo", "tablet"), entry("score", 22, "mara", "other-laptop")]
        document.setBody(body)
        try shell.field.collection(of: .inspection).save(document: document)
        try shell.signIn("mara")
        let transcript = try await shell.type("conflicts show 1", "conflicts take 1 mine")
        #expect(transcript.contains("11  (bo on tablet, 10:00 today; mine)"), "\(transcript)")
        #expect(transcript.contains("Decided: Score is 11."), "\(transcript)")
    }

    @Test func aDeletionThatLostIsDecided() async throws {
        let shell = try Shell()
        _ = try await contested(shell, deletedToo: true)
        let first = try await shell.type("conflicts", "conflicts show 1", "conflicts take 1 keep", "conflicts")
        #expect(first.contains("deleted or kept, Fridge °C, Score"))
        let ways =
            "Decide: conflicts take NUMBER mine, or theirs. Where it is deleted or kept: conflicts take NUMBER keep, or delete"
        #expect(first.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(ways), "\(first)")
        #expect(
            first.contains("somebody deleted it while it was changed elsewhere; the change counts until you decide"))
        #expect(first.contains(", Old mill, 2026-03-04 routine is kept."))
        #expect(try shell.field.conflicts().first?.deletion == nil && shell.field.conflicts().first?.fields.count == 2)
        let other = try Shell()
        _ = try await contested(other, deletedToo: true)
        _ = try await other.type("conflicts take 1 delete --yes")
        #expect(try record(other) == nil)
    }

    /// Whether a record goes is not decided along with its fields.
    @Test func fieldsAreDecidedApartFromADeletion() async throws {
        let shell = try Shell()
        _ = try await contested(shell, deletedToo: true)
        let transcript = try await shell.type("conflicts take 1 mine", "conflicts")
        #expect(
            transcript.contains(
                "Decided: Fridge °C is 4, Score is 80. Still to decide: whether it is deleted or kept; see: conflicts"),
            "\(transcript)")
        #expect(transcript.contains("Decide: conflicts take NUMBER keep, or delete\n"), "\(transcript)")
        #expect(!transcript.contains("take NUMBER mine"), "\(transcript)")
        let left = try #require(try shell.field.conflicts().first)
        #expect(left.fields.isEmpty && left.deletion != nil)
    }

    /// A site whose id is the inspection's is another record.
    @Test func aDecidedDeletionTakesItsOwnRecord() async throws {
        let shell = try Shell()
        let id = try await contested(shell, deletedToo: true)
        try shell.field.sites.add(
            Site(id: id, name: "Same id", address: Address(), district: .unknown),
            by: Author(name: nil, moment: Timestamp(secondsSince1970: 0)))
        let transcript = try await shell.type("conflicts take 1 delete --yes")
        #expect(try record(shell) == nil, "\(transcript)")
        #expect(try shell.field.sites.find(id) != nil)
    }

    /// A prompt says once why it cannot count.
    @Test func aPromptThatCannotCountSaysWhy() throws {
        let shell = try Shell()
        let dialogue = ScriptedDialogue(lines: [])
        shell.use(dialogue)
        try shell.field.close()
        for _ in 0..<2 { #expect(shell.session.conflictMark() == nil) }
        #expect(dialogue.transcript.components(separatedBy: "What is to be decided cannot be read: ").count == 2)
    }

    /// Settings that cannot be read name nobody; no record is saved as if nobody had signed in.
    @Test func nothingIsSavedWithoutItsAuthor() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        try Data("{".utf8).write(to: shell.session.folder.settingsFile)
        #expect(throws: (any Error).self) { try shell.session.author() }
        let transcript = try await shell.type("new inspection mill score=90 --yes")
        #expect(try shell.field.inspections.all().records.isEmpty, "\(transcript)")
    }

    @Test func showAndProgramsSeeIt() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        let transcript = try await shell.type("show \(id)", "conflicts --json")
        #expect(transcript.contains("To decide: Fridge °C, Score"))
        #expect(transcript.contains("Score: 60  (mara on old-laptop, 10:00 today)"))
        let line = try #require(transcript.split(separator: "\n").first { $0.hasPrefix(#"{"_id""#) })
        let object = try JSONObject(parsing: Array(line.utf8))
        #expect(object["fields"]?[1]?["current"]?["value"] == 80 && object["fields"]?[1]?["field"] == "score")
        #expect(object["fields"]?[1]?["others"]?[0]?["device"] == "old-laptop")
    }

    /// An edit of a field that is to be decided replaces the value that its author saw; the other is still asked about.
    @Test func editingLeavesTheOtherValueToBeDecided() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        _ = try await shell.type("edit \(id) score=90", "edit \(id) fridge=4")
        let conflict = try #require(try shell.field.conflicts().first)
        #expect(conflict.fields.map(\.path.name) == ["score"])
        #expect(conflict.fields[0].current.value == 90 && conflict.fields[0].others.map(\.value) == [60])
    }

    /// A supervisor's decision is not the inspector's to change.
    @Test func whatWasApprovedIsNotTakenBackByItsInspector() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        try shell.signIn("mara")
        try shell.field.inspections.update(id, by: Author(name: "olga", moment: Timestamp(secondsSince1970: 0))) {
            $0.inspector = "mara"
            $0.status = .approved
        }
        let transcript = try await shell.type("conflicts take 1 other", "conflicts take 1 current")
        #expect(transcript.contains("That is a supervisor's to decide, and this inspection is your own."))
        #expect(transcript.contains("Decided: Fridge °C is 9, Score is 80."))
    }

    @Test func nobodyReturnsTheirOwnWork() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --yes", "submit 1")
        let transcript = try await shell.type("return 1 which door")
        #expect(transcript.contains("This inspection is your own: a supervisor has to return it to you."))
        #expect(try record(shell)?.status == .submitted)
    }

    @Test func statusNamesWhatWasReturned() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --yes", "submit 1")
        let id = try #require(try record(shell)?.id)
        try shell.field.sendBack(
            id, because: "which door?", by: Author(name: "olga", moment: Timestamp(secondsSince1970: 0)))
        let text = try await shell.withoutIDs(shell.type("status"))
        #expect(
            text.contains("1 inspection was returned to you:\n  ID, Old mill, 2026-03-04 routine: which door?"),
            "\(text)")
        #expect(!text.contains("not yet submitted"))
    }

    /// The menu says which answers are decisions, and a value counts by itself where only one field has it.
    @Test func aValueDecidesTheOnlyField() async throws {
        let shell = try Shell()
        let id = RecordReference.short(try await contested(shell), kind: .inspection)
        let menu = try await shell.type("edit \(id)", ":all", ".")
        #expect(menu.contains("Score: 80  (to decide)") && !menu.contains("Basin:   (to decide)"), "\(menu)")
        let text = try await shell.type("conflicts take \(id) fridge=4", "conflicts take \(id) 60")
        #expect(text.contains("Decided: Score is 60."), "\(text)")
        #expect(try record(shell)?.score == 60)
    }

    /// Each command is a process of its own there.
    @Test func aDecisionOfAnotherCommandIsAboutWhatWasShown() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        shell.session.isShell = false
        let runner = CommandRunner(shell.session)
        _ = try await runner.run(.conflicts(.show(id)))
        shell.session.shownConflicts = [:]
        let author = Author(name: "ines", moment: Timestamp(secondsSince1970: 1_772_619_407), device: "other")
        try shell.field.inspections.update(id, by: author) { $0.score = 33 }
        await #expect(throws: UsageError.self) {
            try await runner.run(.conflicts(.take(id, side: "current", values: [])))
        }
        #expect(try record(shell)?.envelope.rest["conflicts"] != nil)
        _ = try await runner.run(.conflicts(.show(id)))
        shell.session.shownConflicts = [:]
        _ = try await runner.run(.conflicts(.take(id, side: "current", values: [])))
        #expect(try record(shell)?.score == 33 && record(shell)?.envelope.rest["conflicts"] == nil)
    }
}
