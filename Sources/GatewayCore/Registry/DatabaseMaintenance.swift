import Logging
import ServiceLifecycle

/// Expires documents and forgets outdated data, in every database, as long as it runs; gives freed memory back.
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
        for database in registry.all { pause = min(pause, await maintain(database)) }
        return max(1, pause)
    }

    private func maintain(_ database: GatewayDatabase) async -> Int64 {
        var round = await database.maintenance.keepHouse()
        await round.take("keeping of refusals") { try database.refusals.save() }
        await round.take("keeping of sign-ins") { try database.signIns.save() }
        for (step, error) in round.failures {
            logger.warning(
                "A step of housekeeping failed; it is tried again",
                metadata: ["db": "\(database.name)", "step": "\(step)", "error": "\(GatewayError(error))"])
        }
        return round.nextExpiry.map { $0 - database.now } ?? GatewayLimits.maintenanceInterval
    }
}
