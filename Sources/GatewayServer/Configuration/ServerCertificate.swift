import Foundation
import GatewayCore
import Logging
import NIOSSL
import ServiceLifecycle
import Synchronization
import X509

/// The certificate for new connections. It can be replaced while the gateway runs; open connections keep theirs.
package final class ServerCertificate: Sendable {
    private struct Stamp: Equatable {
        let certificate: FileStamp?
        let key: FileStamp?
    }

    private struct State {
        var context: NIOSSLContext
        var days: CertificateDays?
        /// The stamp of its files.
        var stamp: Stamp
        /// The stamp of unusable files, which are tried again each time and reported once.
        var unusable: Stamp?
    }

    private let configuration: GatewayConfiguration.TLS
    private let state: Mutex<State>

    package init(_ configuration: GatewayConfiguration.TLS) throws(ConfigurationError) {
        self.configuration = configuration
        // Taken before the files are read, so that a change in between is noticed.
        let stamp = Self.stamp(configuration)
        state = Mutex(
            State(context: try Self.load(configuration), days: CertificateDays(of: configuration), stamp: stamp))
    }

    var context: NIOSSLContext { state.withLock { $0.context } }

    /// When the present certificate expires; `nil` if it has no such date.
    var expires: Date? { state.withLock { $0.days?.end } }

    /// The remark on a certificate that laptops refuse, or soon will; `nil` while there is time.
    var remarkOnDays: String? { state.withLock { $0.days }?.remark(on: Date()) }

    /// Reads the files again. Throws, and leaves the certificate as it is, when they do not fit together, as in the
    /// moment between the replacement of one and of the other.
    package func reload() throws(ConfigurationError) {
        let stamp = Self.stamp(configuration)
        let context = try Self.load(configuration)
        let days = CertificateDays(of: configuration)
        state.withLock { $0 = State(context: context, days: days, stamp: stamp) }
    }

    /// False if the files are unchanged since they were read, or since they were found unusable.
    func reloadIfChanged() throws(ConfigurationError) -> Bool {
        let stamp = Self.stamp(configuration)
        let (read, unusable) = state.withLock { ($0.stamp, $0.unusable) }
        guard stamp != read else { return false }
        do {
            try reload()
            return true
        } catch {
            state.withLock { $0.unusable = stamp }
            guard stamp != unusable else { return false }
            throw error
        }
    }

    private static func stamp(_ tls: GatewayConfiguration.TLS) -> Stamp {
        Stamp(certificate: FileStamp(path: tls.certificatePath), key: FileStamp(path: tls.keyPath))
    }

    private static func load(_ tls: GatewayConfiguration.TLS) throws(ConfigurationError) -> NIOSSLContext {
        do { return try context(tls) } catch {
            guard let replaced = halfReplaced(tls) else { throw error }
            return replaced
        }
    }

    /// A renewal that was killed may have replaced one of the two files, with the other one still beside it.
    private static func halfReplaced(_ tls: GatewayConfiguration.TLS) -> NIOSSLContext? {
        var (withNewKey, withNewCertificate) = (tls, tls)
        withNewKey.keyPath = PrivateFile.unfinished(tls.keyPath)
        withNewCertificate.certificatePath = PrivateFile.unfinished(tls.certificatePath)
        return [withNewKey, withNewCertificate].lazy.compactMap { try? context($0) }.first
    }

    private static func context(_ tls: GatewayConfiguration.TLS) throws(ConfigurationError) -> NIOSSLContext {
        let chain: [NIOSSLCertificateSource]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(tls.certificatePath).map { .certificate($0) }
        } catch {
            throw CertificateFiles(tls).unreadable
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: tls.keyPath, format: .pem)
        } catch {
            throw CertificateFiles(tls).keyUnreadable
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
            throw CertificateFiles(tls).unrelated
        }
    }
}

/// Checks from time to time whether the certificate's files were replaced.
struct CertificateWatch: Service {
    let certificate: ServerCertificate
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var warned: ContinuousClock.Instant?
            while !Task.isCancelled {
                let isDue = warned.map { $0.duration(to: .now) >= GatewayServerLimits.certificateWarnings } ?? true
                if isDue, let remark = certificate.remarkOnDays {
                    logger.warning("\(remark)")
                    warned = .now
                }
                do {
                    try await Task.sleep(for: GatewayServerLimits.certificateInterval)
                } catch {
                    return
                }
                // A new certificate has its own dates, so it may be warned of again.
                if look() { warned = nil }
            }
        }
    }

    /// - Returns: whether there is another certificate.
    private func look() -> Bool {
        do {
            guard try certificate.reloadIfChanged() else { return false }
            logger.info("Took over the new certificate")
            return true
        } catch {
            logger.warning("The new certificate cannot be used; the old one stays", metadata: ["reason": "\(error)"])
            return false
        }
    }
}
