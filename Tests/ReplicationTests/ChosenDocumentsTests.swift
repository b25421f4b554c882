import DocumentStore
import Foundation
import Testing

@testable import Replication

/// `documentIDs` and `channels` of a collection: the documents that they choose, and those that they leave out.
@Suite struct ChosenDocumentsTests {
    @Test(.timeLimit(.minutes(1))) func anEmptyListChoosesEverything() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put("theirs", #"{"c":"north"}"#)
        try laptop.put("ours", #"{"c":"north"}"#)
        let configuration = try laptop.configuration(gateway) { part in
            part.documentIDs = []
            part.channels = []
        }
        let log = ReplicatorLog(configuration)
        #expect(try log.replicator.pendingDocumentIds(collection: laptop.collection) == ["ours"])
        #expect(try await log.runToEnd() == nil)
        log.close()
        #expect(gateway.body("ours") != nil)
        #expect(try laptop.json("theirs") != nil)
        gateway.setChannels([])
        #expect(try await sync(configuration) == nil)
        #expect(laptop.collection.count == 0, "lost documents are purged as without the list")
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func choosingInOneCollectionKeepsNothingInAnother() async throws {
        let gateway = try await LoopbackGateway.start(collections: ["field.sites", "field.others"])
        let laptop = try Laptop()
        let others = try laptop.database.createCollection(name: "others", scope: "field")
        for index in 0...1 { gateway.put("d", #"{"c":"north"}"#, in: index) }
        var configuration = try laptop.configuration(gateway, .pull) { $0.documentIDs = ["d"] }
        configuration.collections.append(CollectionConfiguration(collection: others))
        #expect(try await sync(configuration) == nil)
        #expect(laptop.collection.count == 1 && others.count == 1)
        gateway.setChannels([])
        #expect(try await sync(configuration) == nil)
        #expect(laptop.collection.count == 1, "a chosen document is never purged")
        #expect(others.count == 0, "the other collection has no such list")
        try await gateway.stop()
    }

    @discardableResult private func sync(_ configuration: ReplicatorConfiguration) async throws -> (any Error)? {
        let log = ReplicatorLog(configuration)
        defer { log.close() }
        return try await log.runToEnd()
    }
}
