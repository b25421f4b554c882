import AttachmentVault
import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormEntry
import FormLogic
import Foundation
import Testing

@testable import FieldForms

/// Filled forms in a folder.
@Suite struct FormSessionTests {
    private static let yaml = """
        form: visit
        version: 1
        title: Visit
        instance_name: ${who}
        questions:
          - text who: Who
            required: yes
            default: ${last-saved#who}
          - integer age: Age
          - text why: Why
            relevant: ${age} > 17

        """

    private func setting(_ shelf: FormShelf) -> FormSetting {
        FormSetting(now: { 1_772_619_307_000 }, zone: FixedFormZone(), author: shelf.author, seed: 1)
    }

    private func begun(_ shelf: FormShelf) throws -> FormSession {
        try FormSession.begin(shelf.library.load("visit"), in: shelf.field, setting: setting(shelf))
    }

    private func fill(_ session: FormSession, _ answers: JSONObject) throws {
        var filler = FormFiller(session.state, language: session.texts, now: 1_772_619_307_000) { path, _ in
            try session.attach(path: path, for: nil, in: session.state)
        }
        filler.fill(answers)
        #expect(filler.problems.isEmpty, "\(filler.problems)")
        try session.save(filler.state, marks: session.marks)
    }

    @Test func onlyAPictureAnswersAQuestionForOne() throws {
        let shelf = try FormShelf()
        try shelf.publish(Self.yaml)
        let session = try begun(shelf)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (text, picture) = (folder.appendingPathComponent("text.jpg"), folder.appendingPathComponent("door.jpg"))
        try Data("a text".utf8).write(to: text)
        try Data([0xFF, 0xD8, 0xFF, 0xE0, 0x00]).write(to: picture)
        #expect(throws: FormFillingError.self) {
            try session.attach(path: text.path, for: .plain(.image), in: session.state)
        }
        let file = try session.attach(path: picture.path, for: .plain(.image), in: session.state)
        #expect(file.name == "door.jpg")
        #expect(try session.attach(path: text.path, for: .plain(.file), in: session.state).name == "text.jpg")
    }

    @Test func eachAnswerIsOnTheDiskWhenSaveReturns() throws {
        let shelf = try FormShelf()
        try shelf.publish(Self.yaml)
        let session = try begun(shelf)
        #expect(shelf.field.responses.count == 0 && session.savedAt == nil)
        try fill(session, ["who": "Ann"])
        // Another opening of the folder sees what this one has committed.
        let again = try FieldDatabase.open(at: shelf.field.folder, key: .keyFile)
        defer { try? again.close() }
        let stored = try #require(try again.responses.find(session.response.id))
        #expect(stored.answers == ["who": "Ann"] && stored.state == .draft && stored.instanceName == "Ann")
        let loaded = try shelf.library.load("visit")
        #expect(stored.formVersion == "1" && stored.formDigest == loaded.digest)
        #expect(stored.instanceID.hasPrefix("uuid:") && stored.envelope.createdBy == "office")
        try fill(session, ["age": 42])
        #expect(try again.responses.find(session.response.id)?.answers == ["who": "Ann", "age": 42])
        #expect(again.responses.count == 1)
    }

    @Test func aDraftGoesOnWhereItWasLeft() throws {
        let shelf = try FormShelf()
        try shelf.publish(Self.yaml)
        let first = try begun(shelf)
        try fill(first, ["who": "Ann", "age": 20])
        let open = try #require(first.state.record.nodes(of: 3).first)
        try first.save(first.state, marks: FormMarks(skipped: [open], notes: [open: "ask"]))
        let second = try FormSession.open(first.response.id, in: shelf.field, setting: setting(shelf))
        #expect(MetaAnswers.without(second.state.record.answers()) == ["who": "Ann", "age": 20])
        #expect(second.response.instanceID.isExactly(first.response.instanceID))
        #expect(second.marks.skipped.count == 1 && second.marks.notes.values.first == "ask")
    }

    @Test func finalisingDropsWhatIsNotRelevant() throws {
        let shelf = try FormShelf()
        try shelf.publish(Self.yaml)
        let session = try begun(shelf)
        try fill(session, ["who": "Ann", "age": 20, "why": "work"])
        try fill(session, ["age": 3])
        #expect(session.response.answers["why"] == "work")
        let end = try session.finalise(session.state, marks: session.marks, droppingSurplus: false)
        guard case .done(let name) = end else { throw FormFillingError(.notFound, subject: "\(end)") }
        let stored = try #require(try shelf.field.responses.find(session.response.id))
        #expect(name == "Ann" && stored.state == .final && stored.finalisedBy == "office")
        #expect(stored.answers == ["who": "Ann", "age": 3])
    }

    @Test func withAnOpenQuestionItStaysADraft() throws {
        let shelf = try FormShelf()
        try shelf.publish(Self.yaml)
        let session = try begun(shelf)
        try fill(session, ["age": 3])
        let end = try session.finalise(session.state, marks: session.marks, droppingSurplus: false)
        guard case .failures(let problems) = end else { throw FormFillingError(.notFound, subject: "\(end)") }
        #expect(problems.map(\.kind) == [.required] && problems.map(\.path) == ["who"])
        #expect(try shelf.field.responses.find(session.response.id)?.state == .draft)
    }

    @Test func theLastSavedRecordGivesDefaults() throws {
        let shelf = try FormShelf()
        try shelf.publish(Self.yaml)
        let first = try begun(shelf)
        #expect(first.response.answers["who"] == nil)
        try fill(first, ["who": "Ann"])
        #expect(try begun(shelf).response.answers["who"] == "Ann")
        // Another user of the laptop begins without it.
        var other = setting(shelf)
        other.author = Author(name: "ben", moment: other.author.moment, device: other.author.device)
        let theirs = try FormSession.begin(shelf.library.load("visit"), in: shelf.field, setting: other)
        #expect(theirs.response.answers["who"] == nil)
    }

    @Test func aRecordThatChangedElsewhereIsNotOverwritten() throws {
        let shelf = try FormShelf()
        try shelf.publish(Self.yaml)
        let session = try begun(shelf)
        try fill(session, ["who": "Ann"])
        try shelf.field.responses.update(session.response.id, by: shelf.author) { $0.answers["who"] = "Eve" }
        #expect(throws: FormFillingError.self) { try session.save(session.state, marks: session.marks) }
        #expect(try shelf.field.responses.find(session.response.id)?.answers["who"] == "Eve")
    }

    @Test func aDraftGoesToTheCurrentVersion() throws {
        let shelf = try FormShelf()
        try shelf.publish(Self.yaml)
        let draft = try begun(shelf)
        try fill(draft, ["who": "Ann", "age": 20])
        try shelf.publish(
            """
            form: visit
            version: 2
            title: Visit
            questions:
              - text who: Who
              - text town: Town
                default: Alba

            """)
        let session = try FormSession.open(draft.response.id, in: shelf.field, setting: setting(shelf))
        #expect(session.newerVersion == "2" && session.loaded.form.version == "1")
        let lines = try session.upgrade()
        #expect(lines == ["age: is kept beside the others: the form has no such question any more", "town: is new"])
        let stored = try #require(try shelf.field.responses.find(draft.response.id))
        #expect(stored.formVersion == "2" && stored.answers == ["who": "Ann", "town": "Alba"])
        #expect(stored.former.map { $0["value"] } == [20] && session.newerVersion == nil)
    }

    /// Marks have the numbers of nodes, which are others in another version.
    @Test func marksGoWithTheirQuestionsToTheCurrentVersion() throws {
        let shelf = try FormShelf()
        let head = "form: visit\ntitle: Visit\nquestions:\n  - text who: Who\n"
        let more = (1...20).map { "  - text q\($0): Question\n" }.joined()
        try shelf.publish("version: 1\n" + head + more)
        let session = try begun(shelf)
        try fill(session, ["who": "Ann"])
        let outline = session.state.record.outline
        func node(_ name: Name) throws -> Record.ID {
            let formNode = try #require(outline.nodes(named: name).first)
            return try #require(session.state.record.nodes(of: formNode).first)
        }
        let (who, last) = (try node("who"), try node("q20"))
        try session.save(session.state, marks: FormMarks(skipped: [last], notes: [who: "ask", last: "gone"]))
        try shelf.publish("version: 2\n" + head)
        let again = try FormSession.open(session.response.id, in: shelf.field, setting: setting(shelf))
        _ = try again.upgrade()
        #expect(again.marks.skipped.isEmpty && Array(again.marks.notes.values) == ["ask"])
        #expect(again.response.answers == ["who": "Ann"] && again.response.skipped.isEmpty)
    }

    @Test func choicesThatAreNoLongerOfferedAreNamedWhenADraftIsOpened() throws {
        let shelf = try FormShelf()
        try shelf.publish(
            """
            form: visit
            version: 1
            lists:
              region: {n: North, s: South}
              town:
                - {name: alba, label: Alba, region: n}
                - {name: dell, label: Dell, region: s}
            questions:
              - select_one region region: Region
              - select_one town town: Town
                choice_filter: region = ${region}

            """)
        let session = try begun(shelf)
        try fill(session, ["region": "n", "town": "alba"])
        // As a correction of the office would do it.
        try shelf.field.responses.update(session.response.id, by: shelf.author) { $0.answers["region"] = "s" }
        let again = try FormSession.open(session.response.id, in: shelf.field, setting: setting(shelf))
        #expect(again.notices == ["town: 'alba' cleared, it is not offered any more"])
        #expect(MetaAnswers.without(again.state.record.answers()) == ["region": "s"])
    }

    /// A random order of choices stays while the draft is filled, also on another laptop.
    @Test func theOrderOfChoicesIsKeptWithTheDraft() throws {
        let shelf = try FormShelf()
        let choices = (0..<12).map { "c\($0)" }
        try shelf.publish(
            """
            form: visit
            version: 1
            lists: {l: [\(choices.joined(separator: ", "))]}
            questions:
              - text who: Who
              - select_one l q: Q
                parameters: {randomize: true}

            """)
        func order(_ session: FormSession) throws -> [String] {
            let formNode = try #require(session.state.record.outline.nodes(named: "q").first)
            let node = try #require(session.state.record.nodes(of: formNode).first)
            var evaluator = session.state.evaluator
            return evaluator.choices(of: formNode, at: .record(node)).map(\.name.text)
        }
        let session = try begun(shelf)
        try fill(session, ["who": "Ann"])
        let first = try order(session)
        #expect(first.sorted() == choices.sorted() && session.response.seeds.keys == ["/data/q"])
        var other = setting(shelf)
        other.seed = 99
        let again = try FormSession.open(session.response.id, in: shelf.field, setting: other)
        #expect(try order(again) == first)
        try fill(again, ["who": "Eve"])
        #expect(again.response.seeds == session.response.seeds)
    }

    @Test func theDeviceHasOneID() throws {
        let shelf = try FormShelf()
        let first = try FormSetting.properties(of: shelf.field.folder, user: "mara")
        let second = try FormSetting.properties(of: shelf.field.folder, user: nil)
        let id = try #require(first["deviceid"])
        #expect(id.hasPrefix("fieldbook:") && id.utf8.count == 26 && second["deviceid"] == id)
        #expect(first["username"] == "mara" && second["username"] == nil)
    }
}
