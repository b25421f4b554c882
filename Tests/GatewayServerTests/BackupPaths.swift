import Foundation

@testable import GatewayServer

/// The folders of backups, and the gateways that run on restored storage.
enum BackupPaths {
    static func temporary(_ name: String) -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)").path
    }

    /// Runs `body` against a gateway on storage that is there.
    static func serve(
        _ storage: String, _ body: @escaping @Sendable (TestGateway) async throws -> Void
    ) async throws {
        try await TestGateway.run {
            $0.storagePath = storage
        } _: {
            try await body($0)
        }
    }
}
