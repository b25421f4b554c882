@testable import DocumentStore

/// A database in a folder of its own, with an empty collection `notes`.
struct NotesFixture {
    let folder: TestFolder
    let database: Database
    let notes: DocumentStore.Collection

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        notes = try database.createCollection(name: "notes")
    }
}

/// A suite whose tests have such a database each, and name its parts without the fixture.
protocol NotesSuite {
    var fixture: NotesFixture { get }
}

extension NotesSuite {
    var folder: TestFolder { fixture.folder }
    var database: Database { fixture.database }
    var notes: DocumentStore.Collection { fixture.notes }
}
