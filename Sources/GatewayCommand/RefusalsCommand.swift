import ArgumentParser
import DocumentValues
import GatewayServer

/// `fieldbook-gateway refusals`
struct RefusalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refusals",
        abstract: "Documents that the gateway refused, with user and reason; the newest last.",
        discussion: """
            The last thousand of a database are kept. One that comes again and again is listed once. Long names and ids \
            are cut; --json has them whole. Times are local; those of --json are UTC.

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
            let head = ["AT", "USER", "COLLECTION", "DOCUMENT", "STATUS", "REASON"]
            for line in Table.lines([head] + refusals.map(Self.row)) { Output.line(line) }
        }
    }

    /// Characters of a user's name or a document's id, which clients choose: one long id would make all lines of the
    /// table wider.
    private static let shownName = 40

    private static func row(_ refusal: JSONObject) -> [String] {
        func text(_ member: String) -> String { refusal[member]?.stringValue ?? "-" }
        func name(_ text: String) -> String { text.shortened(toScalars: shownName) }
        return [
            LocalTime.text(text("at")), name(refusal["user"]?.stringValue ?? "(admin port)"), text("collection"),
            name(text("document")), refusal["status"]?.integerValue.map { "\($0)" } ?? "-", text("reason"),
        ]
    }
}
