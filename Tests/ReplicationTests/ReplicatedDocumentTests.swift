import DocumentStore
import DocumentValues
import Foundation
import SyncModels
import Synchronization
import Testing

@testable import Replication

/// Filters, conflicts, lost access, blobs: what becomes of documents.
@Suite struct ReplicatedDocumentTests {
    // MARK: - Filters

    @Test(.timeLimit(.minutes(1))) func aPushFilterKeepsDocumentsHere() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for number in 0..<5 { try laptop.put("d\(number)", #"{"c":"north","n":\#(number)}"#) }
        let configuration = try laptop.configuration(gateway, .push) { part in
            part.pushFilter = { document, _ in document.int(forKey: "n") % 2 == 0 }
        }
        let log = ReplicatorLog(configuration)
        #expect(try log.replicator.pendingDocumentIds(collection: laptop.collection) == ["d0", "d2", "d4"])
        #expect(try !log.replicator.isDocumentPending("d1", collection: laptop.collection))
        try await log.runToEnd()
        #expect((0..<5).map { gateway.body("d\($0)") != nil } == [true, false, true, false, true])
        #expect(try log.replicator.pendingDocumentIds(collection: laptop.collection).isEmpty)
        log.close()
        try await gateway.stop()
    }

    /// A new version of an application may have a filter that lets more through.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func whatAnEarlierPushFilterKeptBackIsSentLater(hasFilter: Bool) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for number in 0..<6 { try laptop.put("d\(number)", #"{"c":"north","n":\#(number)}"#) }
        try await Replicator(
            config: laptop.configuration(gateway, .push) { part in
                part.pushFilter = { document, _ in document.int(forKey: "n") % 3 == 0 }
            }
        ).run()
        let later = ReplicatorLog(
            try laptop.configuration(gateway, .push) { part in
                if hasFilter { part.pushFilter = { document, _ in document.int(forKey: "n") < 5 } }
            })
        #expect(
            try later.replicator.pendingNames(collection: laptop.collection)
                == Set((hasFilter ? ["d1", "d2", "d4"] : ["d1", "d2", "d4", "d5"]).map { Name($0) }))
        #expect(try later.replicator.isDocumentPending("d1", collection: laptop.collection))
        #expect(try later.replicator.isDocumentPending("d5", collection: laptop.collection) != hasFilter)
        try await later.runToEnd()
        #expect((0..<6).filter { gateway.body("d\($0)") == nil } == (hasFilter ? [5] : []))
        #expect(try later.replicator.pendingDocumentIds(collection: laptop.collection).isEmpty)
        later.close()
        try await gateway.stop()
    }

    /// Refused by the gateway, it is in the outbox like anything else.
    @Test(.timeLimit(.minutes(1))) func aRefusalOfWhatWasKeptBackIsReported() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        try laptop.put("a", #"{"c":"north"}"#)
        try await Replicator(
            config: laptop.configuration(gateway, .push) { $0.pushFilter = { _, _ in false } }
        ).run()
        gateway.state.withLock { $0.model.refusals = ["a": 400] }
        let log = ReplicatorLog(try laptop.configuration(gateway, .push))
        try await log.runToEnd()
        log.close()
        #expect(log.documents.map { ($0.document.error as? ReplicationError)?.code } == [10_400])
        #expect(try laptop.database.rejectedPushes().map(\.code) == [400])
        #expect(try log.replicator.pendingDocumentIds(collection: laptop.collection).isEmpty)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aPullFilterKeepsDocumentsOut() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for number in 0..<4 { gateway.put("d\(number)", #"{"c":"north","n":\#(number)}"#) }
        let log = ReplicatorLog(
            try laptop.configuration(gateway, .pull) { part in
                part.pullFilter = { document, _ in document.int(forKey: "n") < 2 }
            })
        let error = try await log.runToEnd()
        #expect(error == nil)
        #expect(try laptop.json("d1") != nil && laptop.json("d2") == nil)
        let refused = log.documents.filter { $0.document.error != nil }.map(\.document.id).sorted()
        #expect(refused == ["d2", "d3"])
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aDeletionThatIsKeptOutIsReportedAsADeletion() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("a", #"{"c":"north"}"#)
        let configuration = try laptop.configuration(gateway, .pull) { part in
            part.pullFilter = { _, flags in !flags.contains(.deleted) }
        }
        _ = try await sync(configuration)
        gateway.put("a", #"{"c":"north"}"#, isDeleted: true)
        let log = ReplicatorLog(configuration)
        try await log.runToEnd()
        #expect(log.documents.map(\.document.flags) == [.deleted])
        #expect(log.documents.map { ($0.document.error as? ReplicationError)?.code } == [CBLError.httpForbidden])
        #expect(laptop.collection.count == 1)
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func onlyChosenDocumentsArePushed() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for id in ["a", "b", "c"] { try laptop.put(id, #"{"c":"north"}"#) }
        let log = ReplicatorLog(try laptop.configuration(gateway, .push) { $0.documentIDs = ["b"] })
        #expect(try log.replicator.pendingDocumentIds(collection: laptop.collection) == ["b"])
        try await log.runToEnd()
        #expect(["a", "b", "c"].map { gateway.body($0) != nil } == [false, true, false])
        log.close()
        try await gateway.stop()
    }

    // MARK: - Conflicts

    private struct Resolver: ConflictResolverProtocol {
        let body: @Sendable (Conflict) throws -> Document?

        func resolve(conflict: Conflict) throws -> Document? { try body(conflict) }
    }

    private func inConflict(
        _ resolver: (any ConflictResolverProtocol)?
    ) async throws -> (LoopbackGateway, Laptop, ReplicatorConfiguration) {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("x", #"{"c":"north","n":0}"#)
        let configuration = try laptop.configuration(gateway) { $0.conflictResolver = resolver }
        let log = ReplicatorLog(configuration)
        try await log.runToEnd()
        log.close()
        gateway.put("x", #"{"c":"north","theirs":1}"#)
        let document = try #require(try laptop.collection.document(id: "x")?.toMutable())
        document.setInt(1, forKey: "ours")
        try laptop.collection.save(document: document)
        return (gateway, laptop, configuration)
    }

    private func sync(_ configuration: ReplicatorConfiguration, times: Int = 1) async throws -> [ReplicationError?] {
        var errors: [ReplicationError?] = []
        for _ in 0..<times {
            let log = ReplicatorLog(configuration)
            errors.append(try await log.runToEnd())
            log.close()
        }
        return errors
    }

    @Test(.timeLimit(.minutes(1))) func aMergeIsPushedOnTopOfTheRemoteRevision() async throws {
        let resolver = Resolver { conflict in
            let merged = conflict.remoteDocument?.toMutable()
            merged?.setInt(conflict.localDocument?.int(forKey: "ours") ?? 0, forKey: "ours")
            #expect(conflict.baseDocument?.int(forKey: "n") == 0)
            return merged
        }
        let (gateway, laptop, configuration) = try await inConflict(resolver)
        let theirs = gateway.revision("x")?.id
        #expect(try await sync(configuration, times: 2).allSatisfy { $0 == nil })
        let pushed = try #require(gateway.revision("x"))
        #expect(pushed.history.ancestors.first == theirs)
        #expect(String(decoding: pushed.body, as: UTF8.self) == #"{"c":"north","theirs":1,"ours":1}"#)
        #expect(try laptop.json("x") == gateway.body("x"))
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func nilDeletes() async throws {
        let (gateway, laptop, configuration) = try await inConflict(Resolver { _ in nil })
        _ = try await sync(configuration, times: 2)
        #expect(gateway.revision("x")?.isDeleted == true)
        #expect(try laptop.json("x") == nil)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func theLocalOrTheRemoteDocumentMayBeReturned() async throws {
        for takesLocal in [true, false] {
            let resolver = Resolver { takesLocal ? $0.localDocument : $0.remoteDocument }
            let (gateway, laptop, configuration) = try await inConflict(resolver)
            _ = try await sync(configuration, times: 2)
            #expect(gateway.body("x")?.contains("ours") == takesLocal)
            #expect(try laptop.json("x") == gateway.body("x"))
            try await gateway.stop()
        }
    }

    @Test(.timeLimit(.minutes(1))) func aResolverThatThrowsIsAskedAgainNextTime() async throws {
        struct NotNow: Error {}
        let isReady = Mutex(false)
        let resolver = Resolver { conflict in
            guard isReady.withLock({ $0 }) else { throw NotNow() }
            return conflict.remoteDocument
        }
        let (gateway, laptop, configuration) = try await inConflict(resolver)
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect(error == nil)
        #expect(log.documents.contains { !$0.isPush && $0.document.error != nil })
        log.close()
        #expect(try laptop.json("x")?.contains("ours") == true, "what the worker typed is still there")
        isReady.withLock { $0 = true }
        _ = try await sync(configuration)
        #expect(try laptop.json("x")?.contains("theirs") == true)
        try await gateway.stop()
    }

    // MARK: - Lost access

    @Test(.timeLimit(.minutes(1))) func lostDocumentsArePurgedAndUnpushedEditsKept() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for id in ["a", "b"] { gateway.put(id, #"{"c":"north"}"#) }
        let configuration = try laptop.configuration(gateway, .pull)
        _ = try await sync(configuration)
        try laptop.put("a", #"{"c":"north","typed":"by hand"}"#)
        gateway.setChannels([])
        let log = ReplicatorLog(configuration)
        try await log.runToEnd()
        #expect(log.documents.map(\.document.flags) == [.accessRemoved, .accessRemoved])
        log.close()
        #expect(laptop.collection.count == 0)
        let kept = try laptop.database.quarantinedDocuments()
        #expect(kept.map(\.documentID) == ["a"])
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aPullFilterSeesToWhichRevisionAccessIsLost() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("a", #"{"c":"north"}"#)
        let lost = Mutex<[String?]>([])
        let configuration = try laptop.configuration(gateway, .pull) { part in
            part.pullFilter = { document, flags in
                if flags.contains(.accessRemoved) { lost.withLock { $0.append(document.revisionID) } }
                return true
            }
        }
        _ = try await sync(configuration)
        let revision = try #require(try laptop.collection.document(id: "a")?.revisionID)
        gateway.setChannels([])
        _ = try await sync(configuration)
        let seen = lost.withLock { $0 }
        #expect(seen == [revision])
        #expect(laptop.collection.count == 0)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func withoutAutoPurgeLostDocumentsStay() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("a", #"{"c":"north"}"#)
        var configuration = try laptop.configuration(gateway, .pull)
        configuration.enableAutoPurge = false
        _ = try await sync(configuration)
        gateway.setChannels([])
        let log = ReplicatorLog(configuration)
        try await log.runToEnd()
        #expect(log.documents.map(\.document.flags) == [.accessRemoved])
        #expect(laptop.collection.count == 1)
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aRefusedPushStaysInTheOutboxUntilAccessReturns() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        try laptop.put("s", #"{"c":"south"}"#)
        let configuration = try laptop.configuration(gateway)
        let log = ReplicatorLog(configuration)
        try await log.runToEnd()
        #expect(log.documents.map { ($0.document.error as? ReplicationError)?.code } == [CBLError.httpForbidden])
        log.close()
        #expect(try laptop.database.rejectedPushes().map(\.documentID) == ["s"])
        // Refused again, but not reported again.
        let second = ReplicatorLog(configuration)
        try await second.runToEnd()
        #expect(second.documents.isEmpty)
        // Unless everything begins again.
        second.replicator.start(reset: true)
        try await second.wait { second.activities.filter { $0 == .stopped }.count == 2 }
        #expect(second.documents.map { ($0.document.error as? ReplicationError)?.code } == [CBLError.httpForbidden])
        second.close()
        gateway.setChannels(["north", "south"])
        _ = try await sync(configuration)
        #expect(gateway.body("s") != nil)
        #expect(try laptop.database.rejectedPushes().isEmpty)
        try await gateway.stop()
    }

    // MARK: - Blobs and large numbers

    @Test(.timeLimit(.minutes(1))) func blobsTravelBothWays() async throws {
        let gateway = try await LoopbackGateway.start()
        let (first, second) = (try Laptop(), try Laptop())
        let content = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let document = MutableDocument(id: "pic", data: ["c": "north"])
        document.setBlob(Blob(contentType: "image/x", data: content), forKey: "photo")
        try first.collection.save(document: document)
        _ = try await sync(try first.configuration(gateway, .push))
        let errors = try await sync(try second.configuration(gateway, .pull))
        #expect(errors == [nil])
        #expect(try second.collection.document(id: "pic")?.blob(forKey: "photo")?.content == content)
        try await gateway.stop()
    }

    /// A reset brings what a disk lost. Without it nothing is asked for: the revision is here.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func aResetFetchesBlobsThatWereLostOrCutOff(isGone: Bool) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let content = Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let document = MutableDocument(id: "pic", data: ["c": "north"])
        document.setBlob(Blob(contentType: "image/x", data: content), forKey: "photo")
        try laptop.collection.save(document: document)
        let configuration = try laptop.configuration(gateway)
        _ = try await sync(configuration)
        let revision = try laptop.collection.document(id: "pic")?.revisionID
        let file = try #require(laptop.blobFiles.first)
        if isGone { try FileManager.default.removeItem(at: file) } else { try Data([7]).write(to: file) }
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd(reset: true)
        #expect(error == nil)
        #expect(try laptop.collection.document(id: "pic")?.blob(forKey: "photo")?.content == content)
        #expect(try laptop.collection.document(id: "pic")?.revisionID == revision)
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(2))) func thousandsOfDocumentsTravelBothWays() async throws {
        let gateway = try await LoopbackGateway.start()
        let (first, second) = (try Laptop(), try Laptop())
        try first.database.inBatch {
            for number in 0..<3_000 { try first.put("d\(number)", #"{"c":"north","n":\#(number)}"#) }
        }
        let push = try await sync(try first.configuration(gateway, .push))
        let pull = try await sync(try second.configuration(gateway, .pull))
        #expect(push == [nil] && pull == [nil])
        #expect(second.collection.count == 3_000)
        try await gateway.stop()
    }
}

extension ReplicationError: Equatable {
    public static func == (left: ReplicationError, right: ReplicationError) -> Bool {
        left.domain == right.domain && left.code == right.code && left.message == right.message
    }
}
