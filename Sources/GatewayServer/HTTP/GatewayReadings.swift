import Foundation
import GatewayCore

/// The numbers that the metrics show beside their own counters, as they are at the time of the request.
struct GatewayReadings: Sendable {
    /// Lines of the audit log since the start.
    let auditLines: AuditLog.Lines
    let log: LogCounts
    /// All databases, also those that are not served.
    let health: [DatabaseHealth]
    /// All that are served.
    let activities: [ActivityMetrics]
    /// The databases that use differences.
    let deltas: [DeltaMetrics]
    /// Writes that left a document in conflict, of the databases that allow it.
    let conflictWrites: [(database: String, count: Int)]
    /// The memory of unfinished requests and messages.
    let memory: RequestMemory
    /// Seconds since 1970; `nil` without TLS.
    let certificateExpires: Int?

    init(_ gateway: GatewayContext) {
        let databases = gateway.databases.all
        auditLines = gateway.logs.audit?.lines ?? AuditLog.Lines()
        log = gateway.logs.counts
        health = DatabaseHealth.all(gateway.databases)
        activities = ActivityMetrics.all(databases)
        deltas = DeltaMetrics.all(databases)
        conflictWrites = databases.filter(\.allowsConflicts).map { ($0.name, $0.documents.conflictWrites) }
        memory = gateway.memory
        certificateExpires = gateway.certificate?.expires.map { Int($0.timeIntervalSince1970) }
    }
}
