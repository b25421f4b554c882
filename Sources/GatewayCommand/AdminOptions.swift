import ArgumentParser
import Foundation
import GatewayServer

/// The options of every command for a running gateway.
struct AdminOptions: ParsableArguments {
    @Option(help: "The configuration of the gateway.")
    var config: String

    @Option(help: "The database.")
    var database: String

    var client: AdminClient {
        get throws { try AdminClient(try GatewayConfiguration(file: config)) }
    }

    /// Runs a command, and turns its errors into messages for people.
    func run(_ body: (AdminClient) async throws -> Void) async throws {
        do {
            try await body(try client)
        } catch let error as AdminError {
            throw Failure("\(error)")
        } catch let error as ConfigurationError {
            throw Failure("\(error)")
        }
    }
}
