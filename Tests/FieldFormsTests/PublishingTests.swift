import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormExchange
import FormLogic
import Testing

@testable import FieldForms

@Suite struct PublishingTests {
    @Test func aFormIsADocumentAVersionAndAHead() throws {
        let shelf = try FormShelf()
        let publication = try shelf.publish(FormShelf.yaml())
        #expect(publication.isNew && publication.reference.description == "people@1")
        let version = try #require(try shelf.field.formDocuments.find("people@1"))
        #expect(version.isVersion && !version.isHead && version.channels == [RecordEnvelope.everybody])
        #expect(version.envelope.createdBy == "office" && version.object["type"] == "form")
        #expect(version.object["schema"] == 2 && version.content["digest"] == .string(publication.digest))
        let head = try #require(try shelf.field.formDocuments.find("people"))
        #expect(head.isHead && head.content["current"] == "1" && head.content["state"] == "open")
        #expect(head.content["versions"] == ["1"] && head.content["title"] == "People")
    }

    @Test func theSameContentAgainChangesNothing() throws {
        let shelf = try FormShelf()
        let first = try shelf.publish(FormShelf.yaml())
        let revision = try shelf.field.collection(of: .form).document(id: "people@1")?.revisionID
        let again = try shelf.publish(FormShelf.yaml())
        #expect(!again.isNew && again.digest.isExactly(first.digest))
        #expect(try shelf.field.collection(of: .form).document(id: "people@1")?.revisionID == revision)
    }

    @Test func otherQuestionsNeedAnotherVersion() throws {
        let shelf = try FormShelf()
        try shelf.publish(FormShelf.yaml())
        let error = #expect(throws: FormLibraryError.self) { try shelf.publish(FormShelf.yaml(label: "Age in years")) }
        #expect(
            error?.description == "version 1 of people exists with other questions; give it a new version")
        let loaded = try shelf.library.load("people")
        #expect(loaded.form.nodes[1].label?.text(in: nil) == "Age")
    }

    @Test func aNewVersionIsTheOneOfNewRecords() throws {
        let shelf = try FormShelf()
        try shelf.publish(FormShelf.yaml())
        let second = try shelf.publish(FormShelf.yaml(version: "2", type: "text"))
        #expect(second.changedTypes.map(\.path) == ["age"])
        #expect(second.changedTypes.first?.message.contains("is text, and was integer in version 1") == true)
        #expect(try shelf.library.load("people").form.version == "2")
        let former = try shelf.library.load(form: "people", version: "1")
        #expect(former.current == "2" && former.form.nodes[1].type == .plain(.integer))
        #expect(try shelf.library.summaries().map(\.versions) == [["1", "2"]])
    }

    @Test func aFormNeedsAVersion() throws {
        let shelf = try FormShelf()
        let yaml = FormShelf.yaml().replacing("version: 1\n", with: "")
        let error = #expect(throws: FormLibraryError.self) { try shelf.publish(yaml) }
        #expect(error?.description.contains("--version 2026030401") == true)
        try shelf.publish(FormShelf.yaml(version: "2026030401"))
        let day = try #require(CalendarDay("2026-03-04"))
        #expect(try shelf.library.proposedVersion(of: "people", on: day) == "2026030402")
    }

    @Test func anIDOfAFormOfSchemaOneIsTaken() throws {
        let shelf = try FormShelf()
        try shelf.field.forms.add(FormDefinition(id: "people", name: "People", fields: []), by: shelf.author)
        #expect(throws: FormLibraryError.self) { try shelf.publish(FormShelf.yaml()) }
        #expect(try shelf.field.forms.find("people")?.name == "People")
    }

    @Test func aFormWhoseHeadWasDeletedIsPublishedAgain() throws {
        let shelf = try FormShelf()
        try shelf.publish(FormShelf.yaml())
        try shelf.field.formDocuments.delete("people")
        #expect(throws: FormLibraryError.self) { try shelf.library.load("people") }
        #expect(try shelf.publish(FormShelf.yaml()).isNew)
        #expect(try shelf.library.load("people").form.version == "1")
    }

    // MARK: Blobs

    private func longList(_ count: Int) -> Form {
        var form = Form(id: "towns", version: "1")
        var question = FormNode(name: "town", kind: .question(.select(.one, from: .list("town"))), label: "Town")
        question.required = "true()"
        form.nodes = [question]
        form.lists = [
            ChoiceList(
                name: "town",
                choices: (1...count).map { Choice(name: Name("t\($0)"), label: .plain("Town \($0)"), sourceRow: $0) })
        ]
        return form
    }

    @Test func longListsAreKeptBesideTheDefinition() throws {
        let shelf = try FormShelf()
        let upload = FormUpload(form: longList(1_001))
        #expect(upload.needsVault)
        let publication = try shelf.library.publish(upload, by: shelf.author)
        let document = try #require(try shelf.field.formDocuments.find("towns@1"))
        #expect(document.object["lists"]?["town"]?["blob"]?["@type"] == "blob")
        let loaded = try shelf.library.load("towns")
        #expect(loaded.form.lists[0].choices.count == 1_001 && loaded.missing.isEmpty)
        #expect(loaded.digest.isExactly(publication.digest))
        #expect(try shelf.library.outlined("towns").form.lists[0].choices.isEmpty)
        // Further down in its sheet it is the same list.
        var moved = longList(1_001)
        moved.lists[0].choices = moved.lists[0].choices.map { choice in
            var choice = choice
            choice.sourceRow = (choice.sourceRow ?? 0) + 7
            return choice
        }
        #expect(try !shelf.library.publish(FormUpload(form: moved), by: shelf.author).isNew)
    }

    @Test func aListOfAThousandStaysInTheDefinition() throws {
        let shelf = try FormShelf()
        #expect(!FormUpload(form: longList(1_000)).needsVault)
        _ = try shelf.library.publish(FormUpload(form: longList(1_000)), by: shelf.author)
        #expect(try shelf.library.outlined("towns").form.lists[0].choices.count == 1_000)
    }

    /// Many lists below the limit are together more than a gateway takes.
    @Test func theLongestListsAreMovedUntilTheRestFits() throws {
        let shelf = try FormShelf()
        var form = longList(2)
        form.lists = (1...30).map { number in
            ChoiceList(
                name: Name("list\(number)"),
                choices: (1...900).map { Choice(name: Name("c\($0)"), label: .plain("Choice \($0)")) })
        }
        _ = try shelf.library.publish(FormUpload(form: form), by: shelf.author)
        let document = try #require(try shelf.field.formDocuments.find("towns@1"))
        #expect(document.body.count <= FormLibraryLimits.definition + 1_000)
        #expect(JSONValue.object(document.object).valueCount < 40_000)
        let loaded = try shelf.library.load("towns")
        #expect(loaded.form.lists.allSatisfy { $0.choices.count == 900 })
    }

    @Test func filesAreReadThroughTheVault() throws {
        let shelf = try FormShelf()
        let yaml = """
            form: water
            version: 1
            files: [towns.csv, logo.png]
            questions:
              - select_one_from_file towns.csv where: Town

            """
        let csv = Array("name,label,people\na,Alba,420\n".utf8)
        try shelf.publish(yaml, files: ["towns.csv": csv])
        let loaded = try shelf.library.load("water")
        #expect(loaded.missing == ["logo.png"])
        let instances = try loaded.instances(language: nil)
        guard case .table(let table)? = instances["towns"] else {
            Issue.record("there is no table")
            return
        }
        #expect(table.rowCount == 1 && table.cell(row: 0, column: Name("people")) == "420")
        let file = try #require(loaded.form.files.first { $0.name == "towns.csv" })
        #expect(try shelf.library.content(of: file) == csv)
        #expect(try shelf.library.summaries().first?.missing == ["logo.png"])
    }

    @Test func anEmptyFileIsRefused() throws {
        let shelf = try FormShelf()
        let yaml = "form: w\nversion: 1\nfiles: [t.csv]\nquestions:\n  - text who: Name\n"
        #expect(throws: FormLibraryError.self) { try shelf.publish(yaml, files: ["t.csv": []]) }
        #expect(try shelf.library.summaries().isEmpty)
    }

    // MARK: Finding

    @Test func formsAreFoundByTheirBeginning() throws {
        let shelf = try FormShelf()
        try shelf.publish(FormShelf.yaml())
        try shelf.publish(FormShelf.yaml().replacing("form: people", with: "form: people_short"))
        #expect(try shelf.library.find("people").description == "people@1")
        #expect(try shelf.library.find("PEOPLE_S").description == "people_short@1")
        let several = #expect(throws: FormLibraryError.self) { try shelf.library.find("peo") }
        #expect(several?.description == "'peo' can be people, people_short. Type more of it")
        let unknown = #expect(throws: FormLibraryError.self) { try shelf.library.find("poeple") }
        #expect(unknown?.description.contains("Did you mean 'people'?") == true)
        #expect(throws: FormLibraryError.self) { try shelf.library.find("people@9") }
        #expect(throws: FormLibraryError.self) { try shelf.library.find("") }
    }
}
