import BLIPProtocol
import DocumentValues
import SyncProtocol
import Testing

/// Tombstones that a client meets with what it pushes.
@Suite struct PassiveDeletionTests {
    private func client(isContinuous: Bool, since: String? = nil) throws -> PassiveTestClient {
        var client = PassiveTestClient()
        var properties: BLIPProperties = ["Profile": "subChanges"]
        if isContinuous { properties["continuous"] = "true" }
        if let since { properties["since"] = since }
        client.request(properties)
        try client.complete(.done)
        return client
    }

    private func push(_ client: inout PassiveTestClient, _ id: String, refused: BLIPErrorReply? = nil) throws -> UInt32
    {
        let number = client.request(
            ["Profile": "rev", "id": id, "rev": "1-a", "noconflicts": "1"], "{}")
        let job = try #require(client.actions.compactMap(Self.store).first)
        let row = ChangeRow(sequence: "4", documentID: id, revision: "2-t", flags: .deleted)
        client.complete(job, .stored([.deleted(row, refused)]))
        return number
    }

    private static func store(_ action: PassiveAction) -> JobID? {
        if case .storeRevisions(let id, _, _) = action { id } else { nil }
    }

    private func announced(_ client: PassiveTestClient) throws -> [ChangeRow] {
        try client.requests.flatMap { try Changes($0.request.received()).rows }
    }

    @Test(arguments: [true, false]) func theyAreAnnouncedOnceBeforeTheAnswer(isContinuous: Bool) throws {
        var client = try client(isContinuous: isContinuous)
        let feed = try client.job()
        let row = ChangeRow(sequence: "9", documentID: "x", revision: "1-x", flags: [])
        client.complete(feed, .rows([row], isCaughtUp: true))
        let first = try #require(client.requests.first).tag
        let number = try push(&client, "a")
        #expect(try announced(client).map(\.sequence) == [#""9:4""#])
        guard case .request? = client.sent.first else { throw PassiveTestClient.Unexpected(what: "\(client.sent)") }
        #expect(client.isAnswered(number))
        _ = try push(&client, "a")
        #expect(try announced(client).isEmpty)
        let refusal = BLIPErrorReply.http(409, "Document revision conflict")
        let refused = try push(&client, "b", refused: refusal)
        #expect(try announced(client).isEmpty && client.failure(of: refused) == refusal, "two batches are open")
        client.answer(first, "[]")
        #expect(try announced(client).map(\.documentID) == ["b"])
    }

    /// Else a client that stops after it would take the rows before it for told.
    @Test func theyWaitForTheFeed() throws {
        var client = try client(isContinuous: true, since: "7")
        let feed = try client.job()
        let number = try push(&client, "a")
        #expect(client.isAnswered(number) && client.requests.isEmpty)
        client.complete(feed, .rows([], isCaughtUp: true))
        #expect(try announced(client).map(\.sequence) == [#""7:4""#])
    }

    @Test func whoPullsNothingIsToldNothing() throws {
        var client = PassiveTestClient()
        let number = try push(&client, "a")
        #expect(client.isAnswered(number) && client.requests.isEmpty)
    }
}
