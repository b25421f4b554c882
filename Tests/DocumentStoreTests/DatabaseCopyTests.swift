import DocumentStore
import Foundation
import Testing

/// Copies of a database that is in use.
@Suite struct DatabaseCopyTests {
    /// Purges take attachments away while they are copied.
    @Test func whatIsPurgedMeanwhileIsMissingInNoCopy() throws {
        let folder = try TestFolder()
        let database = try folder.open()
        let collection = try database.defaultCollection()
        try database.inBatch {
            for number in 0..<400 {
                let blob = Blob(contentType: "image/jpeg", data: Data("photo \(number)".utf8))
                try collection.put("\(number)", ["photo": blob])
            }
        }
        let purged = DispatchGroup()
        purged.enter()
        DispatchQueue.global().async {
            defer { purged.leave() }
            do {
                for number in 0..<300 { try collection.purge(id: "\(number)") }
            } catch { Issue.record(error) }
        }
        for name in ["first", "second", "third"] {
            try Database.copy(
                fromPath: folder.databaseFolder().path, toDatabase: name, withConfig: folder.configuration)
            let copy = try folder.open(name)
            try copy.performMaintenance(type: .integrityCheck)
            let ids = try copy.defaultCollection().documentIDs()
            for id in ids {
                let document = try copy.defaultCollection().document(id: id)
                #expect(document?.blob(forKey: "photo")?.content != nil, "\(name) \(id)")
            }
            try copy.close()
        }
        #expect(purged.wait(timeout: .now() + 60) == .success)
    }

    /// It would wait for the end of the batch that it is in.
    @Test(.timeLimit(.minutes(1))) func aCopyInItsOwnBatchIsRefusedAtOnce() throws {
        let folder = try TestFolder()
        let (database, other) = (try folder.open(), try folder.open("other"))
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.databaseFolder())
        func copy(_ source: URL, to name: String) throws {
            try Database.copy(fromPath: source.path, toDatabase: name, withConfig: folder.configuration)
        }
        try database.inBatch {
            try database.inBatch { _ = try database.defaultCollection().put("a", [:]) }
            for source in [folder.databaseFolder(), link] {
                let error = #expect(throws: StoreError.self) { try copy(source, to: "copy") }
                #expect(error?.message == "This cannot be done inside inBatch.")
            }
            try copy(folder.databaseFolder("other"), to: "second")
        }
        try copy(folder.databaseFolder(), to: "copy")
        #expect(try folder.open("copy").defaultCollection().count == 1)
        try other.close()
    }
}
