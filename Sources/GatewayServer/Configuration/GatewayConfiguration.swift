import DocumentValues
import Foundation
import GatewayCore

/// The start-up configuration of a gateway: keys under `api` and `logging` have the meaning of Sync Gateway's, our own
/// are under `storage`.
package struct GatewayConfiguration: Sendable, Hashable {
    package struct Interface: Sendable, Hashable {
        package var host: String
        /// 0 for any free port.
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    package struct TLS: Sendable, Hashable {
        package enum Version: String, Sendable, Hashable, CaseIterable { case tlsv1_2 = "tlsv1.2", tlsv1_3 = "tlsv1.3" }

        package var certificatePath: String
        package var keyPath: String
        package var minimumVersion: Version

        package init(certificatePath: String, keyPath: String, minimumVersion: Version = .tlsv1_2) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
            self.minimumVersion = minimumVersion
        }
    }

    package var publicInterface = Interface(host: "0.0.0.0", port: 4984)
    package var adminInterface = Interface(host: "127.0.0.1", port: 4985)
    package var metricsInterface = Interface(host: "127.0.0.1", port: 4986)
    /// Names, besides addresses and `localhost`, that requests to the admin and metrics ports may use.
    package var adminHostNames: [String] = []
    /// Proxies in front of the public port whose `X-Forwarded-For` is trusted.
    var trustedProxies: [AddressRange] = []
    package var adminAuthentication = true
    /// Whether they may be open to other machines without a login.
    package var allowsOpenAdmin = false
    package var metricsAuthentication = true
    package var tls: TLS?
    /// For databases without rules of their own.
    package var crossOrigin = CrossOriginRules()
    package var logging: LoggingConfiguration
    package var storagePath: String
    package var replication = ReplicationConfiguration()
    /// Settings of Sync Gateway without effect here, by their full keys.
    package private(set) var passedOver: [String] = []
    /// Requests that are answered at the same time; beyond it 503.
    package var requestsInFlight = GatewayServerLimits.requestsInFlight

    package init(storagePath: String) {
        self.storagePath = storagePath
        logging = LoggingConfiguration(folder: storagePath)
    }

    /// Reads a YAML or JSON file; relative paths in it count from the file's folder.
    ///
    /// - Parameter environment: its variables, named as in `ConfigurationVariable`, replace values of the file.
    package init(
        file path: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) {
        try self.init(text: try UnreadableFile.text(of: path), file: path, environment: environment)
    }

    /// - Parameter path: the file of the text.
    init(text: String, file path: String, environment: [String: String]) throws(ConfigurationError) {
        let root = try YAMLText.load(text, file: path)
        guard let root = root as? [String: Any] else {
            throw ConfigurationError(path, problem: "must be a mapping with the keys api and storage")
        }
        let values = try ConfigurationVariable.apply(environment, to: root)
        let reader = ConfigurationReader(file: path, values: values, prefix: "")
        try self.init(reader: reader, folder: (path as NSString).deletingLastPathComponent)
    }

    private init(reader: ConfigurationReader, folder: String) throws(ConfigurationError) {
        if let key = ["databases", "users"].first(where: { reader.values[$0] != nil }) {
            throw ConfigurationError(
                reader.file, problem: "'\(key)' does not belong in the start-up configuration",
                hint: """
                    Databases are made while the gateway runs and are kept in its storage: PUT /{db}/ on the admin port \
                    with what is under databases.{db}, but for its users, and PUT /{db}/_user/{name} for each of these; \
                    for a field team 'fieldbook-gateway field init' and 'field user add'
                    """)
        }
        try reader.allow(
            ["api", "storage", "logging", "replicator", "replicator_compression"], passedOver: PassedOver.root)
        let storage = try reader.section("storage")
        try storage.allow(["path"])
        guard let path = try storage.string("path") else {
            throw ConfigurationError(
                reader.file, problem: "storage.path is missing",
                hint: "Name the folder in which the gateway keeps its databases"
            )
        }
        self.init(storagePath: Self.resolve(path, in: folder))
        try readAPI(try reader.section("api"), folder: folder)
        logging = try LoggingConfiguration(try reader.section("logging"), folder: folder)
        replication = try ReplicationConfiguration(try reader.section("replicator"), root: reader)
        passedOver = try PassedOver.keys(reader)
    }

    private mutating func readAPI(_ api: ConfigurationReader, folder: String) throws(ConfigurationError) {
        try api.allow(
            [
                "public_interface", "admin_interface", "metrics_interface", "admin_interface_authentication",
                "metrics_interface_authentication", "admin_host_names", "allow_open_admin_interface", "https", "cors",
                "trusted_proxies",
            ], passedOver: PassedOver.api)
        publicInterface = try api.interface("public_interface") ?? publicInterface
        adminInterface = try api.interface("admin_interface") ?? adminInterface
        metricsInterface = try api.interface("metrics_interface") ?? metricsInterface
        adminAuthentication = try api.bool("admin_interface_authentication") ?? true
        metricsAuthentication = try api.bool("metrics_interface_authentication") ?? true
        adminHostNames = try api.strings("admin_host_names") ?? []
        allowsOpenAdmin = try api.bool("allow_open_admin_interface") ?? false
        trustedProxies = try api.addressRanges("trusted_proxies") ?? []
        try readTLS(try api.section("https"), folder: folder)
        let cors = try api.section("cors")
        try cors.allow(Set(CrossOriginRules.members.map(\.text)))
        crossOrigin = CrossOriginRules(
            origins: try cors.strings("origin") ?? [], loginOrigins: try cors.strings("login_origin") ?? [],
            headers: try cors.strings("headers") ?? [],
            maxAge: try cors.number("max_age", in: 0...CrossOriginRules.longestAge) ?? 0)
    }

    private mutating func readTLS(_ https: ConfigurationReader, folder: String) throws(ConfigurationError) {
        try https.allow(["tls_cert_path", "tls_key_path", "tls_minimum_version"])
        let certificate = try https.string("tls_cert_path")
        let key = try https.string("tls_key_path")
        let version: TLS.Version = try https.choice("tls_minimum_version") ?? .tlsv1_2
        switch (certificate, key) {
        case (nil, nil): tls = nil
        case (let certificate?, let key?):
            tls = TLS(
                certificatePath: Self.resolve(certificate, in: folder), keyPath: Self.resolve(key, in: folder),
                minimumVersion: version)
        case (nil, _?), (_?, nil):
            throw ConfigurationError(
                https.file, problem: "api.https needs both tls_cert_path and tls_key_path",
                hint: "Or neither, for no TLS")
        }
    }

    static func resolve(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : (folder.isEmpty ? path : folder + "/" + path)
    }
}
