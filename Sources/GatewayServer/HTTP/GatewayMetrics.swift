import DocumentValues
import GatewayCore
import Synchronization

/// Counters for Prometheus: named as Sync Gateway's where they mean the same, with our own prefix where not.
package final class GatewayMetrics: Sendable {
    private struct Database {
        var rightLogins = 0
        var wrongLogins = 0
        var publicRequests = 0
        var connections = 0
        var connectionsTotal = 0
        var connectionsRefused = 0
    }

    /// Requests that are counted together; their label is made when the numbers are read.
    private struct AnswerKind: Hashable {
        let port: GatewayPort
        let status: Int

        var label: String { "port=\"\(port.name)\",status=\"\(status)\"" }
    }

    private struct State {
        var requests: [AnswerKind: Int] = [:]
        var inFlight = 0
        var seconds: Double = 0
        var databases: [String: Database] = [:]
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now

    package init() {}

    func requestBegan() { state.withLock { $0.inFlight += 1 } }

    func requestEnded() { state.withLock { $0.inFlight -= 1 } }

    func countRequest(port: GatewayPort, status: Int, duration: Duration) {
        let seconds = duration / .seconds(1)
        state.withLock { state in
            state.requests[AnswerKind(port: port, status: status), default: 0] += 1
            state.seconds += seconds
        }
    }

    /// Counted for existing databases only: invented names would fill the memory.
    func countPublicRequest(_ database: String) {
        state.withLock { $0.databases[database, default: .init()].publicRequests += 1 }
    }

    /// - Parameter database: `nil` for administrators, who are counted under no database.
    func countLogin(_ database: String?, isRight: Bool) {
        guard let database else { return }
        state.withLock { state in
            if isRight {
                state.databases[database, default: .init()].rightLogins += 1
            } else {
                state.databases[database, default: .init()].wrongLogins += 1
            }
        }
    }

    func syncConnectionOpened(_ database: String) {
        state.withLock { state in
            state.databases[database, default: .init()].connections += 1
            state.databases[database, default: .init()].connectionsTotal += 1
        }
    }

    func syncConnectionClosed(_ database: String) {
        state.withLock { $0.databases[database, default: .init()].connections -= 1 }
    }

    /// Counts a connection that was refused because of the configuration's limit, or that of one user.
    func syncConnectionRefused(_ database: String) {
        state.withLock { $0.databases[database, default: .init()].connectionsRefused += 1 }
    }

    /// The same numbers under the names of Sync Gateway's `_expvar`.
    func json(with readings: GatewayReadings) -> JSONObject {
        let state = state.withLock { $0 }
        var each = JSONObject()
        for activity in readings.activities {
            let counts = state.databases[activity.database] ?? Database()
            each[activity.database] = [
                "database": [
                    "num_public_rest_requests": .int(counts.publicRequests),
                    "num_replications_active": .int(counts.connections),
                    "num_replications_total": .int(counts.connectionsTotal),
                    "num_replications_rejected_limit": .int(counts.connectionsRefused),
                ],
                "security": [
                    "auth_success_count": .int(counts.rightLogins), "auth_failed_count": .int(counts.wrongLogins),
                ],
            ]
        }
        ActivityMetrics.add(readings.activities, to: &each)
        DeltaMetrics.add(readings.deltas, to: &each)
        return [
            "global": [
                "resource_utilization": [
                    "uptime": .int(uptime),
                    "process_memory_resident": .int(ProcessMemory.resident), "error_count": .int(readings.log.errors),
                    "warn_count": .int(readings.log.warnings),
                ],
                "audit": ["num_audits_logged": .int(readings.auditLines.written)],
            ],
            "per_db": .object(each),
        ]
    }

    func text(with readings: GatewayReadings) -> String {
        let state = state.withLock { $0 }
        var text = MetricsText()
        addProcess(readings, to: &text)
        Self.addMemory(readings.memory, to: &text)
        text.counter(
            "sgw_audit_num_audits_logged", help: "Lines written to the audit log.", value: readings.auditLines.written)
        text.counter(
            "fieldbook_gateway_audit_lines_lost",
            help: "Lines that the audit log could not take, as on a full disk.", value: readings.auditLines.lost)
        DatabaseHealth.add(readings.health, to: &text)
        Self.add(state.databases, to: &text)
        text.family(
            "sgw_database_conflict_write_count", kind: .counter, help: "Writes that left a document in conflict.",
            values: readings.conflictWrites.sorted { $0.database < $1.database }
                .map { ("database=\"\($0.database)\"", $0.count) })
        ActivityMetrics.add(readings.activities, to: &text)
        DeltaMetrics.add(readings.deltas, to: &text)
        Self.addRequests(state, to: &text)
        return text.text
    }

    /// Nanoseconds since the start.
    private var uptime: Int { Int((start.duration(to: .now) / .nanoseconds(1)).rounded()) }

    private func addProcess(_ readings: GatewayReadings, to text: inout MetricsText) {
        text.gauge("sgw_up", help: "1 while the gateway answers.", value: 1)
        text.counter("sgw_resource_utilization_uptime", help: "Nanoseconds since the start.", value: uptime)
        text.gauge(
            "sgw_resource_utilization_process_memory_resident", help: "Bytes of memory that the gateway holds.",
            value: ProcessMemory.resident)
        text.counter("sgw_resource_utilization_error_count", help: "Errors in the log.", value: readings.log.errors)
        text.counter("sgw_resource_utilization_warn_count", help: "Warnings in the log.", value: readings.log.warnings)
        if let expires = readings.certificateExpires {
            text.gauge(
                "fieldbook_gateway_certificate_expiry_seconds",
                help: "When the certificate ends, in seconds since 1970.",
                value: expires)
        }
    }

    private static func addMemory(_ memory: RequestMemory, to text: inout MetricsText) {
        text.family(
            "fieldbook_gateway_unfinished_bytes", kind: .gauge,
            help: "Bytes of requests and attachments that are being received, and where they are kept.",
            values: [("in=\"memory\"", memory.arriving.taken), ("in=\"storage\"", memory.staged.taken)])
        text.gauge(
            "fieldbook_gateway_unsent_bytes", help: "Bytes in memory that wait to be sent to clients.",
            value: memory.sending.taken)
    }

    private static func addRequests(_ state: State, to text: inout MetricsText) {
        text.family(
            "fieldbook_gateway_requests_total", kind: .counter, help: "Requests answered.",
            values: state.requests.map { ($0.key.label, $0.value) }.sorted { $0.0 < $1.0 })
        text.gauge(
            "fieldbook_gateway_requests_in_flight", help: "Requests that are not answered yet.", value: state.inFlight)
        text.counter(
            "fieldbook_gateway_request_milliseconds_total",
            help: "Milliseconds from requests to the beginning of their answers.",
            value: Int(state.seconds * 1_000))
    }

    private static func add(_ databases: [String: Database], to text: inout MetricsText) {
        let databases = databases.sorted { $0.key < $1.key }
        func family(_ name: String, kind: MetricsText.Kind, help: String, value: (Database) -> Int) {
            text.family(
                "sgw_\(name)", kind: kind, help: help,
                values: databases.map { ("database=\"\($0.key)\"", value($0.value)) })
        }
        family("security_auth_success_count", kind: .counter, help: "Successful logins.", value: \.rightLogins)
        family("security_auth_failed_count", kind: .counter, help: "Failed logins.", value: \.wrongLogins)
        family(
            "database_num_public_rest_requests", kind: .counter, help: "Requests on the public port.",
            value: \.publicRequests)
        family(
            "database_num_replications_active", kind: .gauge, help: "Open connections of the sync endpoint.",
            value: \.connections)
        family(
            "database_num_replications_total", kind: .counter,
            help: "Connections of the sync endpoint since the start.",
            value: \.connectionsTotal)
        family(
            "database_num_replications_rejected_limit", kind: .counter,
            help: "Connections of the sync endpoint refused because there were too many.", value: \.connectionsRefused)
    }
}
