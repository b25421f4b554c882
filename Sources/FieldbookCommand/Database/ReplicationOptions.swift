import ArgumentParser
import DocumentValues
import FieldRecords
import FieldShell
import Fieldbook
import Foundation

/// The options that `push`, `pull` and `sync` share.
struct ReplicationOptions: ParsableArguments {
    @OptionGroup var folder: DatabaseOptions

    @Option(help: "ws://HOST:PORT/DB or wss://…")
    var url: String

    @Option(help: "Comma-separated; otherwise the default collection.")
    var collections: CommaList?

    @OptionGroup var signIn: SignInOptions

    @Flag(
        help: "Goes on until SIGTERM or SIGINT. Pushes refused for lack of access are tried again every five minutes.")
    var continuous = false

    @Option(help: "Only documents in these channels, comma-separated (pull).")
    var channels: CommaList?

    @Option(help: "Only these documents, comma-separated.")
    var docIds: CommaList?

    @OptionGroup var connection: ConnectionOptions

    @Flag(inversion: .prefixedNo, help: "Purge documents to which access is lost.")
    var autoPurge = true

    @Flag(help: "Compare everything again, no matter how far earlier runs have come.")
    var reset = false

    @Flag(help: "One event a line on standard output.")
    var json = false

    func validate() throws {
        guard let url = URL(string: url), ["ws", "wss"].contains(url.scheme?.lowercased()), url.host != nil else {
            throw ValidationError("--url must be ws://HOST:PORT/DB or wss://HOST:PORT/DB.")
        }
        guard url.user == nil, url.password == nil else {
            throw ValidationError("--url must not carry a password; use --user and --password-file.")
        }
        _ = try collectionNames()
    }

    private func collectionNames() throws -> [CollectionName] {
        try (collections?.items ?? [CollectionName.default.description]).map { text in
            do { return try CollectionName(parsing: text) } catch { throw ValidationError("\(error)") }
        }
    }

    /// The contents of the files that the options name.
    struct Files {
        let authenticator: (any Authenticator)?
        let pinnedCertificate: Certificate?
    }

    /// Reads the files before a database folder is created, so that a mistyped path leaves no folder behind.
    func files() throws -> Files {
        let certificate = try connection.certificate()
        return Files(authenticator: try signIn.authenticator(), pinnedCertificate: certificate)
    }

    func configuration(
        _ type: ReplicatorType, database: Database, files: Files
    ) throws -> ReplicatorConfiguration {
        guard let url = URL(string: url) else { throw ValidationError("--url is not a URL.") }
        let parts = try collectionNames().map { name in
            var part = CollectionConfiguration(collection: try database.createdCollection(name))
            part.channels = channels?.items
            part.documentIDs = docIds?.items
            part.conflictResolver = RecordConflictResolver(collection: name, folder: folder.dir)
            return part
        }
        var configuration = ReplicatorConfiguration(collections: parts, target: URLEndpoint(url: url))
        configuration.replicatorType = type
        configuration.continuous = continuous
        configuration.authenticator = files.authenticator
        configuration.enableAutoPurge = autoPurge
        configuration.pinnedServerCertificate = files.pinnedCertificate
        connection.apply(to: &configuration)
        return configuration
    }

    /// The warning has to appear before the password goes over the network.
    func warnOfUnprotectedPassword() {
        guard signIn.isGiven, let url = URL(string: url) else { return }
        if let warning = SecretWarnings.unprotected(url) { StandardOutput.message(warning) }
    }
}

/// `a,b,c`
struct CommaList: ExpressibleByArgument {
    let items: [String]

    init?(argument: String) {
        items = argument.split(atByte: ",").map(String.init)
        if items.isEmpty { return nil }
    }
}
