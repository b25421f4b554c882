import ArgumentParser

/// The program `fieldbook-gateway`.
@main
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fieldbook-gateway",
        abstract: "Serves Fieldbook laptops, and every other client of the Couchbase Mobile protocol.",
        discussion: """
            Begin with:  fieldbook-gateway init --folder gateway
            Then:        fieldbook-gateway serve --config gateway/gateway.yaml
            Databases, users and roles are made through the admin port, with Sync Gateway's own requests.
            """,
        version: "0.1.0",
        subcommands: [
            InitCommand.self, ServeCommand.self, PasswordCommand.self,
            SyncFunctionWorkerCommand.self,
        ])
}
