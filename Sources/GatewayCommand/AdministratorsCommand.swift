import ArgumentParser
import DocumentValues
import GatewayServer

/// `fieldbook-gateway administrators`
struct AdministratorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "administrators", abstract: "Lists and removes the users of the admin port.",
        discussion: "To make one, or to set another password:  fieldbook-gateway help password",
        subcommands: [List.self, Remove.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The names of all administrators.",
            discussion: "Example:  fieldbook-gateway administrators list --config gateway.yaml")

        @Option(help: "The configuration of the gateway.")
        var config: String

        func run() throws {
            try AdministratorsCommand.explaining {
                let configuration = try GatewayConfiguration(file: config)
                for name in try Administrators.names(storage: configuration.storagePath) { Output.line(name) }
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes an administrator. It takes effect at once, also while the gateway runs.",
            discussion: "Example:  fieldbook-gateway administrators remove carol --config gateway.yaml")

        @Option(help: "The configuration of the gateway.")
        var config: String

        @Argument(help: "The administrator's name.")
        var name: String

        func run() throws {
            try AdministratorsCommand.explaining {
                let configuration = try GatewayConfiguration(file: config)
                try Administrators.remove(name, storage: configuration.storagePath)
                Output.line("Removed the administrator \(name)")
            }
        }
    }

    private static func explaining(_ body: () throws -> Void) throws {
        do { try body() } catch let error as ConfigurationError { throw Failure("\(error)") }
    }
}
