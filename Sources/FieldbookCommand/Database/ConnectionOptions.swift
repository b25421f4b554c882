import ArgumentParser
import DocumentValues
import Fieldbook
import Foundation

/// How to connect to a gateway, and how often to try it.
struct ConnectionOptions: ParsableArguments {
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

    func validate() throws {
        guard heartbeat ?? 1 > 0, maxAttemptWait ?? 1 > 0 else { throw ValidationError("Seconds must be positive.") }
    }

    func certificate() throws -> Certificate? {
        try pinnedCert.map { path in
            guard let data = FileManager.default.contents(atPath: path) else {
                throw CommandFailure("The certificate file \(path) cannot be read.")
            }
            return try Certificate(data: data)
        }
    }

    func apply(to configuration: inout ReplicatorConfiguration) {
        configuration.acceptOnlySelfSignedServerCertificate = selfSigned
        if !headers.isEmpty {
            configuration.headers = Dictionary(headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        }
        if let heartbeat { configuration.heartbeat = heartbeat }
        if let maxAttempts { configuration.maxAttempts = maxAttempts }
        if let maxAttemptWait { configuration.maxAttemptWaitTime = maxAttemptWait }
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
