import DocumentStore
import Fieldbook
import Foundation
import Replication

/// A client's database with a replicator in this process.
final class Laptop {
    let folder: TemporaryFolder
    private let database: Database
    private let collection: Fieldbook.Collection

    init() throws {
        folder = try TemporaryFolder()
        database = try Database.open(folder: folder.path + "/field")
        collection = try database.defaultCollection()
    }

    deinit { try? database.close() }

    var path: String { folder.path + "/field" }
    var count: UInt64 { collection.count }

    func fill(_ range: Range<Int>) throws {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 10_000) {
            let part = start..<min(start + 10_000, range.upperBound)
            try collection.save(bodies: SampleDocuments.documents(part))
        }
    }

    /// Replicates once, from connecting to the end.
    ///
    /// - Returns: seconds.
    func replicate(_ type: ReplicatorType, with gateway: GatewayProcess, _ name: String) async throws -> Double {
        try await replicate(type, port: gateway.publicPort, name)
    }

    func replicate(_ type: ReplicatorType, port: Int, _ name: String) async throws -> Double {
        guard let url = URL(string: "ws://127.0.0.1:\(port)/\(name)") else { throw BenchmarkFailure("bad URL") }
        var configuration = ReplicatorConfiguration(
            collections: [CollectionConfiguration(collection: collection)], target: URLEndpoint(url: url))
        configuration.replicatorType = type
        configuration.authenticator = BasicAuthenticator(
            username: GatewayProcess.user, password: GatewayProcess.password)
        let replicator = Replicator(config: configuration)
        return try await Measuring.seconds { try await replicator.run() }
    }
}
