import Fieldbook
import Foundation
import Testing

/// The code of the README's part for developers: it compiles as printed there.
@Suite struct ReadmeExample {
    // swift-format-ignore
    static func printed(password: String) throws {
        // From here on as in the README.
        let database = try Database(name: "journal")
        let notes = try database.createCollection(name: "notes")
        let note = MutableDocument(id: "first").setString("hello", forKey: "text")
        note.setBlob(try Blob(contentType: "image/jpeg", fileURL: URL(fileURLWithPath: "door.jpg")), forKey: "photo")
        try notes.save(document: note)

        final class Visit: Codable {
            @DocumentID var id: String?
            var site: String
            var score: Int
            init(site: String, score: Int) { (self.site, self.score) = (site, score) }
        }
        try notes.save(from: Visit(site: "Mill", score: 3))
        for id in try notes.documentIDs() { print(id, try notes.revisionHistory(id: id)) }
        let query = try database.createQuery("SELECT META().id, site FROM notes WHERE score > 2 ORDER BY site")
        for row in try query.execute() { print(row.string(forKey: "id") ?? "", row.string(forKey: "site") ?? "") }
        let token = notes.addChangeListener { change in print(change.documentIDs) }

        final class Merge: ConflictResolverProtocol {
            func resolve(conflict: Conflict) -> Document? {
                guard let local = conflict.localDocument, let remote = conflict.remoteDocument?.toMutable() else { return nil }
                if local.string(forKey: "text") != conflict.baseDocument?.string(forKey: "text") {
                    remote.setString(local.string(forKey: "text"), forKey: "text")
                }
                return remote
            }
        }

        var part = CollectionConfiguration(collection: notes)
        part.conflictResolver = Merge()
        var configuration = ReplicatorConfiguration(
            collections: [part], target: URLEndpoint(url: URL(string: "ws://127.0.0.1:4984/tour")!))
        configuration.authenticator = BasicAuthenticator(username: "ann", password: password)
        let replicator = Replicator(config: configuration)
        let status = replicator.addChangeListener { change in print(change.status.activity) }
        replicator.start()               // or: try await replicator.run()

        for push in try database.rejectedPushes() { print(push.documentID, push.reason) }
        for kept in try database.quarantinedDocuments() { try database.restoreQuarantinedDocument(kept.id) }
        // Up to here.
        status.remove()
        token.remove()
    }

    @Test func theReadmeHasThisCode() throws {
        let own = URL(fileURLWithPath: #filePath)
        let root = own.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        func lines(_ text: Substring) -> [String] {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        let code = try String(contentsOf: own, encoding: .utf8)
        let here = try #require(code.components(separatedBy: "From here on as in the README.").dropFirst().first)
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let part = try #require(readme.components(separatedBy: "## For Swift developers").last)
        let blocks = part.components(separatedBy: "```swift\n").dropFirst(2).map {
            $0.components(separatedBy: "```")[0]
        }
        let printed = blocks.flatMap { lines(Substring($0)) }.filter { !$0.hasPrefix("import ") }
        #expect(printed == lines(Substring(here.components(separatedBy: "// Up to here.")[0])))
    }
}
