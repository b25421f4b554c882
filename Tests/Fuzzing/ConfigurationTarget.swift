import DocumentValues

@testable import GatewayCore
@testable import GatewayServer

extension FuzzTarget {
    /// The gateway's own configuration, YAML or JSON, and that of a database.
    static let configuration = FuzzTarget(
        name: "configuration",
        seeds: {
            let texts = [
                """
                api:
                  public_interface: "0.0.0.0:4984"
                  admin_interface: "[::1]:4985"
                  admin_interface_authentication: false
                  https: {tls_cert_path: cert.pem, tls_key_path: key.pem, tls_minimum_version: tlsv1.3}
                  cors:
                    origin: ["https://a.example", "*"]
                    max_age: 600
                storage: {path: &folder data}
                logging:
                  console: {log_level: debug, format: json}
                """,
                #"{"storage":{"path":"/var/lib/x"},"api":{"metrics_interface":":4986"}}"#,
                #"{"scopes":{"field":{"collections":{"a":{"sync":"function(d){}"}}}},"revs_limit":20,"cors":{"origin":["*"]}}"#,
                #"{"max_attachment_size_mb":5,"javascript_timeout_secs":3,"guest":{"disabled":false},"offline":true}"#,
                #"{"local_jwt":{"a":{"issuer":"https://i","client_id":"","algorithms":["ES256"],"jwks_uri":"https://i/k"}}}"#,
            ]
            return texts.map { Array($0.utf8) }
        }
    ) { bytes in
        _ = try? GatewayConfiguration(text: text(bytes), file: "gateway.yaml", environment: [:])
        let json = try JSONObject(parsing: bytes)
        let configuration = try GatewayDatabaseConfiguration(json)
        check(!configuration.collections.isEmpty, "a database without collections")
        check(configuration.attachmentSize > 0 && configuration.retention.revisions > 0, "a limit of nothing")
    }
}
