import ArgumentParser
import Foundation
import GatewayServer

/// `fieldbook-gateway certificate`
struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate", abstract: "Shows and renews the gateway's certificate.",
        subcommands: [Show.self, Renew.self, New.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The certificate's names, the day on which it expires, and its fingerprint.",
            discussion: "Example:  fieldbook-gateway certificate show --config gateway.yaml")

        @Option(help: "The configuration of the gateway.")
        var config: String

        func run() throws {
            try CertificateCommand.withFiles(config) { files in
                let state = try files.state()
                Output.line("For:                    \(state.hosts.joined(separator: ", "))")
                Output.line("Valid until:            \(CertificateCommand.day(state.expires))")
                Output.line("Certificate (SHA-256):  \(state.fingerprint)")
                if let authority = state.authorityFingerprint {
                    Output.line("Authority (SHA-256):    \(authority), in \(files.authority)")
                }
            }
        }
    }

    struct Renew: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replaces the certificate by a new one of the same authority.",
            discussion: """
                The gateway takes it over within ten seconds, and laptops that pin authority.pem notice nothing. \
                A certificate that signed itself becomes the authority: laptops that signed in with --self-signed \
                before 'login' pinned it, or with --offline, have to sign in again.

                Example:  fieldbook-gateway certificate renew --config gateway.yaml
                """)

        @Option(help: "The configuration of the gateway.")
        var config: String

        @Option(
            help: """
                A name or address of the gateway; may be given several times. They replace those in the certificate;
                localhost and 127.0.0.1 stay.
                """)
        var host: [String] = []

        func run() throws {
            try CertificateCommand.withFiles(config) { files in
                let issued = try files.renew(hosts: host)
                Output.line("A new certificate is valid until \(CertificateCommand.day(issued.expires))")
                Output.line("Certificate (SHA-256):  \(issued.fingerprint)")
                Output.line("Laptops pin the authority, which is the same:  \(files.authority)")
                if issued.replacesSelfSigned {
                    Output.line(
                        "The certificate is no longer self-signed. A laptop that complains of that has to sign in "
                            + "again, once: fieldbook login")
                }
                guard issued.endsWithAuthority else { return }
                Output.line(
                    "The authority ends on that day, too, and none of its certificates is accepted for longer. Before "
                        + "then make a new one: fieldbook-gateway help certificate new")
            }
        }
    }

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a new authority and its first certificate, where there are none.",
            discussion: """
                Laptops trust the authority, not the certificate: each has to sign in again, with \
                'fieldbook login', and is shown the new fingerprint.

                Example:  fieldbook-gateway certificate new --host sync.example.org --config gateway.yaml
                """)

        @Option(help: "The configuration of the gateway.")
        var config: String

        @Option(help: "A name or address of the gateway; may be given several times.")
        var host: [String] = []

        func run() throws {
            try CertificateCommand.withFiles(config) { files in
                let issued = try files.replace(hosts: host)
                Output.line("A new certificate is valid until \(CertificateCommand.day(issued.expires))")
                Output.line("Certificate (SHA-256):  \(issued.fingerprint)")
                Output.line("Laptops pin the new authority:  \(files.authority)")
            }
        }
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }

    private static func withFiles(_ config: String, body: (CertificateFiles) throws -> Void) throws {
        do {
            guard let tls = try GatewayConfiguration(file: config).tls else {
                throw Failure("\(config) names no certificate: the gateway is without TLS")
            }
            try body(CertificateFiles(tls))
        } catch let error as ConfigurationError {
            throw Failure("\(error)")
        }
    }
}
