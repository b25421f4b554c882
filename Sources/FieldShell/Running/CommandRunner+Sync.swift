import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation
import Replication
import SQLiteStorage

/// Signing in and syncing.
extension CommandRunner {
    func sync(_ options: SyncOptions) async throws -> SyncReport {
        _ = try session.settings()
        if options.isContinuous { return try await SyncService(session, options: options).run() }
        let folder = ServiceFolder(of: session.folder)
        let client = ServiceClient(session: session, folder: folder)
        if try folder.isServiceRunning() { return try await serviceSync(client, options: options) }
        let connection = try session.signInSource(session.syncEnvironment(), passwordFile: options.passwordFile).read()
        try folder.prepare()
        guard let lock = try folder.takeExchangeLock() else {
            guard try folder.isServiceRunning() else { throw ServiceTrouble.folderIsBusy }
            return try await serviceSync(client, options: options)
        }
        defer { lock.release() }
        let run = SyncRun(session: session, configuration: try connection.configuration(continuous: false))
        let report = try await run.run(resets: options.resets)
        try session.noteConflicts(of: report)
        if report.end == .complete { try note(folder, connection: connection, report: report) }
        return report
    }

    private func serviceSync(_ client: ServiceClient, options: SyncOptions) async throws -> SyncReport {
        let report = try await client.sync(resets: options.resets)
        try session.noteConflicts(of: report)
        return report
    }

    /// For `status`: when everything was exchanged.
    private func note(_ folder: ServiceFolder, connection: GatewayConnection, report: SyncReport) throws {
        var notes = folder.notes()
        notes.secondsAhead = report.secondsAhead
        notes.lastExchange = session.environment.now().secondsSince1970
        notes.gateway = connection.settings.gateway?.absoluteString
        try folder.write(notes)
    }
}
