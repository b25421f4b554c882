import DocumentStore
import DocumentValues
import FieldModels
@testable import FieldRecords
import Foundation
import Replication
import Testing

@testable import FieldShell

/// What others have changed in one's own records, however much that is.
@Suite struct ListChangedTests {
    /// As after a sync that brings eve's corrections of sites that mara has made.
    private func corrected(_ count: Int) throws -> Shell {
        let shell = try Shell()
        try shell.signIn("mara")
        let sites = shell.field.collection(of: .site)
        let bodies = (1...count).map { number -> (String, JSONObject) in
            let id = "site-\(number)"
            return (id, ["type": "site", "name": .string("Well \(number)"), "notes": "mine", "createdBy": "mara"])
        }
        try sites.save(bodies: bodies.map { ($0.0, $0.1.bytes) })
        let incoming = bodies.map { id, body -> RemoteChange in
            var body = body
            (body["notes"], body["changedBy"], body["changedAt"]) = ("eve's", "eve", "2026-03-04T12:00:00Z")
            return RemoteChange(documentID: id, revision: RevisionID(generation: 2, digest: "e"), body: body.bytes)
        }
        try shell.field.receivedChanges.keepBeforeChanges(of: .site, to: incoming, for: "mara")
        try sites.save(bodies: incoming.map { ($0.documentID, $0.body) })
        return shell
    }

    /// Work to be done is not listed behind them.
    @Test func theDaysWorkShowsSome() async throws {
        let shell = try corrected(40)
        let today = try await shell.type("today", width: 200)
        #expect(today.components(separatedBy: "eve: notes").count == 11, "\(today)")
        #expect(today.contains("There are 30 more: list --changed"), "\(today)")
        #expect(today.contains("Well 40"), "\(today)")
        #expect(try TodaysLine(session: shell.session).text()?.contains("40 changed by others") == true)
    }

    @Test func theListShowsAllAndThenTheyAreNoNews() async throws {
        let shell = try corrected(12)
        let list = try await shell.type("list --changed", width: 200)
        #expect(list.components(separatedBy: "eve: notes").count == 13, "\(list)")
        #expect(list.contains("Set it back: undo NUMBER"), "\(list)")
        let today = try await shell.type("today", width: 200)
        #expect(!today.contains("changed by others"), "\(today)")
        let back = try await shell.type("list --changed", "undo 1", width: 200)
        #expect(back.contains("notes eve's → mine"), "\(back)")
    }

    @Test(arguments: ["list sites --changed", "list --changed --mine", "list --changed --deleted"])
    func itTakesNothingElse(command: String) async throws {
        let transcript = try await corrected(1).type(command)
        #expect(transcript.contains("Use: list --changed"), "\(transcript)")
    }
}
