import DocumentValues
import Foundation
import Logging
import SyncFunction

/// The gateway's program, which the build puts beside the tests.
enum WorkerExecutable {
    static let path: String = {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().appendingPathComponent("fieldbook-gateway").path
    }()

    static func pool(_ change: (inout SyncFunctionLimits) -> Void = { _ in }) -> SyncFunctionPool {
        var limits = SyncFunctionLimits()
        change(&limits)
        return SyncFunctionPool(executable: path, limits: limits, logger: Logger(label: "test"))
    }
}

/// Runs one function on one document.
struct Trial {
    var function: String
    var document = "{}"
    var oldDocument: String?
    var meta = SyncFunctionMeta()
    var user: SyncFunctionUser?
    var database: Name = ""

    var call: SyncFunctionCall {
        SyncFunctionCall(
            function: SyncFunctionSource(function), document: Array(document.utf8),
            oldDocument: oldDocument.map { Array($0.utf8) }, meta: meta, user: user, database: database)
    }

    func outcome(_ pool: SyncFunctionPool = shared) async throws -> SyncFunctionOutcome {
        try await pool.run([call])[0]
    }

    static let shared = WorkerExecutable.pool()
}

extension SyncFunctionOutcome {
    static func refused(_ status: Int, _ reason: String) -> SyncFunctionOutcome {
        SyncFunctionOutcome(rejection: Rejection(status: status, reason: reason))
    }

    static let badPrincipal = refused(500, "Error in JS sync function")

    static func tooManyGrants(_ count: Int) -> SyncFunctionOutcome {
        refused(413, "The sync function grants \(count) times; 50000 are allowed")
    }
    static let exception = refused(500, "Exception in JS sync function")
}
