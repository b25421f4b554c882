import ArgumentParser
import GatewayServer

/// `fieldbook-gateway export`
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes a database's documents and attachments into a folder.",
        discussion: """
            The gateway has to run; documents that change meanwhile are written as they are when read.

            Example:  fieldbook-gateway export --config gateway.yaml --database field --output export
            """)

    @OptionGroup var options: AdminOptions

    @Option(help: "The folder to write to.")
    var output: String

    @Option(help: "csv, jsonl (one JSON object a line) or both.")
    var format: DatabaseExport.Format = .both

    @Option(help: "A collection (scope.collection); may be given several times. All without it.")
    var collection: [String] = []

    @Flag(help: "Leaves out the attachments.")
    var noAttachments = false

    func run() async throws {
        try await options.run { client in
            let export = DatabaseExport(
                client: client, database: options.database, folder: output, format: format,
                hasAttachments: !noAttachments)
            for line in try await export.run(collections: collection) {
                Output.line("\(line.collection): \(line.documents) documents, \(line.attachments) attachments")
            }
        }
    }
}

extension DatabaseExport.Format: ExpressibleByArgument {}
