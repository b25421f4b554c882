import Foundation
import GatewayCore
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import SQLiteStorage
import ServiceLifecycle
import SyncFunction
import Synchronization

/// The gateway as a service: three ports over one registry of databases.
package struct GatewayServer: Service {
    let context: GatewayContext
    private let configuration: GatewayConfiguration
    private let certificate: ServerCertificate?
    private let bounds: GatewayBounds
    private let lock: FileLock
    private let onReady: @Sendable (GatewayPort, Int) async -> Void

    /// Opens the storage; nothing is served before `run`.
    ///
    /// - Parameters:
    ///   - logLevel: the level of the logger; requests of administrators change it.
    ///   - logCounts: the counts of the logger.
    ///   - bounds: the limits of unfinished requests and messages.
    ///   - onReady: called for each port when it listens, with its number.
    package init(
        configuration: GatewayConfiguration, syncFunctions: any SyncFunctionRunning, logger: Logger,
        logLevel: ConsoleLevel? = nil, logCounts: LogCounts = LogCounts(), bounds: GatewayBounds = GatewayBounds(),
        onReady: @escaping @Sendable (GatewayPort, Int) async -> Void = { _, _ in }
    ) async throws {
        try ConfigurationCheck.checkAdminPort(configuration)
        try ConfigurationCheck.checkAccount(configuration.storagePath)
        if configuration.logging.isAuditing { try ConfigurationCheck.checkAccount(configuration.logging.folder) }
        try ConfigurationCheck.makeFolder(configuration.storagePath, key: "storage.path")
        lock = try FileLock.take(storage: configuration.storagePath)
        Self.removeUnfinishedRestorations(configuration.storagePath, logger: logger)
        let audit = try Self.audit(configuration, logger: logger)
        let databases = try await DatabaseRegistry.open(
            path: configuration.storagePath,
            environment: DatabaseEnvironment(
                syncFunctions: syncFunctions, logger: logger,
                onRefusal: { database, refused in audit?.refusal(refused, database: database) }))
        certificate = try configuration.tls.map { tls throws(ConfigurationError) in try ServerCertificate(tls) }
        context = GatewayContext(
            databases: databases,
            administrators: try Administrators(storage: configuration.storagePath, audit: audit, logger: logger),
            configuration: configuration, metrics: GatewayMetrics(),
            replications: ReplicationSlots(limit: configuration.replication.connections),
            requests: EntryShares(
                of: "requests", total: configuration.requestsInFlight, ofUser: bounds.requestsOfUser,
                ofAddress: bounds.requestsOfAddress, logger: logger),
            memory: RequestMemory(bounds),
            certificate: certificate,
            logs: GatewayLogs(
                audit: audit, level: logLevel ?? ConsoleLevel(configuration.logging.level), counts: logCounts),
            logger: logger)
        self.configuration = configuration
        self.bounds = bounds
        self.onReady = onReady
    }

    /// A restoration that was killed leaves a copy as large as its database. If it cannot be removed, the gateway
    /// starts anyway.
    private static func removeUnfinishedRestorations(_ storage: String, logger: Logger) {
        do {
            for path in try BackupCopy.removeUnfinished(storage: storage) {
                logger.notice("Removed the files of an interrupted restore", metadata: ["path": "\(path)"])
            }
        } catch {
            logger.warning(
                "The files of an interrupted restore cannot be removed",
                metadata: ["storage": "\(storage)", "error": "\(GatewayError(error))"])
        }
    }

    package func run() async throws {
        do { try await checkPorts() } catch {
            await close()
            throw error
        }
        try await serve()
    }

    /// Opens each port and closes it again, before other parts begin: if one cannot be opened, none of them has to be
    /// stopped.
    private func checkPorts() async throws {
        try await PortCheck.run(
            ports.map { port, interface in { () async throws -> any Channel in try await interface.open(as: port) } })
    }

    private var ports: [(port: GatewayPort, interface: GatewayConfiguration.Interface)] {
        [
            (.publicAPI, configuration.publicInterface), (.admin, configuration.adminInterface),
            (.metrics, configuration.metricsInterface),
        ]
    }

    private func serve() async throws {
        await reportCollections()
        var services: [any Service] = ports.map { application($0.port, interface: $0.interface) }
        services.append(DatabaseMaintenance(registry: context.databases, logger: context.logger))
        services.append(AdministratorsWatch(administrators: context.administrators))
        if let certificate { services.append(CertificateWatch(certificate: certificate, logger: context.logger)) }
        let group = ServiceGroup(
            configuration: .init(
                services: services.map { .init(service: $0, failureTerminationBehavior: .cancelGroup) },
                logger: context.logger))
        do {
            try await withGracefulShutdownHandler {
                try await group.run()
            } onGracefulShutdown: {
                context.logger.info("Shutting down")
            }
        } catch {
            await close()
            throw error
        }
        await close()
    }

    private func reportCollections() async {
        for database in context.databases.all {
            do {
                let roles = try await database.principals.roleNames()
                report(FieldCollections(in: database.configuration().json, roles: roles), of: database)
            } catch {
                context.logger.warning(
                    "The roles of a database cannot be read, so its collections are not looked at",
                    metadata: ["db": "\(database.name)", "error": "\(GatewayError(error))"])
            }
        }
    }

    private func report(_ collections: FieldCollections, of database: GatewayDatabase) {
        let faults = [
            (
                collections.unguarded,
                "Collections of a field database have the default sync function: every user may write anything there"
            ), (collections.missing, "A field database lacks collections: no laptop syncs without them"),
            (
                collections.missingLater,
                "A field database lacks collections of this version: laptops do not exchange their records; field init adds them"
            ),
        ]
        for (names, fault) in faults where !names.isEmpty {
            context.logger.warning(
                "\(fault)", metadata: ["db": "\(database.name)", "collections": "\(names.joined(separator: ", "))"])
        }
    }

    private func close() async {
        await context.databases.close()
        lock.release()
    }

    private static func audit(
        _ configuration: GatewayConfiguration, logger: Logger
    ) throws(ConfigurationError) -> AuditLog? {
        guard configuration.logging.isAuditing else { return nil }
        return try AuditLog(folder: configuration.logging.folder, logger: logger)
    }

    /// Takes over files that an operator has replaced while the gateway runs: the certificate, and the audit log.
    ///
    /// If one cannot be used, the other is still taken over.
    package func reload() {
        reload("certificate") { try certificate?.reload() }
        reload("audit log") { try context.logs.audit?.reopen() }
    }

    private func reload(_ what: String, by step: () throws -> Void) {
        do {
            try step()
            context.logger.info("Reloaded", metadata: ["what": "\(what)"])
        } catch {
            context.logger.warning(
                "Not reloaded; the old one stays", metadata: ["what": "\(what)", "reason": "\(error)"])
        }
    }

    private func application(_ port: GatewayPort, interface: GatewayConfiguration.Interface) -> any Service {
        let (gateway, certificate) = (context, certificate)
        let accepted = OpenFiles.connections(of: port)
        let connections = PortEntries(to: port, accepted: accepted, bounds: bounds, logger: context.logger)
        let builder = HTTPServerBuilder { responder in
            GatewayChannel(
                responder: responder, port: port, gateway: gateway, certificate: certificate, connections: connections)
        }
        return GatewayPortService(
            port: port,
            interface: interface,
            application: Application(
                responder: GatewayResponder(port: port, gateway: gateway), server: builder,
                configuration: ApplicationConfiguration(
                    address: .hostname(interface.host, port: interface.port),
                    serverName: GatewayIdentity.serverHeader,
                    availableConnectionsDelegate: MaximumAvailableConnections(accepted)),
                onServerRunning: { channel in await onReady(port, channel.localAddress?.port ?? interface.port) },
                logger: gateway.logger))
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
            throw interface.failure(error, as: port)
        }
    }
}

extension GatewayConfiguration.Interface {
    /// Listens without accepting connections: a client that connects at this moment is disconnected when the port is
    /// closed again, and does not wait for an answer that never comes.
    func open(as port: GatewayPort) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.autoRead, value: false)
        do {
            return try await bootstrap.bind(host: host, port: self.port).get()
        } catch let error as IOError {
            throw failure(error, as: port)
        } catch let error as SocketAddressError.UnknownHost {
            throw ConfigurationError(
                "api.\(port.name)_interface", problem: "the host \(host) is not known here: \(error.errorDescription)",
                hint: "Write an address of this machine, such as 127.0.0.1:\(self.port), or :\(self.port) for all")
        }
    }

    fileprivate func failure(_ error: IOError, as port: GatewayPort) -> ConfigurationError {
        ConfigurationError(
            "\(host):\(self.port)",
            problem: "the \(port.name) port cannot be opened: \(String(cString: strerror(error.errnoCode)))",
            hint: "Is another gateway running, or does the address belong to another machine?")
    }
}
