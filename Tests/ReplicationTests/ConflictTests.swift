import Dispatch
import DocumentStore
import Foundation
import SyncModels
import Synchronization
import Testing

@testable import Replication

/// Documents that were changed on both sides.
@Suite struct ConflictTests {
    struct Resolver: ConflictResolverProtocol {
        let body: @Sendable (Conflict) throws -> Document?

        func resolve(conflict: Conflict) throws -> Document? { try body(conflict) }
    }

    /// What happened to a document that both sides had.
    enum Change: String, CaseIterable, Sendable {
        case edit, deletion
    }

    private func edit(_ laptop: Laptop, _ id: String, _ key: String) throws {
        let document = try #require(try laptop.collection.document(id: id)?.toMutable())
        document.setInt(1, forKey: key)
        try laptop.collection.save(document: document)
    }

    /// Documents in conflict, and the configuration that will find it out.
    private func inConflict(
        _ ids: [String] = ["x"], here: Change = .edit, there: Change = .edit,
        resolvedBy resolver: (any ConflictResolverProtocol)? = nil
    ) async throws -> (LoopbackGateway, Laptop, ReplicatorConfiguration) {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for id in ids { gateway.put(id, #"{"c":"north","n":0}"#) }
        let configuration = try laptop.configuration(gateway) { $0.conflictResolver = resolver }
        try await Replicator(config: configuration).run()
        for id in ids {
            switch here {
            case .edit: try edit(laptop, id, "ours")
            case .deletion: try laptop.collection.delete(document: #require(try laptop.collection.document(id: id)))
            }
            switch there {
            case .edit: gateway.put(id, #"{"c":"north","theirs":1}"#)
            case .deletion: gateway.put(id, "{}", isDeleted: true)
            }
        }
        return (gateway, laptop, configuration)
    }

    /// One run finishes what it resolves: nothing is left to be pushed, and no refusal is reported.
    private func sync(_ configuration: ReplicatorConfiguration) async throws {
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        log.close()
        #expect(error == nil)
        #expect(log.documents.allSatisfy { $0.document.error == nil }, "\(log.documents)")
        for part in configuration.collections {
            #expect(try log.replicator.pendingDocumentIds(collection: part.collection).isEmpty)
        }
    }

    // MARK: - Who wins

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [(Change.edit, Change.deletion), (.deletion, .edit), (.deletion, .deletion)])
    func byDefaultADeletionWins(here: Change, there: Change) async throws {
        let (gateway, laptop, configuration) = try await inConflict(here: here, there: there)
        try await sync(configuration)
        #expect(try laptop.json("x") == nil)
        #expect(gateway.revision("x")?.isDeleted == true)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func byDefaultTheLongerHistoryWins() async throws {
        for editsHere in [1, 3] {
            let (gateway, laptop, configuration) = try await inConflict()
            for _ in 1..<editsHere { try edit(laptop, "x", "more") }
            gateway.put("x", #"{"c":"north","theirs":2}"#)
            try await sync(configuration)
            #expect(try laptop.json("x") == gateway.body("x"))
            #expect(gateway.body("x")?.contains("ours") == (editsHere == 3))
            try await gateway.stop()
        }
    }

    /// What a resolver is shown, and what may come of it.
    @Test(.timeLimit(.minutes(1)), arguments: Change.allCases, Change.allCases)
    func aResolverSeesWhatIsThere(here: Change, there: Change) async throws {
        let shown = Mutex<[String?]>([])
        let resolver = Resolver { conflict in
            shown.withLock { $0 = [conflict.localDocument?.toJSON(), conflict.remoteDocument?.toJSON()] }
            return try MutableDocument(id: conflict.documentID, json: #"{"c":"north","merged":1}"#)
        }
        let (gateway, laptop, configuration) = try await inConflict(here: here, there: there, resolvedBy: resolver)
        try await sync(configuration)
        let seen = shown.withLock { $0 }
        // Two deletions are no conflict that needs a resolver, but a resolver does no harm either.
        if here == .deletion, there == .deletion, seen.isEmpty { return try await gateway.stop() }
        #expect(seen.map { $0 == nil } == [here == .deletion, there == .deletion])
        #expect(try laptop.json("x") == #"{"c":"north","merged":1}"#)
        #expect(gateway.body("x") == #"{"c":"north","merged":1}"#)
        try await gateway.stop()
    }

    // MARK: - Purged here

    /// The gateway's was pulled before and is gone here since: no feed announces it twice. Nothing else that was purged here
    /// comes back with it.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func whatIsMadeAgainMeetsWhatTheGatewayHas(isContinuous: Bool) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for id in ["today", "yesterday"] {
            for number in 1...2 { gateway.put(id, #"{"c":"north","n":\#(number)}"#) }
        }
        try await Replicator(config: laptop.configuration(gateway)).run()
        for id in ["today", "yesterday"] { try laptop.collection.purge(id: id) }
        try laptop.put("today", #"{"c":"north","n":3}"#)
        try await meet("today", laptop, gateway, isContinuous: isContinuous)
        #expect(try laptop.json("yesterday") == nil)
        try await gateway.stop()
    }

    /// The gateway's was announced to a run whose filter did not let it through: no feed announces it twice.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func whatAFilterHasKeptOutIsMetWithoutOne(isContinuous: Bool) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("x", #"{"c":"north","n":0}"#)
        try await Replicator(config: laptop.configuration(gateway)).run()
        for number in 1...2 { gateway.put("x", #"{"c":"north","n":\#(number)}"#) }
        try await Replicator(config: laptop.configuration(gateway) { $0.pullFilter = { _, _ in false } }).run()
        #expect(try laptop.json("x") == #"{"c":"north","n":0}"#)
        try edit(laptop, "x", "ours")
        try await meet("x", laptop, gateway, isContinuous: isContinuous)
        try await gateway.stop()
    }

    /// The document's versions of both sides are put together, and nothing is left refused.
    private func meet(
        _ id: String, _ laptop: Laptop, _ gateway: LoopbackGateway, isContinuous: Bool
    ) async throws {
        var configuration = try laptop.configuration(gateway)
        configuration.continuous = isContinuous
        configuration.maxAttempts = .max
        configuration.maxAttemptWaitTime = 0.1
        let log = ReplicatorLog(configuration)
        if isContinuous {
            log.replicator.start()
            try await log.wait { try laptop.json(id) == gateway.body(id) }
            try await log.stop()
        } else {
            let error = try await log.runToEnd()
            log.close()
            #expect(error == nil && log.documents.allSatisfy { $0.document.error == nil })
        }
        #expect(try laptop.json(id) == gateway.body(id))
        #expect(try laptop.database.rejectedPushes().isEmpty)
    }

    // MARK: - Time

    @Test(.timeLimit(.minutes(1))) func aSaveWhileAResolverThinksIsNotLost() async throws {
        let asked = Mutex(0)
        let go = DispatchSemaphore(value: 0)
        let (questions, question) = AsyncStream<Void>.makeStream()
        let resolver = Resolver { conflict in
            let isFirst = asked.withLock { count in
                count += 1
                return count == 1
            }
            question.yield()
            if isFirst { go.wait() }
            let merged = conflict.remoteDocument?.toMutable()
            merged?.setInt(conflict.localDocument?.int(forKey: "late") ?? 0, forKey: "late")
            return merged
        }
        let (gateway, laptop, configuration) = try await inConflict(resolvedBy: resolver)
        let log = ReplicatorLog(configuration)
        log.replicator.start()
        for await _ in questions { break }
        try edit(laptop, "x", "late")
        go.signal()
        try await log.stopped()
        log.close()
        #expect(asked.withLock { $0 } == 2, "it is asked again")
        #expect(gateway.body("x") == #"{"c":"north","theirs":1,"late":1}"#)
        #expect(try laptop.json("x") == gateway.body("x"))
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aSlowResolverHoldsUpNobody() async throws {
        let go = DispatchSemaphore(value: 0)
        let resolver = Resolver { conflict in
            go.wait()
            return conflict.remoteDocument
        }
        var (gateway, laptop, configuration) = try await inConflict(resolvedBy: resolver)
        configuration.continuous = true
        let log = ReplicatorLog(configuration)
        log.replicator.start()
        try await log.wait { log.activities.contains(.busy) }
        gateway.put("other", #"{"c":"north"}"#)
        try laptop.put("mine", #"{"c":"north"}"#)
        try await log.wait { [laptop, gateway] in
            try laptop.json("other") != nil && gateway.body("mine") != nil
                && log.documents.contains { $0.document.id == "mine" }
        }
        let error = #expect(throws: StoreError.self) { try laptop.database.close() }
        #expect(
            error?.message
                == "Cannot close the database. Please stop all of the replicators before closing the database.")
        go.signal()
        try await log.wait { [laptop] in
            try laptop.json("x")?.contains("theirs") == true && log.activities.last == .idle
        }
        try await log.stop()
        try laptop.database.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func oneThatThrowsHoldsUpNobody() async throws {
        struct Refusal: Error {}
        let resolver = Resolver { conflict in
            guard conflict.documentID != "b" else { throw Refusal() }
            return conflict.remoteDocument
        }
        let (gateway, laptop, configuration) = try await inConflict(["a", "b", "c"], resolvedBy: resolver)
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        log.close()
        #expect(error == nil)
        #expect(try ["a", "b", "c"].map { try laptop.json($0)?.contains("theirs") } == [true, false, true])
        let failed = log.documents.filter { !$0.isPush && $0.document.error != nil }.map(\.document.id)
        #expect(failed == ["b"])
        try await gateway.stop()
    }

    // MARK: - What may be returned

    /// A gateway would refuse it, and no user could save the document any more.
    @Test(.timeLimit(.minutes(1))) func whatCannotBeSavedIsNoResolution() async throws {
        let resolver = Resolver { conflict in
            let merged = conflict.remoteDocument?.toMutable()
            merged?.setString("1-a", forKey: "_rev")
            return merged
        }
        let (gateway, laptop, configuration) = try await inConflict(resolvedBy: resolver)
        let log = ReplicatorLog(configuration)
        try await log.runToEnd()
        log.close()
        let messages = log.documents.compactMap { ($0.document.error as? ReplicationError)?.message }
        #expect(messages.contains { $0.contains("'_rev' is reserved") }, "\(messages)")
        #expect(try laptop.json("x")?.contains("ours") == true, "the conflict stays")
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aDocumentOfAnotherIDIsStoredWithAWarning() async throws {
        let id = "other-\(UUID().uuidString)"
        let warnings = Mutex<[String]>([])
        let token = LogSinks.observe { level, _, text in
            if level == .warning, text.contains(id) { warnings.withLock { $0.append(text) } }
        }
        defer { token.remove() }
        let resolver = Resolver { _ in try MutableDocument(id: id, json: #"{"c":"north","merged":1}"#) }
        let (gateway, laptop, configuration) = try await inConflict(resolvedBy: resolver)
        try await sync(configuration)
        #expect(warnings.withLock { $0.count } == 1)
        #expect(try laptop.json("x") == #"{"c":"north","merged":1}"#)
        #expect(try laptop.json(id) == nil)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["database", "collection"])
    func documentsFromElsewhereAreRefused(origin: String) async throws {
        let other = try Laptop()
        try other.put("x", "{}")
        let foreign = Mutex<Document?>(nil)
        let (gateway, laptop, configuration) = try await inConflict(
            resolvedBy: Resolver { _ in foreign.withLock { $0 } })
        if origin == "database" {
            foreign.withLock { [document = try? other.collection.document(id: "x")] in $0 = document }
        } else {
            let collection = try laptop.database.createCollection(name: "others", scope: "field")
            try collection.save(document: MutableDocument(id: "x", json: "{}"))
            foreign.withLock { [document = try? collection.document(id: "x")] in $0 = document }
        }
        let log = ReplicatorLog(configuration)
        try await log.runToEnd()
        log.close()
        let messages = log.documents.compactMap { ($0.document.error as? ReplicationError)?.message }
        #expect(messages.contains { $0.contains("is different from expected \(origin)") }, "\(messages)")
        #expect(try laptop.json("x")?.contains("ours") == true, "the conflict stays")
        try await gateway.stop()
    }
}
