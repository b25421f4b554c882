import Foundation
import GatewayCore
import Glibc
import SodiumCrypto

/// Makes a new gateway's folder: configuration, certificate, storage and an administrator.
package struct GatewaySetup {
    package struct Result {
        package let configurationPath: String
        package let adminPassword: String
        /// `nil` without TLS.
        package let certificate: CertificateFiles.State?
        /// The file that laptops pin.
        package let authorityPath: String
    }

    private let folder: String
    private let hosts: [String]
    private let hasTLS: Bool

    package init(folder: String, hosts: [String], hasTLS: Bool) {
        self.folder = folder
        self.hosts = hosts
        self.hasTLS = hasTLS
    }

    package func run() throws -> Result {
        try HostName.check(hosts)
        let configurationPath = folder + "/gateway.yaml"
        guard !FileManager.default.fileExists(atPath: configurationPath) else {
            throw ConfigurationError(
                configurationPath, problem: "is there already and was left as it is", hint: "Choose another --folder")
        }
        try ConfigurationCheck.checkFolder(folder, key: "--folder")
        try ConfigurationCheck.makeFolder(folder, key: "--folder")
        let tls = GatewayConfiguration.TLS(certificatePath: folder + "/cert.pem", keyPath: folder + "/key.pem")
        let files = CertificateFiles(tls)
        if hasTLS, let present = files.present {
            throw ConfigurationError(
                present, problem: "is there already; laptops may have pinned its certificates",
                hint: "Put gateway.yaml back, or choose another --folder")
        }
        do {
            let certificate = hasTLS ? try make(files) : nil
            let password = Self.newPassword()
            try Administrators.set("admin", password: password, storage: folder + "/data")
            // Written last: it shows that all files exist.
            try PrivateFile.write(Self.template(hasTLS: hasTLS), to: configurationPath, mode: 0o600)
            return Result(
                configurationPath: configurationPath, adminPassword: password, certificate: certificate,
                authorityPath: files.authority)
        } catch {
            // No laptop has these files yet, and they would keep the next run from making others.
            if hasTLS { files.remove() }
            throw error
        }
    }

    private func make(_ files: CertificateFiles) throws -> CertificateFiles.State {
        _ = try files.make(hosts: hosts)
        return try files.state()
    }

    /// 20 characters that cannot be confused with each other: 99 bits.
    package static func newPassword() -> String {
        let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789".utf8)
        var characters: [UInt8] = []
        while characters.count < 20 {
            // Bytes beyond the last whole multiple are skipped: they would make the first characters more likely.
            for byte in SecureRandom.bytes(32) where byte < 248 && characters.count < 20 {
                characters.append(alphabet[Int(byte) % alphabet.count])
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    // MARK: - Configuration

    private static func template(hasTLS: Bool) -> String { interfaces(hasTLS: hasTLS) + storageAndLogging }

    private static func interfaces(hasTLS: Bool) -> String {
        let https =
            hasTLS
            ? """
              https:
                tls_cert_path: cert.pem
                tls_key_path: key.pem
            """
            : """
              # https:
              #   tls_cert_path: cert.pem
              #   tls_key_path: key.pem
            """
        return """
            # The configuration of a Fieldbook gateway. Keys under `api` and `logging` mean what they mean in
            # Sync Gateway's start-up configuration. Relative paths count from this file's folder.

            api:
              # Where laptops and apps connect. 127.0.0.1:4984 keeps it to this machine.
              public_interface: "0.0.0.0:4984"
              # Databases, users and roles are made here. Leave it on loopback, or put a firewall before it.
              admin_interface: "127.0.0.1:4985"
              # Prometheus reads /metrics here.
              metrics_interface: "127.0.0.1:4986"
              # Both ask for the administrator's name and password unless this is false.
              admin_interface_authentication: true
              metrics_interface_authentication: true
            \(https)
              # Web pages that may use the public port from a browser, and those that may sign in there.
              # cors:
              #   origin: ["https://app.example.org"]
              #   login_origin: ["https://app.example.org"]
              #   headers: ["Content-Type", "Authorization"]
              #   max_age: 600


            """
    }

    private static let storageAndLogging = """
        storage:
          # One folder a database. Do not copy it while the gateway runs: 'fieldbook-gateway backup' does.
          path: data

        logging:
          # Where the audit log goes: actions of administrators on the admin port, and all sign-ins.
          log_file_path: logs
          audit:
            enabled: true
          # Data that are marked on the console, so that they can be taken out of a log that is passed on: none, partial
          # (users' data: <ud>mara</ud>), full (databases and addresses, too: <sd>field</sd>); hidden puts
          # pseudonyms in its place.
          redaction_level: partial
          console:
            # trace, debug, info, warn, error, none
            log_level: info
            # text or json
            format: text

        """
}
