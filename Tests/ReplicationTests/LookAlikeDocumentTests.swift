import DocumentStore
import DocumentValues
import Foundation
import SyncModels
import Synchronization
import Testing

@testable import Replication

/// Two documents whose ids are one to Swift's `String`, with a gateway: what becomes of one is not taken for the other's.
@Suite struct LookAlikeDocumentTests {
    private static let pairs = [("caf\u{E9}", "cafe\u{301}"), ("\u{C5}", "\u{212B}")]

    /// A gateway that refuses the second document.
    private func refusing(_ id: String, _ other: String) async throws -> (LoopbackGateway, Laptop) {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        try laptop.put(id, #"{"c":"north","n":1}"#)
        try laptop.put(other, #"{"c":"north","n":2}"#)
        gateway.state.withLock { $0.model.refusals = [Name(other): 429] }
        return (gateway, laptop)
    }

    @Test(.timeLimit(.minutes(1)), arguments: pairs)
    func bothGoAndBothCome(id: String, other: String) async throws {
        let gateway = try await LoopbackGateway.start()
        let (here, there) = (try Laptop(), try Laptop())
        try here.put(id, #"{"c":"north","n":1}"#)
        try here.put(other, #"{"c":"north","n":2}"#)
        try await sync(try here.configuration(gateway))
        #expect(gateway.body(id)?.contains("1") == true && gateway.body(other)?.contains("2") == true)
        try await sync(try there.configuration(gateway))
        #expect(try there.json(id)?.contains("1") == true && there.json(other)?.contains("2") == true)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: pairs)
    func oneIsRefusedAndStaysPending(id: String, other: String) async throws {
        let (gateway, laptop) = try await refusing(id, other)
        let configuration = try laptop.configuration(gateway, .push)
        let before = Replicator(config: configuration)
        #expect(try before.pendingNames(collection: laptop.collection) == [Name(id), Name(other)])
        let log = try await sync(configuration)
        #expect(gateway.body(id) != nil && gateway.body(other) == nil)
        let refused = log.documents.filter { $0.document.error != nil }.map { Name($0.document.id) }
        #expect(refused == [Name(other)])
        #expect(try log.replicator.pendingNames(collection: laptop.collection) == [Name(other)])
        #expect(try !log.replicator.isDocumentPending(id, collection: laptop.collection))
        #expect(try log.replicator.isDocumentPending(other, collection: laptop.collection))
        gateway.state.withLock { $0.model.refusals = [Name(other): 403] }
        try await sync(configuration)
        #expect(try laptop.database.rejectedPushes().map { Name($0.documentID) } == [Name(other)])
        gateway.state.withLock { $0.model.refusals = [:] }
        try await sync(configuration)
        #expect(gateway.body(other) != nil)
        #expect(try laptop.database.rejectedPushes().isEmpty)
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: pairs)
    func onlyTheChosenOneIsPushed(id: String, other: String) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        for name in [id, other] { try laptop.put(name, #"{"c":"north"}"#) }
        let configuration = try laptop.configuration(gateway, .push) { $0.documentIDs = [other] }
        let replicator = Replicator(config: configuration)
        #expect(try !replicator.isDocumentPending(id, collection: laptop.collection))
        #expect(try replicator.isDocumentPending(other, collection: laptop.collection))
        try await sync(configuration)
        #expect(gateway.body(id) == nil && gateway.body(other) != nil)
        // A list with the other one is another replication, with a checkpoint of its own.
        try await sync(try laptop.configuration(gateway, .push) { $0.documentIDs = [id] })
        #expect(gateway.body(id) != nil)
        try await gateway.stop()
    }

    @Test(arguments: pairs) func checkpointsOfTwoListsAreTwo(id: String, other: String) throws {
        func identity(_ ids: [String], _ channels: [String]?) throws -> String {
            CheckpointIdentity(
                databaseUUID: [1], remote: "ws://gateway/db", collection: .default, pushes: true, pulls: true,
                channels: channels, documentIDs: Set(ids.map { Name($0) }), user: nil
            ).checkpointID
        }
        #expect(try identity([id], nil) != identity([other], nil))
        #expect(try identity([id, other], nil) == identity([other, id], nil))
        #expect(try identity([id, other], nil) != identity([id], nil))
        #expect(try identity([], [id, other]) == identity([], [other, id]))
        #expect(try identity([], [id, other]) != identity([], [id]))
    }

    /// The filter says that one stays: the other's purge is not taken for its own.
    @Test(.timeLimit(.minutes(1)), arguments: pairs)
    func accessToOneIsLost(id: String, other: String) async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.put(id, #"{"c":"north","n":1}"#)
        gateway.put(other, #"{"c":"north","n":2}"#)
        let configuration = try laptop.configuration(gateway)
        try await sync(configuration)
        gateway.put(other, #"{"c":"south","n":3}"#)
        let log = try await sync(configuration)
        #expect(try laptop.json(id) != nil && laptop.json(other) == nil)
        #expect(log.documents.map { Name($0.document.id) } == [Name(other)])
        // An edit that never left is quarantined under its own id.
        let edited = try #require(try laptop.collection.document(id: id)?.toMutable())
        edited.setInt(5, forKey: "n")
        try laptop.collection.save(document: edited)
        gateway.setChannels([])
        try await sync(try laptop.configuration(gateway, .pull))
        #expect(try laptop.json(id) == nil)
        #expect(try laptop.database.quarantinedDocuments().contains { Name($0.documentID) == Name(id) })
        #expect(try !laptop.database.quarantinedDocuments().contains { Name($0.documentID) == Name(other) })
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: pairs)
    func aChosenDocumentOfAnotherDatabaseIsNotTheOther(id: String, other: String) async throws {
        let (ours, theirs) = (try Laptop(), try Laptop())
        for name in [id, other] { try theirs.put(name, #"{"n":1}"#) }
        var part = CollectionConfiguration(collection: ours.collection)
        part.documentIDs = [other]
        var configuration = ReplicatorConfiguration(
            collections: [part], target: DatabaseEndpoint(database: theirs.database))
        configuration.replicatorType = .pull
        try await sync(configuration)
        #expect(try ours.json(id) == nil && ours.json(other) != nil)
    }

    /// Names of users: the password of one is never sent for the other, whatever is compared.
    @Test func twoUsersAreTwo() {
        let (first, second) = ("Jos\u{E9}", "Jose\u{301}")
        #expect(Set([first, second].map { BasicAuthenticator(username: $0, password: "x") }).count == 2)
        #expect(SessionAuthenticator(sessionID: first) != SessionAuthenticator(sessionID: second))
    }
}
