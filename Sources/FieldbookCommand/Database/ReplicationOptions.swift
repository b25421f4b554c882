import ArgumentParser
import DocumentValues
import FieldRecords
import FieldShell
import Fieldbook
import Foundation

/// The options that `push`, `pull` and `sync` share.
struct ReplicationOptions: ParsableArguments {
    @Argument(help: "The database folder.")
    var dir: String

    @Option(help: "ws://HOST:PORT/DB or wss://…")
    var url: String

    @Option(help: "Comma-separated; otherwise the default collection.")
    var collections: CommaList?

    @Option(help: "The user's name.")
    var user: String?

    @Option(help: "A file that holds the password.")
    var passwordFile: String?

    @Option(
        help: ArgumentHelp(
            "A session of the gateway's. Others on this machine can see it while the command runs; see --session-file.",
            valueName: "id"))
    var session: String?

    @Option(help: "A file that holds a session of the gateway's.")
    var sessionFile: String?

    @Flag(
        help: "Goes on until SIGTERM or SIGINT. Pushes refused for lack of access are tried again every five minutes.")
    var continuous = false

    @Option(help: "Only documents in these channels, comma-separated (pull).")
    var channels: CommaList?

    @Option(help: "Only these documents, comma-separated.")
    var docIds: CommaList?

    @Option(help: ArgumentHelp("Accept only servers with this certificate (PEM or DER).", valueName: "file"))
    var pinnedCert: String?

    @Flag(help: "Accept only self-signed certificates.")
    var selfSigned = false

    @Option(name: .customLong("header"), help: ArgumentHelp("A header to send, 'K: V'.", valueName: "header"))
    var headers: [HeaderArgument] = []

    @Option(help: ArgumentHelp("Between pings.", valueName: "seconds"))
    var heartbeat: Double?

    @Option(help: "Attempts in a row; 0 and 1 mean no second one. Default: 10, or no limit with --continuous.")
    var maxAttempts: UInt?

    @Option(help: ArgumentHelp("The longest wait between two attempts.", valueName: "seconds"))
    var maxAttemptWait: Double?

    @Flag(inversion: .prefixedNo, help: "Purge documents to which access is lost.")
    var autoPurge = true

    @Flag(help: "Compare everything again, no matter how far earlier runs have come.")
    var reset = false

    @Flag(help: "One event a line on standard output.")
    var json = false

    func validate() throws {
        guard (user == nil) == (passwordFile == nil) else {
            throw ValidationError("--user and --password-file go together.")
        }
        guard [user, session, sessionFile].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError("Give one of --user, --session and --session-file.")
        }
        guard let url = URL(string: url), ["ws", "wss"].contains(url.scheme?.lowercased()), url.host != nil else {
            throw ValidationError("--url must be ws://HOST:PORT/DB or wss://HOST:PORT/DB.")
        }
        guard url.user == nil, url.password == nil else {
            throw ValidationError("--url must not carry a password; use --user and --password-file.")
        }
        guard heartbeat ?? 1 > 0, maxAttemptWait ?? 1 > 0 else { throw ValidationError("Seconds must be positive.") }
        _ = try collectionNames()
    }

    private func collectionNames() throws -> [CollectionName] {
        try (collections?.items ?? [CollectionName.default.description]).map { text in
            do { return try CollectionName(parsing: text) } catch { throw ValidationError("\(error)") }
        }
    }

    /// What the options name files for.
    struct Files {
        let authenticator: (any Authenticator)?
        let pinnedCertificate: Certificate?
    }

    /// Read before a database folder is made: a slip in a path leaves nothing behind.
    func files() throws -> Files {
        let certificate = try pinnedCert.map { path in
            guard let data = FileManager.default.contents(atPath: path) else {
                throw CommandFailure("The certificate file \(path) cannot be read.")
            }
            return try Certificate(data: data)
        }
        return Files(authenticator: try authenticator(), pinnedCertificate: certificate)
    }

    func configuration(
        _ type: ReplicatorType, database: Database, files: Files
    ) throws -> ReplicatorConfiguration {
        guard let url = URL(string: url) else { throw ValidationError("--url is not a URL.") }
        let parts = try collectionNames().map { name in
            var part = CollectionConfiguration(collection: try database.createdCollection(name))
            part.channels = channels?.items
            part.documentIDs = docIds?.items
            part.conflictResolver = RecordConflictResolver(collection: name, folder: dir)
            return part
        }
        var configuration = ReplicatorConfiguration(collections: parts, target: URLEndpoint(url: url))
        configuration.replicatorType = type
        configuration.continuous = continuous
        configuration.authenticator = files.authenticator
        configuration.enableAutoPurge = autoPurge
        configuration.acceptOnlySelfSignedServerCertificate = selfSigned
        configuration.pinnedServerCertificate = files.pinnedCertificate
        if !headers.isEmpty {
            configuration.headers = Dictionary(headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        }
        if let heartbeat { configuration.heartbeat = heartbeat }
        if let maxAttempts { configuration.maxAttempts = maxAttempts }
        if let maxAttemptWait { configuration.maxAttemptWaitTime = maxAttemptWait }
        return configuration
    }

    /// Shown before it goes over the network.
    func warnOfUnprotectedPassword() {
        guard user != nil || session != nil || sessionFile != nil, let url = URL(string: url) else { return }
        if let warning = SecretWarnings.unprotected(url) { StandardOutput.message(warning) }
    }

    private func authenticator() throws -> (any Authenticator)? {
        if let session { return SessionAuthenticator(sessionID: session) }
        if let sessionFile {
            return SessionAuthenticator(sessionID: try SecretFile.read(sessionFile, what: "session"))
        }
        guard let user, let passwordFile else { return nil }
        return BasicAuthenticator(username: user, password: try SecretFile.read(passwordFile, what: "password"))
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

/// `K: V`
struct HeaderArgument: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
        let halves = argument.split(atByte: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, !halves[0].isEmpty else { return nil }
        name = halves[0].trimmingCharacters(in: .whitespaces)
        value = halves[1].trimmingCharacters(in: .whitespaces)
    }
}
