import Foundation
import Logging
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The certificate that new connections are shown. It can be replaced while the gateway runs; connections that are
/// open keep theirs.
package final class ServerCertificate: Sendable {
    /// What tells that a file is another one.
    private struct Stamp: Equatable {
        let certificate: Date?
        let key: Date?
    }

    private struct State {
        var context: NIOSSLContext
        var stamp: Stamp
    }

    private let configuration: GatewayConfiguration.TLS
    private let state: Mutex<State>

    package init(_ configuration: GatewayConfiguration.TLS) throws(ConfigurationError) {
        self.configuration = configuration
        // Before the files are read: a change in between is then seen as one.
        let stamp = Self.stamp(configuration)
        state = Mutex(State(context: try Self.load(configuration), stamp: stamp))
    }

    var context: NIOSSLContext { state.withLock { $0.context } }

    /// Reads the files again. Throws, and leaves the certificate as it is, when they do not fit together, as in the
    /// moment between the replacement of one and of the other.
    package func reload() throws(ConfigurationError) {
        let stamp = Self.stamp(configuration)
        let context = try Self.load(configuration)
        state.withLock { $0 = State(context: context, stamp: stamp) }
    }

    /// False if the files are those that were read.
    func reloadIfChanged() throws(ConfigurationError) -> Bool {
        guard Self.stamp(configuration) != state.withLock({ $0.stamp }) else { return false }
        try reload()
        return true
    }

    private static func stamp(_ tls: GatewayConfiguration.TLS) -> Stamp {
        func date(_ path: String) -> Date? {
            // Behind a link, as with certbot, it is the link's target that changes.
            let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        }
        return Stamp(certificate: date(tls.certificatePath), key: date(tls.keyPath))
    }

    private static func load(_ tls: GatewayConfiguration.TLS) throws(ConfigurationError) -> NIOSSLContext {
        let chain: [NIOSSLCertificateSource]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(tls.certificatePath).map { .certificate($0) }
        } catch {
            throw ConfigurationError(tls.certificatePath, "is not a readable PEM certificate")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: tls.keyPath, format: .pem)
        } catch {
            throw ConfigurationError(tls.keyPath, "is not a readable PEM private key")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(key))
        switch tls.minimumVersion {
        case .tlsv1_2: configuration.minimumTLSVersion = .tlsv12
        case .tlsv1_3: configuration.minimumTLSVersion = .tlsv13
        }
        configuration.applicationProtocols = ["http/1.1"]
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw ConfigurationError(tls.keyPath, "does not belong to the certificate \(tls.certificatePath)")
        }
    }
}

/// Looks now and then whether the certificate's files were replaced, for as long as it runs.
struct CertificateWatch: Service {
    let certificate: ServerCertificate
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: GatewayServerLimits.certificateInterval)
                } catch {
                    return
                }
                look()
            }
        }
    }

    private func look() {
        do {
            if try certificate.reloadIfChanged() { logger.info("Took over the new certificate") }
        } catch {
            logger.warning("The new certificate cannot be used; the old one stays", metadata: ["reason": "\(error)"])
        }
    }
}
