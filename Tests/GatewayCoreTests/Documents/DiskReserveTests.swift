import Foundation
import GRDB
import Synchronization
import Testing

@testable import GatewayCore

/// Who revokes, deletes or purges finds room on a full disk; who fills it does not.
@Suite(.timeLimit(.minutes(1))) struct DiskReserveTests {
    private static func size(_ store: GatewayStore) throws -> Int? {
        let path = "\(store.folder)/\(DatabaseParts.fileName)-reserve"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    }

    /// A write that finds no room while there is a reserve; returns how often it ran.
    private static func write(_ store: GatewayStore, mayUseReserve: Bool) async throws -> Int {
        let runs = Mutex(0)
        let result = Mutex<(any Error)?>(nil)
        do {
            try await store.write(mayUseReserve: mayUseReserve) { transaction in
                runs.withLock { $0 += 1 }
                if try size(store) != nil { throw DatabaseError(resultCode: .SQLITE_FULL) }
                _ = transaction.nextSequence()
            }
        } catch { result.withLock { $0 = error } }
        let error = result.withLock { $0 }
        #expect((error == nil) == mayUseReserve)
        #expect(error.map { GatewayError($0) == .diskFull } ?? true)
        return runs.withLock { $0 }
    }

    @Test func theReserveIsForThoseWhoMakeRoom() async throws {
        try await TestDatabase.run { test in
            let store = test.database.store
            var runs = [try await Self.write(store, mayUseReserve: false)]
            var sizes = [try Self.size(store)]
            runs.append(try await Self.write(store, mayUseReserve: true))
            sizes.append(try Self.size(store))
            #expect(runs == [1, 2])
            #expect(sizes == [GatewayLimits.diskReserve, GatewayLimits.diskReserve], "it is set aside again")
        }
    }

    @Test func anotherErrorLeavesItAlone() async throws {
        try await TestDatabase.run { test in
            let store = test.database.store
            let runs = Mutex(0)
            await #expect(throws: GatewayError.missing) {
                try await store.write(mayUseReserve: true) { _ in
                    runs.withLock { $0 += 1 }
                    throw GatewayError.missing
                }
            }
            #expect(runs.withLock { $0 } == 1)
        }
    }
}
