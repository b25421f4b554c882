import DocumentValues
import Foundation
import Logging
import Testing

@testable import GatewayCore

/// A database is deleted, or the gateway ends, while requests are still at work in it.
@Suite(.timeLimit(.minutes(1))) struct ClosedStoreTests {
    private static func withStore(_ body: (any GatewayStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("closed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        try await body(try SQLiteStore(path: folder.path + "/x", logger: logger))
    }

    /// SQLite would use the dangling pointer of the closed connection.
    @Test func whoReadsWhileItClosesGetsAnError() async throws {
        try await Self.withStore { store in
            let errors = try await withThrowingTaskGroup(of: (any Error).self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        while true {
                            do { _ = try store.inPlace?.session([1]) } catch {
                                return error
                            }
                            await Task.yield()
                        }
                    }
                }
                for _ in 0..<100 { await Task.yield() }
                try await store.close()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.map { $0 as? GatewayError } == Array(repeating: .underMaintenance, count: 4))
        }
    }

    @Test func whoComesLaterGetsAnError() async throws {
        try await Self.withStore { store in
            try await store.close()
            await #expect(throws: GatewayError.underMaintenance) {
                try await store.write { try await $0.nextSequence() }
            }
            await #expect(throws: GatewayError.underMaintenance) {
                try await store.write(mayUseReserve: true) { try await $0.nextSequence() }
            }
            await #expect(throws: GatewayError.underMaintenance) {
                try await store.upkeep?.giveBackFreePages { _ in nil }
            }
            await #expect(throws: GatewayError.underMaintenance) {
                try await store.read { try await $0.properties.number(.lastSequence) }
            }
            #expect(throws: GatewayError.underMaintenance) {
                try store.inPlace?.attachment("a", of: 1, from: 0, count: 1)
            }
        }
    }
}
