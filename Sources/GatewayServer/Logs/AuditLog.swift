import AccessControl
import DocumentValues
import Foundation
import GatewayCore
import Glibc
import Logging
import Synchronization

/// The log of actions: a line of JSON for each request on the admin port and for each attempt to sign in. Of the failed
/// attempts from one address only a limited number have a line. Only the gateway's account can read it; it names
/// people, which is its purpose, and holds no passwords, bodies or queries.
package final class AuditLog: Sendable {
    /// How an attempt to sign in ended.
    enum Outcome: String, Sendable { case accepted, refused, throttled }

    package static let fileName = "sg_audit.log"

    private let path: String
    private let logger: Logger
    private let file: Mutex<File>
    private let count = Atomic<Int>(0)
    private let lost = Atomic<Int>(0)
    private let isFailing = Atomic<Bool>(false)
    /// Of addresses, for attempts that failed.
    private let pace = Mutex(LogPace(limit: GatewayServerLimits.loginsAudited))
    /// Of users, for those that succeeded.
    private let acceptedPace = Mutex(LogPace(limit: GatewayServerLimits.loginsAudited))
    private let start = ContinuousClock.now

    package init(folder: String, logger: Logger) throws(ConfigurationError) {
        path = folder + "/" + Self.fileName
        self.logger = logger
        try ConfigurationCheck.makeFolder(folder, key: "logging.log_file_path")
        file = Mutex(File(descriptor: try Self.open(path)))
    }

    deinit { file.withLock { _ = close($0.descriptor) } }

    private struct File {
        var descriptor: Int32
        /// The last line is incomplete, as on a full disk: the next one begins behind an end of line.
        var isCut = false
    }

    /// The counts since the start.
    struct Lines: Sendable, Hashable {
        var written = 0
        /// Lines that could not be written.
        var lost = 0
    }

    var lines: Lines { Lines(written: count.load(ordering: .relaxed), lost: lost.load(ordering: .relaxed)) }

    /// Begins a new file where the old one was moved away, as logrotate does.
    func reopen() throws(ConfigurationError) {
        let new = try Self.open(path)
        file.withLock { file in
            close(file.descriptor)
            file = File(descriptor: new)
        }
    }

    /// A request on the admin port. `actor` is an administrator's name.
    func administration(actor: String, client: String, method: String, path: String, status: Int) {
        write([
            "event": "admin", "actor": .string(actor), "client": .string(client), "method": .string(method),
            "path": .string(path), "status": .int(Int64(status)),
        ])
    }

    /// A user or a role is different from before.
    func principal(
        _ kind: String, name: String, database: String, actor: String, client: String, changed: JSONObject
    ) {
        write([
            "event": .string(kind), "actor": .string(actor), "client": .string(client), "db": .string(database),
            "name": .string(name), "changed": .object(changed),
        ])
    }

    /// An administrator is there, gone, or has another password. The person is not known: it was a command that may write the
    /// file.
    func administrator(_ name: String, change: String) {
        write(["event": "administrator", "name": .string(name), "changed": .object([change: true])])
    }

    /// - Parameter database: `nil` for the admin and metrics ports.
    func login(_ outcome: Outcome, user: String, database: String?, client: String, means: String) {
        writeSummaries()
        let verdict =
            outcome == .accepted
            ? acceptedPace.withLock { $0.note(Name(user)) } : pace.withLock { $0.note(Name(client)) }
        guard verdict == .listed else { return }
        write([
            "event": "login", "outcome": .string(outcome.rawValue), "user": .string(user),
            "db": database.map { .string($0) } ?? .null, "client": .string(client), "means": .string(means),
        ])
    }

    /// A database was deleted; the line has the present path of its folder.
    func deletion(of database: String, actor: String, client: String, folder: String) {
        write([
            "event": "database_deleted", "actor": .string(actor), "client": .string(client), "db": .string(database),
            "folder": .string(folder),
        ])
    }

    func refusal(_ refused: RefusedDocument, database: String) {
        write([
            "event": "refusal", "user": refused.user.map { .string($0) } ?? .null, "db": .string(database),
            "collection": .string(refused.collection), "document": .string(refused.document),
            "status": .int(refused.status), "reason": .string(refused.reason),
        ])
    }

    private func write(_ event: JSONObject) {
        writeSummaries()
        writeLine(event)
    }

    private func writeSummaries() {
        let seconds = start.duration(to: .now).components.seconds
        writeSummaries(pace.withLock { $0.takeSummaries(at: seconds) }, of: "client")
        writeSummaries(acceptedPace.withLock { $0.takeSummaries(at: seconds) }, of: "user")
    }

    private func writeSummaries(_ summaries: [LogPace.Summary], of member: String) {
        for summary in summaries {
            writeLine([
                "event": "logins_not_listed", member: .string(summary.name.text), "count": .int(Int64(summary.count)),
            ])
        }
    }

    private func writeLine(_ event: JSONObject) {
        let time: JSONObject = ["time": .string(LogTime.now())]
        let line = time.setting(event)
        let bytes = Array("\(JSONValue.object(line))".printableJSON.utf8) + [UInt8(ascii: "\n")]
        let problem = file.withLock { Self.append(bytes, to: &$0) }
        if problem == nil { count.add(1, ordering: .relaxed) } else { lost.add(1, ordering: .relaxed) }
        guard isFailing.exchange(problem != nil, ordering: .relaxed) != (problem != nil) else { return }
        // Logged once, and once more at the end: on a full disk each request would have its line.
        guard let problem else {
            logger.notice("The audit log is written again", metadata: ["lost": "\(lines.lost)"])
            return
        }
        logger.error("The audit log cannot be written", metadata: ["reason": "\(problem)"])
    }

    /// One call for one line: several processes or threads do not mix theirs.
    ///
    /// - Returns: why it could not be written completely.
    private static func append(_ line: [UInt8], to file: inout File) -> String? {
        let bytes = (file.isCut ? [UInt8(ascii: "\n")] : []) + line
        let written = Glibc.write(file.descriptor, bytes, bytes.count)
        if written < 0 { return String(cString: strerror(errno)) }
        if written > 0 { file.isCut = bytes[written - 1] != UInt8(ascii: "\n") }
        return written == bytes.count ? nil : "it took only a part of a line"
    }

    private static func open(_ path: String) throws(ConfigurationError) -> Int32 {
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ConfigurationError(
                path, problem: "cannot be opened: \(String(cString: strerror(errno)))",
                hint: "Check who owns it, or set logging.audit.enabled to false")
        }
        return descriptor
    }
}
