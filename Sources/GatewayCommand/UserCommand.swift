import ArgumentParser
import DocumentValues
import GatewayServer

/// `fieldbook-gateway user`
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Lists, shows, makes, changes and deletes the users of a database.",
        discussion: "For a field team, with districts instead of channels:  fieldbook-gateway help field user",
        subcommands: [List.self, Show.self, Set.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The names of all users.",
            discussion: "Example:  fieldbook-gateway user list --long --config gateway.yaml --database field")
        @OptionGroup var options: AdminOptions

        @Flag(help: "Also roles, whether they may sign in, their last sign-in and its program, and mail addresses.")
        var long = false

        func run() async throws {
            try await options.run { client in
                let principals = Principals(.user, options: options, client: client)
                if long { try await principals.table() } else { try await principals.list() }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "A user, with all that the user may see, as JSON.",
            discussion: "Example:  fieldbook-gateway user show mara --config gateway.yaml --database field")
        @OptionGroup var options: AdminOptions
        @Argument(help: "The name of the user.")
        var name: String

        func run() async throws {
            try await options.run { try await Principals(.user, options: options, client: $0).show(name) }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes or changes a user.",
            discussion: """
                Settings that are not named stay as they are; --channels for a collection replaces those it had.
                A new user without --password-file gets a password that is shown once.
                --new-password, --enable-login, --disable-login and --remove-channel are for existing users.

                Example:  fieldbook-gateway user set mara --role staff --add-channel field.sites=north \
                --config gateway.yaml --database field
                """)
        @OptionGroup var options: AdminOptions
        @OptionGroup var channels: ChannelOptions
        @OptionGroup var changes: SignInChanges
        @Argument(help: "The name of the user.")
        var name: String

        @Option(help: "A role that exists; may be given several times. Replaces all roles of the user.")
        var role: [String] = []

        func run() async throws {
            try await options.run { client in
                let principals = Principals(.user, options: options, client: client)
                var shown: String?
                try await principals.set(name) { present in
                    // A mistyped name would make a second user, and leave the intended one unchanged.
                    if present == nil, isForKnownUser { _ = try await principals.existing(name) }
                    var object = try channels.object(present: present)
                    if !role.isEmpty { object["admin_roles"] = .array(role.map { .string($0) }) }
                    let (members, password) = try changes.members(isNew: present == nil)
                    shown = password
                    return object.setting(members)
                }
                if let shown { print(PasswordFile.shown(shown, of: name)) }
            }
        }

        /// Whether an option only makes sense for an existing user: it removes or renews something.
        private var isForKnownUser: Bool {
            changes.newPassword || changes.login != nil || !channels.removeChannel.isEmpty
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes a user; the documents stay.",
            discussion: "Example:  fieldbook-gateway user delete mara --config gateway.yaml --database field")
        @OptionGroup var options: AdminOptions
        @Argument(help: "The name of the user.")
        var name: String

        func run() async throws {
            try await options.run { try await Principals(.user, options: options, client: $0).delete(name) }
        }
    }
}
