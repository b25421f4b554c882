import ArgumentParser
import DocumentValues
import GatewayServer

/// `fieldbook-gateway user`
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Lists, shows, makes, changes and deletes the users of a database.",
        subcommands: [List.self, Show.self, Set.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "The names of all users.")
        @OptionGroup var options: AdminOptions

        func run() async throws { try await options.run { try await Principals("_user", options, $0).list() } }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "What a user is and may see, as JSON.")
        @OptionGroup var options: AdminOptions
        @Argument var name: String

        func run() async throws { try await options.run { try await Principals("_user", options, $0).show(name) } }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes or changes a user.",
            discussion: """
                What is not named stays as it is; channels given for a collection replace those it had.
                A new user without --password-file gets a password that is shown once.
                """)
        @OptionGroup var options: AdminOptions
        @OptionGroup var channels: ChannelOptions
        @Argument var name: String

        @Option(help: "A file whose first line is the password.")
        var passwordFile: String?

        @Flag(help: "Sets a new random password and shows it once.")
        var newPassword = false

        @Option(help: "A role; may be given several times. All roles are replaced.")
        var role: [String] = []

        @Option(help: "The user's mail address.")
        var email: String?

        @Flag(inversion: .prefixedEnableDisable, help: "Whether the user may sign in.")
        var login: Bool?

        func run() async throws {
            try await options.run { client in
                let principals = Principals("_user", options, client)
                var object = try channels.object()
                if !role.isEmpty { object["admin_roles"] = .array(role.map { .string($0) }) }
                if let email { object["email"] = .string(email) }
                if let login { object["disabled"] = .bool(!login) }
                let shown = try await setPassword(&object, principals)
                try await principals.set(name, object)
                if let shown { print("Password of \(name): \(shown)\nIt is kept as a hash only, so write it down.") }
            }
        }

        /// - Returns: the password to show, if one was made up.
        private func setPassword(_ object: inout JSONObject, _ principals: Principals) async throws -> String? {
            if let passwordFile {
                object["password"] = .string(try PasswordFile.read(passwordFile))
                return nil
            }
            guard try await !principals.exists(name) || newPassword else { return nil }
            let password = GatewaySetup.newPassword()
            object["password"] = .string(password)
            return password
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a user; the documents stay.")
        @OptionGroup var options: AdminOptions
        @Argument var name: String

        func run() async throws { try await options.run { try await Principals("_user", options, $0).delete(name) } }
    }
}
