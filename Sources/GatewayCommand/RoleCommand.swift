import ArgumentParser
import GatewayServer

/// `fieldbook-gateway role`
struct RoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Lists, shows, makes, changes and deletes the roles of a database.",
        subcommands: [List.self, Show.self, Set.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The names of all roles.",
            discussion: "Example:  fieldbook-gateway role list --config gateway.yaml --database field")
        @OptionGroup var options: AdminOptions

        func run() async throws {
            try await options.run { try await Principals(.role, options: options, client: $0).list() }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The grants of a role, as JSON.",
            discussion: "Example:  fieldbook-gateway role show staff --config gateway.yaml --database field")
        @OptionGroup var options: AdminOptions
        @Argument(help: "The name of the role.")
        var name: String

        func run() async throws {
            try await options.run { try await Principals(.role, options: options, client: $0).show(name) }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes or changes a role.",
            discussion: """
                Settings that are not named stay as they are.

                Example:  fieldbook-gateway role set staff --add-channel field.sites=north --config gateway.yaml \
                --database field
                """)
        @OptionGroup var options: AdminOptions
        @OptionGroup var channels: ChannelOptions
        @Argument(help: "The name of the role.")
        var name: String

        func run() async throws {
            try await options.run { client in
                let principals = Principals(.role, options: options, client: client)
                try await principals.set(name, by: channels.object)
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes a role; its members lose its channels.",
            discussion: """
                A role that users have is deleted with --yes only, and taken from them: their laptops remove the \
                documents that they saw only by it. Users who have channels of the role directly, and other roles that \
                grant them, are named: they keep them.

                Example:  fieldbook-gateway role delete staff --config gateway.yaml --database field
                """)
        @OptionGroup var options: AdminOptions
        @Argument(help: "The name of the role.")
        var name: String

        @Flag(help: "Delete it even if users have it.")
        var yes = false

        func run() async throws {
            try await options.run {
                try await Principals(.role, options: options, client: $0).delete(role: name, isInUse: yes)
            }
        }
    }
}
