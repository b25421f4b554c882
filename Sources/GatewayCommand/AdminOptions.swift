import ArgumentParser
import Foundation
import GatewayServer

/// What every command for a running gateway needs.
struct AdminOptions: ParsableArguments {
    @Option(help: "The configuration of the gateway.")
    var config: String

    @Option(help: "The database.")
    var database: String

    var client: AdminClient {
        get throws { try AdminClient(try GatewayConfiguration(file: config)) }
    }

    /// Runs a command and turns what went wrong into a message for a person.
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
