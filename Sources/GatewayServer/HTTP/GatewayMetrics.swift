import Synchronization

/// Counters in the text form that Prometheus reads.
package final class GatewayMetrics: Sendable {
    private struct State {
        var requests: [String: UInt64] = [:]
        var inFlight = 0
        var seconds: Double = 0
        var syncConnections = 0
        var syncConnectionsTotal: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// False when there are too many; it has to end all the same.
    func requestBegan() -> Bool {
        state.withLock { state in
            state.inFlight += 1
            return state.inFlight <= GatewayServerLimits.requestsInFlight
        }
    }

    func requestEnded() { state.withLock { $0.inFlight -= 1 } }

    func countRequest(port: GatewayPort, status: Int, duration: Duration) {
        let name =
            switch port {
            case .publicAPI: "public"
            case .admin: "admin"
            case .metrics: "metrics"
            }
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        state.withLock { state in
            state.requests["port=\"\(name)\",status=\"\(status)\"", default: 0] += 1
            state.seconds += seconds
        }
    }

    func syncConnectionOpened() {
        state.withLock { state in
            state.syncConnections += 1
            state.syncConnectionsTotal += 1
        }
    }

    func syncConnectionClosed() { state.withLock { $0.syncConnections -= 1 } }

    var text: String {
        state.withLock { state in
            var lines = ["# TYPE sgw_resource_utilization_num_requests counter"]
            for (labels, count) in state.requests.sorted(by: { $0.key < $1.key }) {
                lines.append("sgw_resource_utilization_num_requests{\(labels)} \(count)")
            }
            lines.append("# TYPE sgw_requests_in_flight gauge")
            lines.append("sgw_requests_in_flight \(state.inFlight)")
            lines.append("# TYPE sgw_request_seconds_total counter")
            lines.append("sgw_request_seconds_total \(state.seconds)")
            lines.append("# TYPE sgw_replication_pull_num_replications_active gauge")
            lines.append("sgw_replication_pull_num_replications_active \(state.syncConnections)")
            lines.append("# TYPE sgw_replication_connections_total counter")
            lines.append("sgw_replication_connections_total \(state.syncConnectionsTotal)")
            return lines.joined(separator: "\n") + "\n"
        }
    }
}
