import Fieldbook
import Foundation
import Testing

/// What a program hears of the commits of another.
@Suite(.serialized) struct OtherProcessTests {
    private static let rounds = 20
    /// Half of the time after which the folder is looked at without a notice; far from what a busy machine takes. How fast it
    /// is on an idle one is measured by `store.other_process`.
    private static let soon = Duration.seconds(1)

    /// Where notices are lost, the look that makes up for them comes later.
    @Test(.timeLimit(.minutes(2))) func aCommitOfAnotherProcessIsHeardOfSoon() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heard-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try Database.open(folder: folder.path)
        let notes = try database.createCollection(name: "notes", scope: "a")
        let (news, continuation) = AsyncStream<(ids: [String], at: ContinuousClock.Instant)>.makeStream()
        let token = notes.addChangeListener { continuation.yield(($0.documentIDs, .now)) }
        var heard = news.makeAsyncIterator()
        var delays: [Duration] = []
        for round in 0..<Self.rounds {
            let output = try Program.fieldbook.run(["db", "put", folder.path, "a.notes", "d\(round)"], input: "{}")
            let end = ContinuousClock.now
            try #require(output.status == 0, "\(output.err)")
            let change = try #require(await heard.next())
            #expect(change.ids == ["d\(round)"])
            delays.append(change.at - end)
        }
        token.remove()
        try database.close()
        #expect(delays.sorted()[Self.rounds / 2] < Self.soon, "\(delays)")
    }
}
