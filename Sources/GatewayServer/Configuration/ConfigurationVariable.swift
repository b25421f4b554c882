/// A setting that an environment variable can replace, for containers and units that share one file.
package struct ConfigurationVariable: Sendable {
    package static let prefix = "FIELDBOOK_GATEWAY_"

    package let name: String
    package let key: String

    private init(_ key: String) {
        self.key = key
        name = Self.prefix + key.uppercased().replacing(".", with: "_")
    }

    package static let all = [
        "api.public_interface", "api.admin_interface", "api.metrics_interface", "api.admin_interface_authentication",
        "api.metrics_interface_authentication", "api.admin_host_names", "api.allow_open_admin_interface",
        "api.trusted_proxies",
        "api.https.tls_cert_path", "api.https.tls_key_path",
        "api.https.tls_minimum_version", "api.cors.origin", "api.cors.login_origin", "api.cors.headers",
        "api.cors.max_age", "storage.path", "logging.log_file_path", "logging.redaction_level",
        "logging.console.log_level", "logging.console.format", "logging.console.enabled", "logging.audit.enabled",
        "replicator.blip_compression", "replicator.max_concurrent_replications",
    ].map { ConfigurationVariable($0) }

    /// The file's values, replaced by those of the environment.
    static func apply(
        _ environment: [String: String], to values: [String: Any]
    ) throws(ConfigurationError) -> [String: Any] {
        var values = values
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
            guard let variable = all.first(where: { $0.name == name }) else {
                throw ConfigurationError(
                    "the environment", problem: "\(name) is no setting of the gateway",
                    hint: "'fieldbook-gateway help serve' lists them")
            }
            set(try variable.value(text), at: variable.key.split(separator: ".").map(String.init)[...], in: &values)
        }
        return values
    }

    /// Written as in YAML: `true`, `10`, `[a, b]`; a text otherwise.
    private func value(_ text: String) throws(ConfigurationError) -> Any {
        do {
            // An interface such as 127.0.0.1:4984 or :4984 is a text, whatever YAML makes of it.
            return key.hasSuffix("interface") ? text : try YAMLText.load(text, file: "the environment") ?? ""
        } catch {
            throw ConfigurationError(
                "the environment", problem: "\(name) is not YAML", hint: "Put the text into quotation marks")
        }
    }

    private static func set(_ value: Any, at path: ArraySlice<String>, in values: inout [String: Any]) {
        guard let first = path.first else { return }
        guard path.count > 1 else {
            values[first] = value
            return
        }
        var section = values[first] as? [String: Any] ?? [:]
        set(value, at: path.dropFirst(), in: &section)
        values[first] = section
    }
}
