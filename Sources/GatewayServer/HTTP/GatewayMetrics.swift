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
    }

    private struct State {
        var requests: [String: Int] = [:]
        var inFlight = 0
        var seconds: Double = 0
        var failures = 0
        var databases: [String: Database] = [:]
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now

    private let requestLimit: Int

    package init(requestLimit: Int) { self.requestLimit = requestLimit }

    /// False when there are too many; it has to end all the same.
    func requestBegan() -> Bool {
        state.withLock { state in
            state.inFlight += 1
            return state.inFlight <= requestLimit
        }
    }

    func requestEnded() { state.withLock { $0.inFlight -= 1 } }

    func countRequest(port: GatewayPort, status: Int, duration: Duration) {
        let seconds = duration / .seconds(1)
        state.withLock { state in
            state.requests["port=\"\(port.name)\",status=\"\(status)\"", default: 0] += 1
            state.seconds += seconds
            // What is not served for now, or not at all, is no failure.
            if status >= 500, status != 501, status != 503 { state.failures += 1 }
        }
    }

    /// Only of databases that there are: names that somebody made up would fill the memory.
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

    /// The same numbers under the names of Sync Gateway's `_expvar`.
    func json(auditLines: Int, databases: [(name: String, sequence: UInt64)], deltas: [DeltaMetrics]) -> JSONObject {
        let state = state.withLock { $0 }
        var each = JSONObject()
        for (name, sequence) in databases {
            let counts = state.databases[name] ?? Database()
            each[name] = [
                "database": [
                    "num_public_rest_requests": .int(counts.publicRequests),
                    "num_replications_active": .int(counts.connections),
                    "num_replications_total": .int(counts.connectionsTotal),
                    "last_sequence_assigned_value": .number(JSONNumber(sequence)),
                ],
                "security": [
                    "auth_success_count": .int(counts.rightLogins), "auth_failed_count": .int(counts.wrongLogins),
                ],
            ]
        }
        DeltaMetrics.add(deltas, to: &each)
        return [
            "global": [
                "resource_utilization": [
                    "uptime": .int(Int((start.duration(to: .now) / .nanoseconds(1)).rounded())),
                    "process_memory_resident": .int(ProcessMemory.resident), "error_count": .int(state.failures),
                ],
                "audit": ["num_audits_logged": .int(auditLines)],
            ],
            "per_db": .object(each),
        ]
    }

    /// - Parameters:
    ///   - auditLines: of the audit log since the start.
    ///   - deltas: of the databases that use differences.
    ///   - conflictWrites: of the databases that allow conflicts, by name.
    func text(auditLines: Int, deltas: [DeltaMetrics], conflictWrites: [String: Int]) -> String {
        let state = state.withLock { $0 }
        var text = MetricsText()
        text.gauge("sgw_up", 1)
        text.gauge("sgw_resource_utilization_uptime", Int((start.duration(to: .now) / .nanoseconds(1)).rounded()))
        text.gauge("sgw_resource_utilization_process_memory_resident", ProcessMemory.resident)
        text.counter("sgw_resource_utilization_error_count", state.failures)
        text.counter("sgw_audit_num_audits_logged", auditLines)
        let databases = state.databases.sorted { $0.key < $1.key }
        func values(_ value: (Database) -> Int) -> [(String, Int)] {
            databases.map { ("database=\"\($0.key)\"", value($0.value)) }
        }
        text.family("sgw_security_auth_success_count", "counter", values(\.rightLogins))
        text.family("sgw_security_auth_failed_count", "counter", values(\.wrongLogins))
        text.family("sgw_database_num_public_rest_requests", "counter", values(\.publicRequests))
        text.family("sgw_database_num_replications_active", "gauge", values(\.connections))
        text.family("sgw_database_num_replications_total", "counter", values(\.connectionsTotal))
        text.family(
            "sgw_database_conflict_write_count", "counter",
            conflictWrites.sorted { $0.key < $1.key }.map { ("database=\"\($0.key)\"", $0.value) })
        DeltaMetrics.add(deltas, to: &text)
        text.family(
            "fieldbook_gateway_requests_total", "counter", state.requests.sorted { $0.key < $1.key }.map { ($0, $1) })
        text.gauge("fieldbook_gateway_requests_in_flight", state.inFlight)
        text.counter("fieldbook_gateway_request_milliseconds_total", Int(state.seconds * 1_000))
        return text.text
    }
}
