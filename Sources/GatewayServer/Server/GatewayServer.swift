import Foundation
import GatewayCore
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import SyncFunction
import Synchronization

/// The gateway as a service: three ports over one registry of databases.
package struct GatewayServer: Service {
    private let context: GatewayContext
    private let configuration: GatewayConfiguration
    private let tls: NIOSSLContext?
    private let onReady: @Sendable (GatewayPort, Int) async -> Void

    /// Opens the storage; nothing is served before `run`.
    ///
    /// - Parameter onReady: called for each port when it listens, with its number.
    package init(
        configuration: GatewayConfiguration, syncFunctions: any SyncFunctionRunning, logger: Logger,
        onReady: @escaping @Sendable (GatewayPort, Int) async -> Void = { _, _ in }
    ) async throws {
        try FileManager.default.createDirectory(
            atPath: configuration.storagePath, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let databases = try await DatabaseRegistry.open(
            path: configuration.storagePath, syncFunctions: syncFunctions, logger: logger)
        context = GatewayContext(
            databases: databases, administrators: try Administrators(storage: configuration.storagePath),
            configuration: configuration, metrics: GatewayMetrics(), logger: logger)
        tls = try configuration.tls.map { try Self.tlsContext($0) }
        self.configuration = configuration
        self.onReady = onReady
    }

    package func run() async throws {
        let ports: [any Service] = [
            application(.publicAPI, configuration.publicInterface),
            application(.admin, configuration.adminInterface),
            application(.metrics, configuration.metricsInterface),
        ]
        let group = ServiceGroup(
            configuration: .init(
                services: ports.map { .init(service: $0, failureTerminationBehavior: .cancelGroup) },
                logger: context.logger))
        do {
            try await withGracefulShutdownHandler {
                try await group.run()
            } onGracefulShutdown: {
                context.logger.info("Shutting down")
            }
        } catch {
            await context.databases.close()
            throw error
        }
        await context.databases.close()
    }

    private func application(_ port: GatewayPort, _ interface: GatewayConfiguration.Interface) -> some Service {
        let (gateway, tls) = (context, port == .metrics ? nil : tls)
        let builder = HTTPServerBuilder { responder in
            GatewayChannel(responder: responder, port: port, gateway: gateway, tls: tls)
        }
        return GatewayPortService(
            port: port,
            interface: interface,
            application: Application(
                responder: GatewayResponder(port: port, gateway: gateway), server: builder,
                configuration: ApplicationConfiguration(
                    address: .hostname(interface.host, port: interface.port),
                    serverName: GatewayIdentity.serverHeader,
                    availableConnectionsDelegate: MaximumAvailableConnections(GatewayServerLimits.connections)),
                onServerRunning: { channel in await onReady(port, channel.localAddress?.port ?? interface.port) },
                logger: gateway.logger))
    }

    private static func tlsContext(_ tls: GatewayConfiguration.TLS) throws -> NIOSSLContext {
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
        configuration.minimumTLSVersion = tls.minimumVersion.lowercased() == "tlsv1.3" ? .tlsv13 : .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw ConfigurationError(tls.keyPath, "does not belong to the certificate \(tls.certificatePath)")
        }
    }
}

/// One port; a port that cannot be opened is named in the error.
private struct GatewayPortService<App: Service>: Service {
    let port: GatewayPort
    let interface: GatewayConfiguration.Interface
    let application: App

    func run() async throws {
        do {
            try await application.run()
        } catch let error as IOError {
            throw ConfigurationError(
                "\(interface.host):\(interface.port)", "the \(name) port cannot be opened: \(error)",
                hint: "Is another gateway running, or does the address belong to another machine?")
        }
    }

    private var name: String {
        switch port {
        case .publicAPI: "public"
        case .admin: "admin"
        case .metrics: "metrics"
        }
    }
}
