import ArgumentParser
import DocumentValues
import Foundation
import GatewayServer

/// `fieldbook-gateway collection`
struct CollectionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collection", abstract: "Lists and adds the collections of a database.",
        subcommands: [List.self, Add.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The collections, and which have a sync function of their own.",
            discussion: "Example:  fieldbook-gateway collection list --config gateway.yaml --database field")
        @OptionGroup var options: AdminOptions

        func run() async throws {
            try await options.run { client in
                for (name, entry) in try await AdminDatabase(options.database, client: client).collections() {
                    let isOwn = entry["sync"]?.stringValue?.isEmpty == false
                    Output.line("\(name)\(isOwn ? "" : "  (default sync function)")")
                }
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a collection; those there are stay as they are.",
            discussion: """
                Clients that are syncing then are disconnected for a moment.

                Example:  fieldbook-gateway collection add field.photos --sync-function photos.js \
                --config gateway.yaml --database field
                """)
        @OptionGroup var options: AdminOptions
        @Argument(help: "scope.collection")
        var name: String

        @Option(help: "A file with its sync function; without it the default one, by which every user may write.")
        var syncFunction: String?

        func validate() throws { _ = try parsedName() }

        private func parsedName() throws -> CollectionName {
            guard let name = try? CollectionName(parsing: name), !name.isDefault else {
                throw ValidationError("'\(name)' is not of the form scope.collection")
            }
            return name
        }

        func run() async throws {
            let name = try parsedName()
            var entry: JSONObject = [:]
            if let syncFunction { entry["sync"] = .string(try NamedFile.function(of: syncFunction)) }
            try await options.run { [entry] client in
                try await AdminDatabase(options.database, client: client).add(name, entry: entry)
                Output.line("Added the collection \(name)")
                guard syncFunction == nil else { return }
                Output.line(
                    "It has the default sync function: every user may write there. To set one: PUT "
                        + "/\(options.database).\(name)/_config/sync on the admin port")
            }
        }
    }
}
