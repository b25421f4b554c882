import ArgumentParser
import GatewayServer

/// `fieldbook-gateway role`
struct RoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Lists, shows, makes, changes and deletes the roles of a database.",
        subcommands: [List.self, Show.self, Set.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "The names of all roles.")
        @OptionGroup var options: AdminOptions

        func run() async throws { try await options.run { try await Principals("_role", options, $0).list() } }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "What a role may see, as JSON.")
        @OptionGroup var options: AdminOptions
        @Argument var name: String

        func run() async throws { try await options.run { try await Principals("_role", options, $0).show(name) } }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes or changes a role.")
        @OptionGroup var options: AdminOptions
        @OptionGroup var channels: ChannelOptions
        @Argument var name: String

        func run() async throws {
            try await options.run { try await Principals("_role", options, $0).set(name, try channels.object()) }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a role; its members lose its channels.")
        @OptionGroup var options: AdminOptions
        @Argument var name: String

        func run() async throws { try await options.run { try await Principals("_role", options, $0).delete(name) } }
    }
}
