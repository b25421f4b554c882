import DocumentValues
import HTTPTypes
import Logging

/// The log lines of each request: actions of administrators in the audit log, and all requests on the console, for
/// finding faults.
struct RequestLog {
    let gateway: GatewayContext

    func write(_ request: GatewayRequest, status: Int, duration: Duration) {
        // The parts are only made if the line is written.
        gateway.logger.debug(
            "Request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(Self.route(request))", "status": "\(status)",
                "client": "\(request.client)", "path": "\(Self.path(of: request.path))",
                "ms": "\(duration / .milliseconds(1))",
            ])
        guard request.port == .admin, Self.concernsADatabase(request) || Self.changesSomething(request) else { return }
        gateway.logs.audit?.administration(
            actor: gateway.administrators.actor(of: request), client: request.client, method: request.method.rawValue,
            path: Self.path(of: request.path), status: status)
    }

    /// A path without the ids of sessions, which are as good as passwords: the part behind `_session` is removed.
    static func path(of target: String) -> String {
        let parts = target.split(atByte: "/", omittingEmptySubsequences: false)
        let names = parts.map { GatewayRequest.decoded($0) }
        guard names.dropLast().containsExactly("_session") else { return target }
        return parts.indices.map { index in
            let isSession = index > 0 && names[index - 1].isExactly("_session") && !names[index].isEmpty
            return isSession ? hidden : String(parts[index])
        }.joined(separator: "/")
    }

    private static let hidden = "****"

    /// Monitors check every few seconds whether the gateway answers; these lines would hide the others.
    private static func concernsADatabase(_ request: GatewayRequest) -> Bool {
        guard let first = request.components.first else { return false }
        return first.utf8.first != UInt8(ascii: "_")
    }

    private static func changesSomething(_ request: GatewayRequest) -> Bool {
        request.method != .get && request.method != .head && request.method != .options
    }

    /// The reserved component in the path, which shows the kind of a request without its object.
    private static func route(_ request: GatewayRequest) -> Substring {
        request.components.first { $0.utf8.first == UInt8(ascii: "_") }
            ?? (request.components.count > 1 ? "document" : "database")
    }
}
