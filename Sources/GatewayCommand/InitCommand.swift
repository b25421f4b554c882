import ArgumentParser
import DocumentValues
import Foundation
import GatewayServer

/// `fieldbook-gateway init`
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes a configuration, a certificate and an admin password, which is shown once.",
        discussion: """
            The certificate is signed by an authority of the gateway's own, which laptops pin.

            Example:  fieldbook-gateway init --folder gateway --host field.example.org
            """)

    @Option(help: "The folder to make.")
    var folder = "gateway"

    @Option(help: "A name or address under which clients reach the gateway; may be given several times.")
    var host: [String] = []

    @Flag(help: "No certificate: clients use ws:// and http://.")
    var noTls = false

    func run() throws {
        let result: GatewaySetup.Result
        do {
            result = try GatewaySetup(folder: folder, hosts: host, hasTLS: !noTls).run()
        } catch let error as ConfigurationError {
            throw Failure("\(error)")
        }
        print(
            """
            Wrote \(result.configurationPath)
            Administrator:  admin
            Password:       \(result.adminPassword)
            Write the password down: it is kept as a hash only and cannot be shown again.

            Start the gateway:  fieldbook-gateway serve --config \(result.configurationPath)
            """)
        if let certificate = result.certificate {
            print("Certificate (SHA-256):  \(certificate.fingerprint)")
            print("Give laptops this file, by login --pinned-cert:  \(result.authorityPath)")
        }
    }
}

/// `fieldbook-gateway password`
struct PasswordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Sets a new random password for an administrator and shows it once.",
        discussion: "Example:  fieldbook-gateway password --config gateway.yaml admin")

    @Option(help: "The configuration of the gateway.")
    var config: String

    @Argument(help: "The administrator's name.")
    var name = "admin"

    @Flag(help: "Makes a new administrator; refused where there is one of that name.")
    var new = false

    func run() throws {
        do {
            let configuration = try GatewayConfiguration(file: config)
            let known = try Administrators.names(storage: configuration.storagePath)
            let isKnown = known.contains { $0.isExactly(name) }
            guard new || known.isEmpty || isKnown else {
                throw Failure(
                    "There is no administrator \(name), only \(known.joined(separator: ", ")). Add --new to make one")
            }
            guard !new || !isKnown else {
                throw Failure("There is an administrator \(name) already. Leave out --new to change their password")
            }
            if !isKnown, let problem = AdministratorName.problem(with: name) { throw Failure(problem) }
            let password = GatewaySetup.newPassword()
            try Administrators.set(name, password: password, storage: configuration.storagePath)
            print(
                "Password of \(name.printableLine): \(password)\nIt takes effect at once, also while the gateway runs.")
            for other in isKnown ? [] : AdministratorName.alike(name, among: known) {
                Output.line(
                    "There is an administrator \(other), too: they are two persons, with passwords of their own")
            }
        } catch let error as ConfigurationError {
            throw Failure("\(error)")
        }
    }
}
