import ArgumentParser
import DocumentValues
import GatewayServer

/// `fieldbook-gateway field user`
struct FieldUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Adds, changes, lists and deletes the people of a field team.",
        discussion: "For other settings of users:  fieldbook-gateway help user",
        subcommands: [Add.self, Set.self, List.self, UserCommand.Delete.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a user with a role and districts.",
            discussion: """
                Without --password-file a password is made up and shown once.

                Example:  fieldbook-gateway field user add mara --district harbour mill --role inspector \
                --config gateway.yaml --database field
                """)
        @OptionGroup var options: AdminOptions
        @OptionGroup var signIn: AccountOptions
        @Argument(help: "The name to sign in with.")
        var name: String

        @Option(parsing: .upToNextOption, help: "The districts; the office has all of them.")
        var district: [String] = []

        @Option(help: "inspector, supervisor or office.")
        var role: String

        func validate() throws {
            if let problem = FieldMember.problem(withName: name) { throw ValidationError(problem) }
            let (role, districts) = (try FieldOptions.role(role), try FieldOptions.districts(district))
            guard role == .office || !districts.isEmpty else {
                throw ValidationError("A user with the role \(role.rawValue) needs a district: --district NAME")
            }
        }

        func run() async throws {
            let member = FieldMember(
                name: name, role: try FieldOptions.role(role), districts: try FieldOptions.districts(district),
                email: signIn.email)
            let given = try signIn.password()
            let password = given ?? GatewaySetup.newPassword()
            try await options.run { client in
                let team = FieldTeam(AdminDatabase(options.database, client: client))
                if let known = try await team.add(member, password: password) {
                    Output.line("The user \(name) is there already, \(known.summary); the password was left as it is")
                    return
                }
                Output.line("Made the user \(name), \(member.summary)")
                for other in try await team.namesAlike(name) {
                    Output.line("There is a user \(other), too: they are two persons, with passwords of their own")
                }
                if given == nil { print(PasswordFile.shown(password, of: name)) }
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Changes a user's role, districts, password, or whether they may sign in.",
            discussion: """
                Settings that are not named stay as they are. Records of a district that is taken away leave the \
                laptop with its next sync.

                Example:  fieldbook-gateway field user set mara --add-district orchard --config gateway.yaml \
                --database field
                """)
        @OptionGroup var options: AdminOptions
        @OptionGroup var changes: SignInChanges
        @Argument(help: "The name of the user.")
        var name: String

        @Option(parsing: .upToNextOption, help: "The districts, instead of those there were.")
        var district: [String] = []

        @Option(parsing: .upToNextOption, help: "Districts to add.")
        var addDistrict: [String] = []

        @Option(parsing: .upToNextOption, help: "Districts to remove.")
        var removeDistrict: [String] = []

        @Option(help: "inspector, supervisor or office.")
        var role: String?

        func validate() throws {
            _ = try role.map(FieldOptions.role)
            for names in [district, addDistrict, removeDistrict] { _ = try FieldOptions.districts(names) }
        }

        func run() async throws {
            let (more, shown) = try changes.members(isNew: false)
            try await options.run { client in
                let team = FieldTeam(AdminDatabase(options.database, client: client))
                let member = try await team.change(name, more: more, by: changed)
                Output.line("\(name) is \(member.summary)")
                if let shown { print(PasswordFile.shown(shown, of: name)) }
            }
        }

        private func changed(_ member: FieldMember) throws -> FieldMember {
            var member = member
            if let role { member.role = try FieldOptions.role(role) }
            if !district.isEmpty { member.districts = try FieldOptions.districts(district) }
            member.districts += try FieldOptions.districts(addDistrict)
            try member.remove(try FieldOptions.districts(removeDistrict))
            // A user who leaves the role for the office had all districts by that role.
            guard role == nil || !member.seesNothing else {
                throw Failure("A user with the role \(member.role.rawValue) needs a district: --district NAME")
            }
            return member
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "All users with their role and districts.",
            discussion: """
                Behind a + are channels that were granted directly, by: user set --add-channel

                Example:  fieldbook-gateway field user list --config gateway.yaml --database field
                """)
        @OptionGroup var options: AdminOptions

        @Flag(help: "One JSON object a line.")
        var json = false

        func run() async throws {
            try await options.run { client in
                let members = try await FieldTeam(AdminDatabase(options.database, client: client)).users()
                if json {
                    for member in members { Output.json(member.json) }
                } else {
                    let names = NameSpelling.shown(members.map(\.name))
                    let rows = zip(names, members).map {
                        [$0, $1.role.rawValue, $1.reach, $1.isDisabled ? "disabled" : "yes"]
                    }
                    for line in Table.lines([["NAME", "ROLE", "DISTRICTS", "SIGN-IN"]] + rows) { Output.line(line) }
                }
            }
        }
    }
}
