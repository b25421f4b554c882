import ArgumentParser
import DocumentValues
import GatewayServer

/// `fieldbook-gateway refusals`
struct RefusalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refusals",
        abstract: "Documents that the gateway did not take: whose, which, and why; the newest last.",
        discussion: """
            The last thousand of a database are kept. One that comes again and again is listed once.

            Example:  fieldbook-gateway refusals --config gateway.yaml --database field
            """)
    @OptionGroup var options: AdminOptions

    @Flag(help: "One JSON object a line.")
    var json = false

    func run() async throws {
        try await options.run { client in
            let refusals = try await AdminDatabase(options.database, client: client).refusals()
            if json {
                for refusal in refusals { Output.json(refusal) }
                return
            }
            let members = ["at", "user", "collection", "document", "reason"]
            for line in Table.lines(
                [members.map { $0.uppercased() }]
                    + refusals.map { refusal in members.map { refusal[$0]?.stringValue ?? "(admin port)" } })
            { Output.line(line) }
        }
    }
}
