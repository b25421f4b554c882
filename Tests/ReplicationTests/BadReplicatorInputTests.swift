import DocumentStore
import Foundation
import Testing

@testable import Replication

/// Bad settings end no program: a replicator stops with an error, and its methods throw.
@Suite(.timeLimit(.minutes(2))) struct BadReplicatorInputTests {
    @Test(arguments: [
        "ws:", "ws:db", "/db", "db", "", "ws://", "ws:///db", "ws://?x", "ws://h:0/db", "ws://h:99999/db",
        "ws://h:-1/db", "http://h/db", "ws://ann@h/db", "file:///etc/passwd", "wss://%00/db",
    ])
    func addressesThatAreNone(text: String) async throws {
        // A text that is no URL cannot become one.
        guard let url = URL(string: text) else { return }
        let laptop = try Laptop()
        var configuration = ReplicatorConfiguration(
            collections: [CollectionConfiguration(collection: laptop.collection)], target: URLEndpoint(url: url))
        configuration.maxAttempts = 1
        let log = ReplicatorLog(configuration)
        #expect(try await log.runToEnd() != nil)
        #expect(log.replicator.status.activity == .stopped)
        log.close()
    }

    @Test func moreCollectionsThanOneConnectionDistinguishesStopTheReplicator() async throws {
        let laptop = try Laptop()
        let part = CollectionConfiguration(collection: laptop.collection)
        let targets: [any Endpoint] = [
            URLEndpoint(url: try #require(URL(string: "ws://127.0.0.1:1/db"))),
            DatabaseEndpoint(database: try Laptop().database),
        ]
        for target in targets {
            let configuration = ReplicatorConfiguration(
                collections: [CollectionConfiguration](repeating: part, count: 4_097), target: target)
            let log = ReplicatorLog(configuration)
            let error = try await log.runToEnd()
            #expect(error?.code == CBLError.invalidParameter && error?.message.contains("4096") == true)
            #expect(throws: ReplicationError.self) {
                try log.replicator.pendingDocumentIds(collection: part.collection)
            }
            log.close()
        }
    }

    @Test func questionsAboutWhatIsNotReplicatedThrow() throws {
        let (laptop, other) = (try Laptop(), try Laptop())
        let url = try #require(URL(string: "ws://127.0.0.1:1/db"))
        let replicator = Replicator(
            config: ReplicatorConfiguration(
                collections: [CollectionConfiguration(collection: laptop.collection)], target: URLEndpoint(url: url)))
        #expect(throws: ReplicationError.self) { try replicator.pendingDocumentIds(collection: other.collection) }
        #expect(throws: ReplicationError.self) {
            try replicator.isDocumentPending("a", collection: other.collection)
        }
        for id in ["", "\0", String(repeating: "a", count: 100_000)] {
            #expect(try !replicator.isDocumentPending(id, collection: laptop.collection))
        }
        try laptop.database.close()
        #expect(throws: (any Error).self) { try replicator.pendingDocumentIds(collection: laptop.collection) }
    }

    @Test func aClosedDatabaseStopsTheReplicator() async throws {
        let laptop = try Laptop()
        let url = try #require(URL(string: "ws://127.0.0.1:1/db"))
        let configuration = ReplicatorConfiguration(
            collections: [CollectionConfiguration(collection: laptop.collection)], target: URLEndpoint(url: url))
        try laptop.database.close()
        let log = ReplicatorLog(configuration)
        #expect(try await log.runToEnd() != nil)
        log.close()
    }

    @Test(arguments: [
        Data(), Data([0]), Data([0x30]), Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]), Data([0x30, 0x82, 1]),
        Data([0x30, 0x80, 0, 0]), Data([0x30, 3, 1, 1]), Data([0x30, 1, 1, 1]), Data("-----BEGIN".utf8),
        // DER, but of something else.
        Data([0x30, 0]), Data([0x30, 3, 2, 1, 1]),
    ])
    func certificatesThatAreNone(data: Data) {
        #expect(throws: (any Error).self) { try Certificate(data: data) }
    }
}
