import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// The numbers of documents that a session reports.
@Suite struct DocumentCountTests {
    private func client(_ count: Int) -> ModelClient {
        var client = ModelClient(collections: 1)
        for number in 0..<count { client.edit("d\(number)", in: 0) }
        return client
    }

    /// All statuses with documents that show all of them as done.
    private func full(_ gateway: ScriptedGateway) -> [ActiveStatus] {
        gateway.peer.statuses.filter { $0.total > 0 && $0.completed == $0.total }
    }

    private func isAscending(_ gateway: ScriptedGateway) -> Bool {
        let statuses = gateway.peer.statuses
        return zip(statuses, statuses.dropFirst()).allSatisfy { $0.completed <= $1.completed && $0.total <= $1.total }
    }

    /// Without a pull, a conflict is given up as soon as both revisions are compared.
    @Test func conflictsOfAPushCountOnce() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, client(15))
        try gateway.answer(.proposeChanges, [:], "[409,409,409,409,409]")
        #expect(gateway.sent(.rev).count == 10)
        #expect(gateway.peer.statuses.last == ActiveStatus(isBusy: true, completed: 5, total: 15))
        for _ in 0..<10 { try gateway.answer(.rev) }
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000)
        #expect(!full(gateway).isEmpty && full(gateway).allSatisfy { $0.total == 15 })
        #expect(gateway.peer.statuses.allSatisfy { $0.completed <= $0.total })
        #expect(isAscending(gateway))
    }

    /// A refused document stays open until its second attempt has ended.
    @Test func aSecondAttemptIsTheSameDocument() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, client(2))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        try gateway.answer(.rev)
        #expect(gateway.peer.statuses.last == ActiveStatus(isBusy: true, completed: 1, total: 2))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        try gateway.takeCheckpoints()
        #expect(full(gateway).allSatisfy { $0.total == 2 } && isAscending(gateway))
    }

    @Test func documentsThatTheGatewayHasAreNotCounted() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, client(3))
        try gateway.answer(.proposeChanges, [:], "[304,413,304]")
        try gateway.takeCheckpoints()
        #expect(!full(gateway).isEmpty && full(gateway).allSatisfy { $0.total == 1 })
    }

    /// Each announced revision counts until it has ended, in whichever way.
    @Test func eachRevisionOfAPullEndsOnce() throws {
        var client = ModelClient(collections: 1)
        client.vetoed = ["vetoed"]
        var configuration = try ActiveConfiguration.test(["field.sites"], pushes: false, isContinuous: true)
        configuration.collections[0].hasPullFilter = true
        var gateway = ScriptedGateway(configuration, client)
        try gateway.answer(.getCollections, [:], "[{}]")
        try gateway.answer(.subChanges)
        _ = gateway.announce(
            #"[[1,"stored","1-aa"],[2,"vetoed","1-aa"],[3,"given up","1-aa"],[4,"broken","1-aa"],[5,"lost","1-aa"]]"#)
        gateway.sendRev("stored", "1-aa", sequence: "1")
        gateway.sendRev("vetoed", "1-aa", sequence: "2")
        gateway.request(
            .norev, ["collection": "0", "id": "given up", "rev": "1-aa", "sequence": "3", "error": "500"],
            isNoReply: true)
        gateway.sendRev("broken", "1-aa", sequence: "4", "no JSON")
        #expect(gateway.peer.statuses.last == ActiveStatus(isBusy: true, completed: 4, total: 5))
        gateway.sendRev("lost", "1-aa", sequence: "5", #"{"_removed":true}"#)
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.statuses.last == ActiveStatus(isBusy: false, completed: 5, total: 5))
        #expect(isAscending(gateway))
    }

    /// The gateway sends what was not requested: it is stored like any revision, or purged, and is no part of the progress.
    @Test func aRevisionThatWasNotRequestedDoesNotCount() throws {
        var gateway = try ScriptedGateway.opened(pushes: false, isContinuous: true)
        _ = gateway.announce(#"[[1,"requested","1-aa"]]"#)
        gateway.sendRev("unrequested", "1-aa", sequence: "2")
        gateway.sendRev("lost", "1-aa", sequence: "3", #"{"_removed":true}"#)
        #expect(gateway.peer.statuses.last == ActiveStatus(isBusy: true, completed: 0, total: 1))
        gateway.sendRev("requested", "1-aa", sequence: "1")
        gateway.announceCaughtUp()
        try gateway.settle(until: gateway.peer.now + 2 * ActiveLimits.checkpointInterval)
        #expect(gateway.peer.statuses.last == ActiveStatus(isBusy: false, completed: 1, total: 1))
        #expect(gateway.peer.statuses.allSatisfy { $0.completed <= 1 && $0.total <= 1 })
        #expect(gateway.peer.store.collections[0].documents.keys.sorted() == ["requested", "unrequested"])
    }

    /// The whole revision is requested if a difference does not fit: from then on it counts, once.
    @Test(arguments: [true, false]) func aRevisionThatIsRequestedAsAWholeCountsOnce(isRequested: Bool) throws {
        var gateway = try ScriptedGateway.opened(pushes: false, isContinuous: true)
        if isRequested { _ = gateway.announce(#"[[1,"a","2-bb"]]"#) }
        gateway.request(
            .rev, ["collection": "0", "id": "a", "rev": "2-bb", "sequence": "1", "deltaSrc": "1-aa"], #"{"n":2}"#)
        #expect(gateway.peer.statuses.last == ActiveStatus(isBusy: true, completed: 0, total: 1))
        gateway.sendRev("a", "2-bb", sequence: "1", #"{"n":2}"#)
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.statuses.last == ActiveStatus(isBusy: false, completed: 1, total: 1))
    }

    @Test func aSequenceThatIsAnnouncedTwiceCountsOnce() throws {
        var gateway = try ScriptedGateway.opened(pushes: false, isContinuous: true)
        for _ in 0..<2 { _ = gateway.announce(#"[[1,"a","1-aa"]]"#) }
        #expect(gateway.peer.statuses.last?.total == 1)
        gateway.sendRev("a", "1-aa", sequence: "1")
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.statuses.last == ActiveStatus(isBusy: false, completed: 1, total: 1))
    }
}
