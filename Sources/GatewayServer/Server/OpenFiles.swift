import Glibc

/// The files and connections that the process may have open at once. If none are left, databases cannot be read, the
/// admin port cannot be reached, and the runtime ends the process.
package enum OpenFiles {
    /// Raises the limit as far as the system lets the process: shells start programs with 1,024.
    package static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, GatewayServerLimits.openFiles))
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The most simultaneous connections of a port, as far as the process may have so many files open: the rest is for
    /// databases and the other ports.
    static func connections(of port: GatewayPort, limit: Int = limit) -> Int {
        let besides = min(GatewayServerLimits.filesBesides, limit / 2)
        return switch port {
        case .publicAPI: min(GatewayServerLimits.connections, limit - besides)
        case .admin, .metrics: min(GatewayServerLimits.connectionsOfAdministrators, besides / 4)
        }
    }

    private static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }
}
