import DocumentValues
import GatewayCore
import Logging

/// The dependencies of handlers. A class, because each request passes it on a dozen times.
package final class GatewayContext: Sendable {
    package let databases: DatabaseRegistry
    package let administrators: Administrators
    package let configuration: GatewayConfiguration
    package let metrics: GatewayMetrics
    let syncConnections = SyncConnections()
    let replications: ReplicationSlots
    let logins = LoginGuard()
    let refusedSignIns = RefusedSignIns()
    let handshakes = HandshakeRefusals()
    /// The requests in flight, by account.
    let requests: EntryShares
    /// The memory of unfinished requests and messages.
    let memory: RequestMemory
    /// `nil` without TLS.
    let certificate: ServerCertificate?
    let logs: GatewayLogs
    package let logger: Logger
    let pieces = PieceBudgets()

    init(
        databases: DatabaseRegistry, administrators: Administrators, configuration: GatewayConfiguration,
        metrics: GatewayMetrics, replications: ReplicationSlots, requests: EntryShares, memory: RequestMemory,
        certificate: ServerCertificate?, logs: GatewayLogs, logger: Logger
    ) {
        self.databases = databases
        self.administrators = administrators
        self.configuration = configuration
        self.metrics = metrics
        self.replications = replications
        self.requests = requests
        self.memory = memory
        self.certificate = certificate
        self.logs = logs
        self.logger = logger
    }
}

/// The logs that the gateway writes.
struct GatewayLogs: Sendable {
    /// `nil` if no audit log is kept.
    let audit: AuditLog?
    /// The level of the console log; it can be changed while the gateway runs.
    let level: ConsoleLevel
    let counts: LogCounts
    let endedSyncs = PacedLog(
        limit: GatewayServerLimits.syncsLogged,
        unlisted: "More syncs of one account ended within a minute than the log lists")
    let failedRequests = PacedLog(
        limit: GatewayServerLimits.failuresLogged,
        unlisted: "More requests of one account failed within a minute than the log lists")
}

extension GatewayContext {
    static func account(ofAddress client: String) -> Name { Name("address/\(client)") }
}
