import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// Collections whose changes are pulled one after the other.
@Suite struct PullTurnTests {
    /// The second collection is of a later turn than the first and the third.
    private func opened(isContinuous: Bool = false) throws -> ScriptedGateway {
        var configuration = try ActiveConfiguration.test(["field.forms", "field.sites", "field.assignments"])
        configuration.isContinuous = isContinuous
        configuration.collections[1].turn = 1
        var gateway = ScriptedGateway(configuration, ModelClient(collections: 3))
        try gateway.answer(.getCollections, [:], "[{},{},{}]")
        return gateway
    }

    /// Collections of requests that were not answered yet.
    private func asked(_ gateway: ScriptedGateway) -> [String?] {
        gateway.sent(.subChanges).map { $0.properties["collection"] }
    }

    private func catchUp(_ gateway: inout ScriptedGateway, _ collection: String) {
        gateway.request(.changes, ["collection": collection], "null", isNoReply: true)
    }

    @Test(arguments: [true, false]) func aLaterTurnWaitsForTheEarlier(isContinuous: Bool) throws {
        var gateway = try opened(isContinuous: isContinuous)
        #expect(asked(gateway) == ["0", "2"])
        for _ in 1...2 { try gateway.answer(.subChanges) }
        catchUp(&gateway, "0")
        #expect(asked(gateway) == [], "one of the first turn is still coming")
        #expect(gateway.peer.statuses.last?.isBusy == true)
        catchUp(&gateway, "2")
        #expect(asked(gateway) == ["1"])
        try gateway.answer(.subChanges)
        #expect(gateway.peer.closing == nil)
        catchUp(&gateway, "1")
        #expect((gateway.peer.closing == nil) == isContinuous)
        #expect(gateway.peer.closing?.failure == nil)
    }

    /// Nothing of the first turn is there to wait for.
    @Test func collectionsThatTheGatewayLacksKeepNoTurn() throws {
        var configuration = try ActiveConfiguration.test(["field.forms", "field.sites"])
        configuration.collections[0].isOptional = true
        configuration.collections[1].turn = 1
        var gateway = ScriptedGateway(configuration, ModelClient(collections: 2))
        try gateway.answer(.getCollections, [:], "[null,{}]")
        #expect(asked(gateway) == ["1"])
    }

    @Test func aSessionThatStopsAsksForNothingMore() throws {
        var gateway = try opened()
        for _ in 1...2 { try gateway.answer(.subChanges) }
        gateway.peer.stop()
        catchUp(&gateway, "0")
        catchUp(&gateway, "2")
        #expect(asked(gateway) == [])
    }
}
