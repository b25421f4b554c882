import FieldSync

extension ServiceState {
    /// One line for `systemctl status`.
    var line: String {
        let reason = why.map { ": " + AdviceText.text($0).replacing("\n", with: " ") } ?? ""
        switch activity {
        case .starting: return "Starting"
        case .connecting: return "Connecting"
        case .exchanging: return total > 0 ? "Syncing, \(completed) of \(total) records" : "Syncing"
        case .idle:
            guard let refused, refused > 0 else { return "Idle: everything is exchanged" }
            return "Idle: the gateway refused \(refused.of("record")), all else is exchanged; see: fieldbook outbox"
        case .offline: return "Offline" + reason
        case .waiting: return "Waiting" + reason
        case .stopping: return "Stopping"
        case .stopped: return "Stopped"
        }
    }
}
