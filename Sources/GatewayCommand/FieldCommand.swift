import ArgumentParser
import DocumentValues
import Foundation
import GatewayCore
import GatewayServer

/// `fieldbook-gateway field`
struct FieldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "field", abstract: "Sets up a field team: its database, districts and users.",
        discussion: """
            The gateway has to run. In four commands to the first worker:

              fieldbook-gateway field init --config gateway.yaml --database field
              fieldbook-gateway field district add harbour --config gateway.yaml --database field
              fieldbook-gateway field user add mara --district harbour --role inspector --config gateway.yaml \
            --database field
              fieldbook-gateway field user list --config gateway.yaml --database field
            """,
        subcommands: [Init.self, FieldDistrictCommand.self, FieldUserCommand.self])

    struct Init: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the field database with its collections, sync function and roles.",
            discussion: """
                It leaves existing parts as they are, so that it can be run again, and after an upgrade.

                --update-sync-function keeps each function that it replaces in a file beside the configuration, such as \
                field.sites.old-1.js. Functions of your own it leaves as they are. Without it, exit status 1 where a \
                collection has no sync function at all.

                Example:  fieldbook-gateway field init --config gateway.yaml --database field
                """)
        @OptionGroup var options: AdminOptions

        @Flag(help: "Replaces a sync function of another version.")
        var updateSyncFunction = false

        @Flag(help: "With --update-sync-function: replaces functions of your own, too.")
        var yes = false

        private var update: FunctionUpdate? {
            guard updateSyncFunction else { return nil }
            let folder = URL(fileURLWithPath: options.config).deletingLastPathComponent().path
            return FunctionUpdate(keepingIn: folder, replacesOwn: yes)
        }

        func validate() throws {
            guard updateSyncFunction || !yes else { throw ValidationError("--yes goes with --update-sync-function") }
            guard !DatabaseName.isValid(options.database) else { return }
            throw ValidationError(
                "'\(options.database)' cannot be a database: use small letters, digits, '_' and '-', beginning with a "
                    + "letter, such as field")
        }

        func run() async throws {
            try await options.run { client in
                let team = FieldTeam(AdminDatabase(options.database, client: client))
                let result = try await team.initialize(update: update)
                for line in result.lines { Output.line(line) }
                guard result.unguarded.isEmpty else {
                    throw Failure(
                        "\(result.unguarded.joined(separator: ", ")) have no sync function: every user may write anything "
                            + "there. Set it again with: field init --update-sync-function")
                }
            }
        }
    }
}

/// `fieldbook-gateway field district`
struct FieldDistrictCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "district", abstract: "Adds, lists and deletes the districts of a field team.",
        subcommands: [Add.self, List.self, Delete.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a district: a part of the field whose records its people see.",
            discussion: """
                Example:  fieldbook-gateway field district add harbour --config gateway.yaml --database field
                """)
        @OptionGroup var options: AdminOptions
        @Argument(help: "Letters, digits, '-' and '_', such as harbour or 94110.")
        var name: String

        func validate() throws {
            _ = try FieldOptions.district(name)
            guard name.isExactly("unknown") else { return }
            throw ValidationError("'unknown' is for records without a district; choose another name")
        }

        func run() async throws {
            let district = try FieldOptions.district(name)
            try await options.run {
                Output.line(try await FieldTeam(AdminDatabase(options.database, client: $0)).add(district))
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The names of all districts, one a line.",
            discussion: "Example:  fieldbook-gateway field district list --config gateway.yaml --database field")
        @OptionGroup var options: AdminOptions

        func run() async throws {
            try await options.run { client in
                for district in try await FieldTeam(AdminDatabase(options.database, client: client)).districts() {
                    Output.line(district.name)
                }
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes a district, which is its role; its records stay at the gateway, for the office.",
            discussion: """
                One that people have is deleted with --yes only, and taken from them. Users who have its channels \
                directly are named.

                Example:  fieldbook-gateway field district delete harbour --config gateway.yaml --database field
                """)
        @OptionGroup var options: AdminOptions
        @Argument(help: "The name of the district.")
        var name: String

        @Flag(help: "Delete it even if people have it.")
        var yes = false

        func validate() throws { _ = try FieldOptions.district(name) }

        func run() async throws {
            let role = try FieldOptions.district(name).key
            try await options.run {
                try await Principals(.role, options: options, client: $0).delete(role: role, isInUse: yes)
            }
        }
    }
}

/// Parsing of arguments for the commands of a field team.
enum FieldOptions {
    static func district(_ name: String) throws -> FieldDistrict {
        guard let district = FieldDistrict(name) else {
            throw ValidationError(
                "'\(name)' cannot be a district: use up to 64 letters, digits, '-' and '_', such as harbour")
        }
        return district
    }

    /// `a b`, `a,b`, or both.
    static func districts(_ names: [String]) throws -> [FieldDistrict] {
        try names.flatMap { name in
            let parts = name.split(atByte: ",")
            // An unset variable in a script would otherwise take all districts of a user away.
            guard !parts.isEmpty else { throw ValidationError("A district's name is empty") }
            return try parts.map { try district(String($0)) }
        }
    }

    static func role(_ name: String) throws -> FieldSchema.Role {
        let known = FieldSchema.Role.allCases.map(\.rawValue)
        guard let role = FieldSchema.Role(rawValue: name) else {
            let near = Suggestion.text(for: name, among: known)
            throw ValidationError("There is no role '\(name)'\(near); the roles are \(known.joined(separator: ", "))")
        }
        return role
    }
}
