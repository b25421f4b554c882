import FieldModels
import FieldRecords
import Foundation
import SQLiteStorage
import Testing

@testable import FieldSync

/// A sync as a program asks for it that has no terminal.
@Suite struct FolderSyncTests {
    private final class Shown {
        var all: [SyncProgress] = []
    }

    private let temporary: TemporaryFolder
    private let folder: ServiceFolder
    private let shown = Shown()

    init() throws {
        temporary = try TemporaryFolder(password: "secret")
        folder = try temporary.serviceFolder()
    }

    private func run(_ stop: SyncStop = SyncStop(), opens: Bool = true) async throws -> SyncReport {
        let field = temporary.field
        let sync = FolderSync(of: field.folder) {
            try #require(opens, "the folder is opened")
            return SignInSource(TemporaryFolder.environment(field))
        }
        return try await sync.run(stop: stop) { [shown] in shown.all.append($0) }
    }

    private func problem(_ stop: SyncStop = SyncStop(), opens: Bool = true) async throws -> SyncProblem? {
        do {
            _ = try await run(stop, opens: opens)
            return nil
        } catch let problem as SyncProblem {
            return problem
        }
    }

    @Test func aSyncThatIsStoppedSaysSo() async throws {
        let stop = SyncStop()
        stop.ask()
        let report = try await run(stop)
        #expect(report.end != .complete && report.by == .command && report.isEmpty)
        #expect(shown.all.first == .begun(by: .command) && shown.all.last == .idle)
        #expect(folder.notes().lastExchange == nil)
        #expect(try folder.takeExchangeLock() != nil, "it is not held any longer")
    }

    /// As where the user closes the view that shows it.
    @Test(.timeLimit(.minutes(1))) func aSyncThatIsCancelledHasNotExchangedEverything() async throws {
        let gateway = try SilentGateway()
        try temporary.signIn(password: "secret", gateway: gateway.address)
        let field = temporary.field
        let report = try await withThrowingTaskGroup(of: SyncReport.self) { group in
            group.addTask {
                try await FolderSync(of: field.folder) { SignInSource(TemporaryFolder.environment(field)) }.run()
            }
            await gateway.isConnected()
            group.cancelAll()
            return try #require(try await group.next())
        }
        #expect(report.end != .complete && folder.notes().lastExchange == nil, "\(report.end)")
        #expect(try folder.takeExchangeLock() != nil)
    }

    @Test(.timeLimit(.minutes(1))) func whatItFailedWithIsReported() async throws {
        guard case .failed(_, let report)? = try await problem() else {
            Issue.record("nobody listens there")
            return
        }
        #expect(report.isEmpty && report.end == .complete)
    }

    @Test func whileAnotherProgramExchangesThisOneDoesNot() async throws {
        let lock = try #require(try folder.takeExchangeLock())
        guard case .folderIsBusy? = try await problem() else {
            Issue.record("it is busy")
            return
        }
        #expect(shown.all.isEmpty)
        lock.release()
    }

    @Test func withoutASignInNothingIsTried() async throws {
        try FolderSettings().save(in: temporary.field.folder)
        await #expect(throws: SettingsError(.noLogin, path: temporary.field.folder.settingsFile.path)) {
            try await run()
        }
    }

    // MARK: By a service

    @Test func theServiceDoesItWithoutTheFolderOpen() async throws {
        let lock = try #require(try folder.takeServiceLock())
        let stop = SyncStop()
        stop.ask()
        guard case .notAwaited? = try await problem(stop, opens: false) else {
            Issue.record("it waited")
            return
        }
        #expect(shown.all == [.begun(by: .service), .idle])
        #expect(try folder.takeRequests().requests == [], "what nobody waits for is not asked for any more")
        lock.release()
    }

    @Test(.timeLimit(.minutes(1))) func whoIsCancelledDoesNotWaitForTheServiceThatGoesOn() async throws {
        let lock = try #require(try folder.takeServiceLock())
        defer { lock.release() }
        let (requests, continuation) = AsyncStream<Void>.makeStream()
        let watch = try FolderWatch(folder.url) { if ServiceFolder.isRequest($0) { continuation.yield() } }
        defer { watch.cancel() }
        let field = temporary.field
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await FolderSync(of: field.folder) { throw CancellationError() }.run() }
            for await _ in requests { break }
            group.cancelAll()
            do {
                _ = try await group.next()
                Issue.record("nobody has answered")
            } catch SyncProblem.notAwaited {} catch { Issue.record(error) }
        }
    }

    @Test(.timeLimit(.minutes(1))) func aServiceThatEndsIsNotWaitedFor() async throws {
        let lock = try #require(try folder.takeServiceLock())
        let watch = try FolderWatch(folder.url) { if ServiceFolder.isRequest($0) { lock.release() } }
        defer { watch.cancel() }
        guard case .serviceEnded? = try await problem(opens: false) else {
            Issue.record("it has ended")
            return
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [ServiceState.Activity.offline, .waiting])
    func whatTheServiceCouldNotDoIsSaidWithWhatItDid(activity: ServiceState.Activity) async throws {
        let lock = try #require(try folder.takeServiceLock())
        defer { lock.release() }
        let folder = folder
        var report = SyncReport()
        report.counts.pulled = [.site: 3]
        let done = report
        let watch = try FolderWatch(folder.url) { name in
            guard ServiceFolder.isRequest(name), let request = try? folder.takeRequests().requests.first else { return }
            var service = SyncNotes.Service(process: 1, state: ServiceState(activity), since: 0)
            service.answers = [SyncNotes.Answer(id: request.id, report: done, failure: "No.")]
            try? folder.change { $0.service = service }
        }
        defer { watch.cancel() }
        guard case .refusedByService("No.", activity == .offline, let answered)? = try await problem(opens: false)
        else {
            Issue.record("it has failed")
            return
        }
        #expect(answered.counts.pulled == [.site: 3] && answered.by == .service)
    }
}
