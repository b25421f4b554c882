import DocumentValues
import Logging
import SyncFunction

/// The databases of a gateway: a folder each under one path.
package final class DatabaseRegistry: Sendable {
    /// Opens every database that is there.
    package static func open(
        path: String, syncFunctions: any SyncFunctionRunning, logger: Logger
    ) async throws -> DatabaseRegistry { fatalError("to come") }

    package var names: [String] { fatalError("to come") }

    package func database(_ name: String) -> GatewayDatabase? { fatalError("to come") }

    /// `PUT /{db}/`: 412 `Duplicate database name "db"`, 400 with what is wrong in the configuration.
    package func create(_ name: String, configuration: [UInt8]) async throws -> GatewayDatabase {
        fatalError("to come")
    }

    /// `DELETE /{db}/`: ends its connections and feeds, and erases it.
    package func delete(_ name: String) async throws { fatalError("to come") }

    /// Closes the files; feeds that wait are ended.
    package func close() async { fatalError("to come") }
}
