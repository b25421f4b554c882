import Foundation
import Yams

/// The start-up configuration of a gateway: keys under `api` and `logging` mean what Sync Gateway's mean, ours are
/// under `storage`.
package struct GatewayConfiguration: Sendable, Hashable {
    package struct Interface: Sendable, Hashable {
        package var host: String
        /// 0 for any that is free.
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    package struct TLS: Sendable, Hashable {
        package var certificatePath: String
        package var keyPath: String
        package var minimumVersion: String
    }

    package var publicInterface = Interface(host: "0.0.0.0", port: 4984)
    package var adminInterface = Interface(host: "127.0.0.1", port: 4985)
    package var metricsInterface = Interface(host: "127.0.0.1", port: 4986)
    package var adminAuthentication = true
    package var metricsAuthentication = true
    package var tls: TLS?
    package var logLevel = "info"
    package var storagePath: String

    package init(storagePath: String) { self.storagePath = storagePath }

    /// Reads a YAML or JSON file; relative paths in it count from the file's folder.
    package init(file path: String) throws(ConfigurationError) {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw ConfigurationError(
                path, "cannot be read", hint: "Make one with: fieldbook-gateway init --folder FOLDER")
        }
        let root: Any?
        do {
            root = try Yams.load(yaml: text)
        } catch {
            throw ConfigurationError(path, "is not YAML or JSON: \(error)")
        }
        guard let root = root as? [String: Any] else {
            throw ConfigurationError(path, "must be a mapping with the keys api and storage")
        }
        let reader = ConfigurationReader(file: path, values: root, prefix: "")
        try self.init(reader: reader, folder: (path as NSString).deletingLastPathComponent)
    }

    private init(reader: ConfigurationReader, folder: String) throws(ConfigurationError) {
        try reader.allow(["api", "storage", "logging"])
        let storage = try reader.section("storage")
        try storage.allow(["path"])
        guard let path = try storage.string("path") else {
            throw ConfigurationError(
                reader.file, "storage.path is missing", hint: "Name the folder in which the gateway keeps its databases"
            )
        }
        self.init(storagePath: Self.resolve(path, in: folder))
        try readAPI(try reader.section("api"), folder: folder)
        try readLogging(try reader.section("logging"))
    }

    private mutating func readAPI(_ api: ConfigurationReader, folder: String) throws(ConfigurationError) {
        try api.allow([
            "public_interface", "admin_interface", "metrics_interface", "admin_interface_authentication",
            "metrics_interface_authentication", "https",
        ])
        publicInterface = try api.interface("public_interface") ?? publicInterface
        adminInterface = try api.interface("admin_interface") ?? adminInterface
        metricsInterface = try api.interface("metrics_interface") ?? metricsInterface
        adminAuthentication = try api.bool("admin_interface_authentication") ?? true
        metricsAuthentication = try api.bool("metrics_interface_authentication") ?? true
        let https = try api.section("https")
        try https.allow(["tls_cert_path", "tls_key_path", "tls_minimum_version"])
        let certificate = try https.string("tls_cert_path")
        let key = try https.string("tls_key_path")
        switch (certificate, key) {
        case (nil, nil): tls = nil
        case (let certificate?, let key?):
            tls = TLS(
                certificatePath: Self.resolve(certificate, in: folder), keyPath: Self.resolve(key, in: folder),
                minimumVersion: try https.string("tls_minimum_version") ?? "tlsv1.2")
        case (nil, _?), (_?, nil):
            throw ConfigurationError(
                api.file, "api.https needs both tls_cert_path and tls_key_path", hint: "Or neither, for no TLS")
        }
    }

    private mutating func readLogging(_ logging: ConfigurationReader) throws(ConfigurationError) {
        try logging.allow(["console"])
        let console = try logging.section("console")
        try console.allow(["log_level", "enabled"])
        logLevel = try console.string("log_level") ?? logLevel
        let levels = ["trace", "debug", "info", "warn", "warning", "error", "none"]
        guard levels.contains(logLevel) else {
            throw ConfigurationError(
                logging.file, "logging.console.log_level '\(logLevel)' is unknown",
                hint: "Use one of \(levels.joined(separator: ", "))")
        }
    }

    private static func resolve(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : (folder.isEmpty ? path : folder + "/" + path)
    }
}

/// Reads one level of a configuration and names the full key where something is wrong.
private struct ConfigurationReader {
    let file: String
    let values: [String: Any]
    let prefix: String

    func allow(_ keys: Set<String>) throws(ConfigurationError) {
        guard let unknown = values.keys.filter({ !keys.contains($0) }).min() else { return }
        throw ConfigurationError(
            file, "unknown key '\(prefix)\(unknown)'", hint: "Known here: \(keys.sorted().joined(separator: ", "))")
    }

    func section(_ key: String) throws(ConfigurationError) -> ConfigurationReader {
        guard let value = values[key], !(value is NSNull) else {
            return ConfigurationReader(file: file, values: [:], prefix: "\(prefix)\(key).")
        }
        guard let section = value as? [String: Any] else {
            throw ConfigurationError(file, "'\(prefix)\(key)' must be a mapping")
        }
        return ConfigurationReader(file: file, values: section, prefix: "\(prefix)\(key).")
    }

    func string(_ key: String) throws(ConfigurationError) -> String? {
        guard let value = values[key], !(value is NSNull) else { return nil }
        guard let text = value as? String, !text.isEmpty else {
            throw ConfigurationError(file, "'\(prefix)\(key)' must be a text")
        }
        return text
    }

    func bool(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let value = values[key], !(value is NSNull) else { return nil }
        guard let bool = value as? Bool else {
            throw ConfigurationError(file, "'\(prefix)\(key)' must be true or false")
        }
        return bool
    }

    /// `host:port`, `:port` for every interface, or `[::1]:port`.
    func interface(_ key: String) throws(ConfigurationError) -> GatewayConfiguration.Interface? {
        guard let text = try string(key) else { return nil }
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else {
            throw ConfigurationError(
                file, "'\(prefix)\(key)' is '\(text)'", hint: "Write host:port, such as 127.0.0.1:4984")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        return GatewayConfiguration.Interface(host: host.isEmpty ? "0.0.0.0" : host, port: port)
    }
}
