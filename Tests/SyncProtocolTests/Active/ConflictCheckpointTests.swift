import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

/// When a change counts as done whose document is in conflict at the gateway.
@Suite struct ConflictCheckpointTests {
    private func edited(_ id: String) -> ModelClient {
        var client = ModelClient(collections: 1)
        client.edit(id, in: 0, body: #"{"id":"\#(id)"}"#)
        return client
    }

    /// The process may end while the pull has its chance; the next session then has to propose the document again.
    @Test(arguments: [true, false]) func aConflictIsDoneWhenTheOutboxHasIt(isContinuous: Bool) throws {
        var gateway = try ScriptedGateway.opened(isContinuous: isContinuous, edited("a"))
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        try gateway.settle(until: gateway.peer.now + 2 * ActiveLimits.checkpointInterval)
        #expect(!gateway.isDoneLocally(1))
        gateway.announceCaughtUp()
        try gateway.settle(until: gateway.peer.now + ActiveLimits.conflictReportDelay)
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
        #expect(gateway.isDoneLocally(1))
        #expect((gateway.peer.closing == nil) == isContinuous)
    }

    @Test func aConflictIsDoneWhenItIsResolved() throws {
        var client = edited("a")
        client.share("a", in: 0)
        client.edit("a", in: 0, body: "{}")
        var gateway = try ScriptedGateway.opened(isContinuous: true, client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"3-ff"}]"#)
        try gateway.settle(until: gateway.peer.now + 2 * ActiveLimits.checkpointInterval)
        #expect(!gateway.isDoneLocally(2))
        _ = gateway.announce(#"[[7,"a","3-ff"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "3-ff", sequence: "7")
        try gateway.settle(until: gateway.peer.now + 2 * ActiveLimits.checkpointInterval)
        #expect(gateway.isDoneLocally(2))
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
    }

    /// Each that waits may be a gap in the checkpoint, so that there are never very many.
    @Test(arguments: [true, false]) func whereManyConflictsWaitNoMoreIsRead(isContinuous: Bool) throws {
        let count = ActiveLimits.documentsInPush + 3 * SyncLimits.rowsPerBatch
        var client = ModelClient(collections: 1)
        for number in 0..<count { client.edit("d\(number)", in: 0) }
        var gateway = try ScriptedGateway.opened(isContinuous: isContinuous, client)
        let waiting = try gateway.refuseProposals()
        #expect(waiting < ActiveLimits.documentsInPush + SyncLimits.rowsPerBatch)
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
        gateway.announceCaughtUp()
        for _ in 0..<2 {
            try gateway.settle(until: gateway.peer.now + ActiveLimits.conflictReportDelay)
            try gateway.refuseProposals()
        }
        try gateway.settle(until: gateway.peer.now + ActiveLimits.conflictReportDelay)
        #expect(gateway.peer.store.collections[0].rejected.count == count)
        #expect(gateway.isDoneLocally(UInt64(count)))
    }
}

extension ScriptedGateway {
    /// Whether the next session would not propose what has this sequence here.
    fileprivate func isDoneLocally(_ sequence: UInt64) -> Bool {
        let checkpoint = peer.store.collections[0].checkpoint.flatMap { Checkpoint(parsing: $0) }
        return checkpoint?.completed.contains(sequence) == true
    }

    /// Has another revision of all that is proposed.
    ///
    /// - Returns: how many documents were.
    @discardableResult
    fileprivate mutating func refuseProposals() throws -> Int {
        var count = 0
        while let proposal = sent(.proposeChanges).first(where: { !$0.isNoReply }) {
            let rows = try ProposeChanges(proposal).rows.map { _ in #"{"status":409,"rev":"1-bb"}"# }
            count += rows.count
            try answer(.proposeChanges, [:], "[\(rows.joined(separator: ","))]")
        }
        return count
    }
}
