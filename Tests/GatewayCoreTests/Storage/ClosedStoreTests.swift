import DocumentValues
import Testing

@testable import GatewayCore

/// A database is deleted, or the gateway ends, while requests are still at work in it.
@Suite(.timeLimit(.minutes(1))) struct ClosedStoreTests {
    /// SQLite would use the dangling pointer of the closed connection.
    @Test(arguments: StoreEngine.readingInPlace) func whoReadsWhileItClosesGetsAnError(on engine: StoreEngine)
        async throws
    {
        try await engine.inFolder { path in
            let store = try engine.open(path)
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

    @Test(arguments: StoreEngine.allCases) func whoComesLaterGetsAnError(on engine: StoreEngine) async throws {
        try await engine.inFolder { path in
            let store = try engine.open(path)
            try await store.close()
            await #expect(throws: GatewayError.underMaintenance) {
                try await store.write { try await $0.nextSequence() }
            }
            await #expect(throws: GatewayError.underMaintenance) {
                try await store.write(mayUseReserve: true) { try await $0.nextSequence() }
            }
            if let upkeep = store.upkeep {
                await #expect(throws: GatewayError.underMaintenance) { try await upkeep.giveBackFreePages { _ in nil } }
            }
            await #expect(throws: GatewayError.underMaintenance) {
                try await store.read { try await $0.properties.number(.lastSequence) }
            }
            if let inPlace = store.inPlace {
                #expect(throws: GatewayError.underMaintenance) {
                    try inPlace.attachment("a", of: 1, from: 0, count: 1)
                }
            }
        }
    }
}
