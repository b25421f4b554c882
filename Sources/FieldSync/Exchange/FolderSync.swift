import FieldModels
import FieldRecords
import Foundation
import SQLiteStorage

/// A sync of a folder on request: by its sync service if there is one, otherwise in this process.
///
/// ```swift
/// let sync = FolderSync(of: folder) { SignInSource(SyncEnvironment(field: field)) }
/// let report = try await sync.run { progress in show(progress) }
/// ```
public struct FolderSync {
    private let folder: ServiceFolder
    private let signIn: () throws -> SignInSource

    /// - Parameter signIn: called only if the records are exchanged here; if the service does it, the folder need not
    ///   be open.
    public init(of folder: FieldFolder, signIn: @escaping () throws -> SignInSource) {
        self.folder = ServiceFolder(of: folder)
        self.signIn = signIn
    }

    /// - Parameters:
    ///   - resets: compares everything again.
    ///   - show: gets its progress, on the caller's task.
    /// - Throws: `SyncProblem`, or why the sign-in is not possible.
    public func run(
        resets: Bool = false, stop: SyncStop = SyncStop(), show: @escaping (SyncProgress) -> Void = { _ in }
    ) async throws -> SyncReport {
        let client = ServiceClient(folder: folder, stop: stop, show: show)
        if try folder.isServiceRunning() { return try await client.sync(resets: resets) }
        let signIn = try signIn()
        let connection = try signIn.read()
        try folder.prepare()
        guard let lock = try folder.takeExchangeLock() else {
            guard try folder.isServiceRunning() else { throw SyncProblem.folderIsBusy }
            return try await client.sync(resets: resets)
        }
        defer { lock.release() }
        try signIn.environment.field.signIn.noteFirst(owner: connection.credentials.user)
        let run = SyncRun(
            environment: signIn.environment, configuration: try connection.configuration(continuous: false),
            stop: stop, show: show)
        var report = try await run.run(resets: resets)
        if report.end == .complete {
            try await fetchPhotos(signIn.environment, connection: connection, stop: stop, show: show, into: &report)
            // The exchange is reported even if the note cannot be written.
            do { try note(report, of: connection, now: signIn.environment.now().secondsSince1970) } catch {
                report.unnotedBecause = signIn.environment.wording.text(of: error).text
            }
        }
        return report
    }

    /// The records are exchanged already: a failure here only leaves photos to the next sync, and the report counts them.
    private func fetchPhotos(
        _ environment: SyncEnvironment, connection: GatewayConnection, stop: SyncStop,
        show: @escaping (SyncProgress) -> Void, into report: inout SyncReport
    ) async throws {
        let absent = environment.field.absentPhotos
        guard try absent.areKnown else { return }
        let fetch = PhotoFetch(environment, connection: connection, stop: stop, show: show)
        let outcome = try await fetch.fetch(at: PhotoPace(connection.settings.photos))
        report.counts.add(outcome.report.counts)
        report.failures += outcome.report.failures
        report.receivedPhotos.add(outcome.report.receivedPhotos.count, bytes: outcome.report.receivedPhotos.bytes)
        report.absentPhotos = try absent.count().files
    }

    /// Notes for the status when everything was exchanged.
    private func note(_ report: SyncReport, of connection: GatewayConnection, now: Int64) throws {
        try folder.change { notes in
            notes.secondsAhead = report.secondsAhead
            notes.lastExchange = now
            notes.gateway = connection.settings.gateway?.absoluteString
        }
    }
}
