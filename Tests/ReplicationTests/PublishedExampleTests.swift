import DocumentStore
import Foundation
import Synchronization
import Testing

@testable import Replication

/// Classes as published examples write them: neither final nor `Sendable`. That this compiles in the language mode of
/// Swift 6 is the larger part of the test.
private class LocalWinConflictResolver: ConflictResolverProtocol {
    var count = 0

    func resolve(conflict: Conflict) -> Document? {
        count += 1
        return conflict.localDocument
    }
}

private class CountingSink: LogSinkProtocol {
    var count = 0

    func writeLog(level: LogLevel, domain: LogDomain, message: String) { count += 1 }
}

private final class HeardChanges: Sendable {
    let count = Atomic(0)
}

private class ExampleApp {
    let laptop: Laptop
    let resolver = LocalWinConflictResolver()
    var replicator: Replicator?
    var pushed = 0
    var changes = 0

    init() throws { laptop = try Laptop() }

    func configuration(_ gateway: LoopbackGateway) throws -> ReplicatorConfiguration {
        try laptop.configuration(gateway) {
            $0.conflictResolver = resolver
            $0.pushFilter = { document, flags in
                self.pushed += 1
                return !flags.contains(.deleted) && document.string(forKey: "c") == "north"
            }
        }
    }

    /// Runs to the end as examples do that have no `await`: a listener on a queue of theirs, and a semaphore.
    func replicate(_ gateway: LoopbackGateway) throws {
        let (done, queue) = (DispatchSemaphore(value: 0), DispatchQueue(label: "example"))
        let replicator = Replicator(config: try configuration(gateway))
        self.replicator = replicator
        let heard = HeardChanges()
        defer { changes += heard.count.load(ordering: .relaxed) }
        let token = replicator.addChangeListener(withQueue: queue) { change in
            _ = heard.count.wrappingAdd(1, ordering: .relaxed)
            if change.replicator.status.activity == .stopped, change.status.activity == .stopped { done.signal() }
        }
        let documents = replicator.addDocumentReplicationListener { [laptop] _ in _ = laptop }
        let saved = laptop.collection.addChangeListener { [laptop] _ in _ = laptop }
        replicator.start()
        #expect(done.wait(timeout: .now() + 30) == .success)
        for token in [token, documents, saved] { token.remove() }
    }
}

@Suite struct PublishedExampleTests {
    @Test(.timeLimit(.minutes(1))) func resolversAndFiltersNeedNotBeSendable() async throws {
        let gateway = try await LoopbackGateway.start()
        let app = try ExampleApp()
        gateway.put("x", #"{"c":"north","n":0}"#)
        try app.replicate(gateway)
        gateway.put("x", #"{"c":"north","n":1}"#)
        try app.laptop.put("south", #"{"c":"south"}"#)
        let document = try #require(try app.laptop.collection.document(id: "x")?.toMutable())
        document.setInt(2, forKey: "n")
        try app.laptop.collection.save(document: document)
        try app.replicate(gateway)
        #expect(app.resolver.count > 0 && app.pushed > 0 && app.changes > 2)
        #expect(try app.laptop.json("x") == #"{"c":"north","n":2}"#)
        #expect(gateway.body("south") == nil)
        try await gateway.stop()
    }

    @Test func sinksNeedNotBeSendable() {
        let sink = CountingSink()
        CustomLogSink(level: .info, logSink: sink).logSink.writeLog(level: .info, domain: .database, message: "")
        #expect(sink.count == 1)
    }
}
