import Logging
import ServiceLifecycle

/// Ends documents whose time is over and forgets what is out of date, in every database, for as long as it runs; gives
/// freed memory back.
package struct DatabaseMaintenance: Service {
    private let registry: DatabaseRegistry
    private let logger: Logger

    package init(registry: DatabaseRegistry, logger: Logger) {
        self.registry = registry
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await registry.runJobs() }
                await runRounds()
            }
        }
    }

    private func runRounds() async {
        var memory = FreedMemory()
        while !Task.isCancelled {
            let pause = await round()
            memory.giveBack()
            do {
                try await registry.rest(seconds: pause)
            } catch {
                return
            }
        }
    }

    /// One round over all databases; returns after how many seconds the next one is due.
    package func round() async -> Int64 {
        var pause = GatewayLimits.maintenanceInterval
        for database in registry.all {
            do {
                pause = min(pause, try await maintain(database))
            } catch {
                logger.warning(
                    "Housekeeping failed; it is tried again",
                    metadata: ["db": "\(database.name)", "error": "\(GatewayError(error))"])
            }
        }
        return max(1, pause)
    }

    private func maintain(_ database: GatewayDatabase) async throws -> Int64 {
        let saved = Result {
            try database.refusals.save()
            try database.signIns.save()
        }
        let nextExpiry = try await database.maintenance.keepHouse()
        try saved.get()
        return nextExpiry.map { $0 - database.now } ?? GatewayLimits.maintenanceInterval
    }
}
