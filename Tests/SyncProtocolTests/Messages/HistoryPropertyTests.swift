import BLIPProtocol
import DocumentValues
import Testing

@testable import SyncProtocol

/// A document with long revision ids must not end the sync of those who see it.
@Suite struct HistoryPropertyTests {
    private func revision(_ generation: UInt32, _ length: Int) -> RevisionID {
        RevisionID(generation: generation, digest: String(repeating: "a", count: length))
    }

    @Test(arguments: [
        (count: 50, length: 40, own: 40, ancestors: 50), (50, 2_500, 2_500, 26), (3, 90_000, 40, 0),
        (50, 1_000, 32_000, 50), (50, 2_000, 32_000, 32), (1, 60_000, 40, 1),
    ])
    func whatDoesNotFitIsLeftOut(count: Int, length: Int, own: Int, ancestors: Int) throws {
        let history = RevisionHistory((1...count).reversed().map { revision(UInt32($0), length) })
        let text = history.property(
            through: nil, limit: 50, beside: revision(99, own).description, nil)
        #expect(try #require(RevisionHistory(parsing: text)).ancestors == Array(history.ancestors.prefix(ancestors)))
        #expect(text.utf8.count + own < BLIPLimits().propertyBytes)
    }

    @Test func rowsThatNoMessageCouldNameAreNotAnnounced() throws {
        var client = PassiveTestClient()
        client.request(["Profile": "subChanges"])
        try client.complete(.done)
        let rows = [("good", 40), ("poison", 40_000), ("fine", 30_000)].map { id, length in
            ChangeRow(sequence: "1", documentID: id, revision: revision(2, length).description)
        }
        try client.complete(.rows(rows, isCaughtUp: false))
        let message = try #require(client.requests.first).request
        let entries = try JSONValue(parsing: message.body.inMemory).arrayValue ?? []
        #expect(entries.map { $0[1]?.stringValue } == ["good", "fine"])
        client.answer(try #require(client.requests.first?.tag), "[[],[]]")
        let parents = RevisionHistory([revision(1, 90_000)])
        try client.complete(
            .revisions(
                [40, 30_000].map {
                    .found(
                        revision: revision(2, $0), history: parents, isDeleted: false, body: Array("{}".utf8),
                        attachments: [])
                }))
        #expect(client.requests.map { $0.request.properties["history"] } == [nil, nil])
        #expect(client.requests.map { $0.request.properties["id"] } == ["good", "fine"])
    }
}
