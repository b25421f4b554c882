import DocumentValues
import Foundation
import Logging
import SodiumCrypto
import SyncFunction
import Synchronization
import Testing

@testable import GatewayCore

/// A gateway database on a real file, with a clock that the test sets.
final class TestDatabase: Sendable {
    let folder: String
    private let registry: Mutex<DatabaseRegistry>
    private let clock: TestClock
    private let functions: any SyncFunctionRunning
    /// Bytes that the disk has left; `nil` for those of the real one.
    private let space: DiskSpaceOfTest
    private let engine: StoreEngine

    static let collection = CollectionName.default

    private init(
        _ folder: String, registry: DatabaseRegistry, clock: TestClock, functions: any SyncFunctionRunning,
        space: DiskSpaceOfTest, engine: StoreEngine
    ) {
        self.engine = engine
        self.space = space
        self.folder = folder
        self.registry = Mutex(registry)
        self.clock = clock
        self.functions = functions
    }

    static func run(
        _ configuration: JSONValue = [:], in root: URL = FileManager.default.temporaryDirectory,
        functions: any SyncFunctionRunning = PlainFunctions(), on engine: StoreEngine = .sqlite,
        _ body: @Sendable (TestDatabase) async throws -> Void
    ) async throws {
        let folder = root.appendingPathComponent("core-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clock = TestClock()
        let space = DiskSpaceOfTest()
        let registry = try await open(folder, clock: clock, functions: functions, space: space, engine: engine)
        _ = try await registry.create("db", configuration: configuration.bytes)
        let test = TestDatabase(
            folder, registry: registry, clock: clock, functions: functions, space: space, engine: engine)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await registry.runJobs() }
            defer { group.cancelAll() }
            try await body(test)
        }
        await test.opened.close()
    }

    private static func open(
        _ folder: String, clock: TestClock, functions: any SyncFunctionRunning, space: DiskSpaceOfTest,
        engine: StoreEngine
    ) async throws -> DatabaseRegistry {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var environment = DatabaseEnvironment(
            syncFunctions: functions, logger: logger, passwordStrength: .testsOnly, now: { clock.now })
        let real = environment.freeSpace
        environment.freeSpace = { folder in space.bytes ?? real(folder) }
        environment.storage = engine.storage
        environment.longWork = LongWork(threads: 1)
        return try await DatabaseRegistry.open(path: folder, environment: environment)
    }

    /// As after a restart of the gateway.
    func reopen() async throws {
        await opened.close()
        let new = try await Self.open(
            folder, clock: clock, functions: functions, space: space, engine: engine)
        registry.withLock { $0 = new }
    }

    var opened: DatabaseRegistry { registry.withLock { $0 } }
    var database: GatewayDatabase { opened.database("db")! }
    var now: Int64 { clock.now }

    var store: any TestedStore {
        get throws { try #require(database.store as? any TestedStore) }
    }

    func leave(_ bytes: Int) { space.leave(bytes) }

    func pass(seconds: Int64) { clock.pass(seconds) }

    /// One round of what the gateway does by the clock.
    func maintain() async {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        _ = await DatabaseMaintenance(registry: opened, logger: logger).round()
    }
}

/// Seconds since 1970, as the test says.
final class TestClock: Sendable {
    private let seconds = Atomic<Int64>(1_900_000_000)

    var now: Int64 { seconds.load(ordering: .relaxed) }

    func pass(_ more: Int64) { seconds.add(more, ordering: .relaxed) }
}

extension TestDatabase {
    /// Returns when no resync runs; it waits no longer than the test's time limit.
    func resyncEnd() async {
        while !database.maintenance.resyncStatus.isOver { await Task.yield() }
    }
}

/// The free space of a disk, if a test sets it.
final class DiskSpaceOfTest: Sendable {
    private let left = Mutex<Int?>(nil)

    var bytes: Int? { left.withLock { $0 } }
    func leave(_ bytes: Int) { left.withLock { $0 = bytes } }
}
