import FieldModels
import FieldRecords
import Foundation
import SQLiteStorage
import Testing

@testable import FieldSync

/// The service as a program has it that is no shell: its events as a sequence, its status in the folder.
@Suite struct SyncServiceTests {
    private let temporary: TemporaryFolder
    private let events = ServiceEventStream()

    init() throws { temporary = try TemporaryFolder() }

    /// Runs a service, and ends it after the body.
    private func serve(
        isAttended: Bool = false, _ body: (ServiceControl) async throws -> Void = { _ in }
    ) async throws -> SyncReport {
        let (field, events) = (temporary.field, events)
        let (controls, continuation) = AsyncStream<ServiceControl>.makeStream()
        return try await withThrowingTaskGroup(of: SyncReport.self) { group in
            group.addTask {
                defer { continuation.finish() }
                let source = SignInSource(TemporaryFolder.environment(field))
                let service = try SyncService(signIn: source, isAttended: isAttended, reporters: [events])
                continuation.yield(service.control)
                return try await service.run()
            }
            for await control in controls {
                try await body(control)
                if !isAttended { control.stop() }
                break
            }
            return try #require(try await group.next())
        }
    }

    private func next(_ matches: (ServiceEvent) -> Bool) async -> ServiceEvent? {
        await events.events.first(where: matches)
    }

    private func becomes(_ activity: ServiceState.Activity) async -> Bool {
        await next { if case .state(let state, _) = $0 { state.activity == activity } else { false } } != nil
    }

    private func status() throws -> SyncStatus {
        try SyncStatus(
            ServiceFolder(of: temporary.field.folder), gateway: TemporaryFolder.gateway,
            now: TemporaryFolder.now.secondsSince1970)
    }

    private func ask() async throws -> SyncProblem? {
        do {
            _ = try await FolderSync(of: temporary.field.folder) { throw CancellationError() }.run()
            return nil
        } catch let problem as SyncProblem {
            return problem
        }
    }

    // MARK: Its life

    @Test func aServiceRunsOnce() async throws {
        let source = SignInSource(TemporaryFolder.environment(temporary.field))
        let service = try SyncService(signIn: source, reporters: [events])
        service.control.stop()
        _ = try await service.run()
        do {
            _ = try await service.run()
            Issue.record("It has run twice.")
        } catch SyncProblem.serviceHasRun {}
    }

    @Test(.timeLimit(.minutes(1))) func fromItsBeginningToItsEnd() async throws {
        let report = try await serve { _ in
            #expect(await becomes(.waiting))
            guard case .running(let state) = try status().service else {
                Issue.record("it runs")
                return
            }
            #expect(state.activity == .waiting && state.why?.text.contains("No user has signed in") == true)
            #expect(await next { $0 == .ready } != nil)
        }
        #expect(report.by == .endingService && report.end == .stoppedOffline)
        var rest: [ServiceEvent] = []
        for await event in events.events { rest.append(event) }
        let last = ServiceState(.stopped)
        #expect(rest.first == .stopping && rest.last == .ended, "\(rest)")
        #expect(rest.contains { if case .state(last, _) = $0 { true } else { false } })
        #expect(try status().service == .stopped)
    }

    /// Its replicator has stopped before another program may exchange the records.
    @Test(.timeLimit(.minutes(1))) func aServiceWhoseTaskIsCancelledEndsInOrder() async throws {
        let gateway = try SilentGateway()
        try temporary.signIn(password: "secret", gateway: gateway.address)
        let (field, events) = (temporary.field, events)
        let report = try await withThrowingTaskGroup(of: SyncReport.self) { group in
            group.addTask {
                let source = SignInSource(TemporaryFolder.environment(field))
                return try await SyncService(signIn: source, reporters: [events]).run()
            }
            await gateway.isConnected()
            group.cancelAll()
            return try #require(try await group.next())
        }
        #expect(report.end != .complete)
        #expect(try status().service == .stopped)
    }

    @Test(.timeLimit(.minutes(1))) func thereIsOneInAFolder() async throws {
        let folder = try temporary.serviceFolder()
        let lock = try #require(try folder.takeServiceLock())
        await #expect(throws: SyncProblem.self) { try await serve() }
        var reported: [ServiceEvent] = []
        for await event in events.events { reported.append(event) }
        #expect(reported == [.ended])
        lock.release()
    }

    /// Who looks on is to act on it.
    @Test(.timeLimit(.minutes(1))) func anAttendedOneEndsWithWhatIsRefused() async throws {
        await #expect(throws: SettingsError(.noLogin, path: temporary.field.folder.settingsFile.path)) {
            try await serve(isAttended: true)
        }
        #expect(try status().service == .stopped)
    }

    // MARK: What it is asked

    @Test(.timeLimit(.minutes(1))) func aReloadAndASignOfLifeAreReported() async throws {
        _ = try await serve { control in
            #expect(await next { $0 == .ready } != nil)
            control.proveLife()
            #expect(await next { $0 != .progress(ServiceState(.idle)) } == .alive)
            control.reload()
            #expect(await next { _ in true } == .reloading)
            #expect(await next { $0 == .ready } != nil)
        }
    }

    @Test(.timeLimit(.minutes(1))) func whoAsksWithoutASignInIsAnswered() async throws {
        _ = try await serve { _ in
            #expect(await becomes(.waiting))
            guard case .refusedByService(let why, false, _)? = try await ask() else {
                Issue.record("nobody has signed in")
                return
            }
            #expect(why.text.contains("No user has signed in"))
        }
    }

    /// The gateway is not there; what the service is asked it answers with that, and goes on.
    @Test(.timeLimit(.minutes(1))) func aSignInIsUsedAtOnce() async throws {
        _ = try await serve { _ in
            #expect(await becomes(.waiting))
            try temporary.signIn(password: "secret")
            #expect(await becomes(.offline))
            guard case .refusedByService(_, true, _)? = try await ask() else {
                Issue.record("nobody listens there")
                return
            }
            let folder = ServiceFolder(of: temporary.field.folder)
            #expect(try folder.takeExchangeLock() == nil, "no other program exchanges meanwhile")
        }
        #expect(try ServiceFolder(of: temporary.field.folder).takeExchangeLock() != nil)
    }

    @Test(.timeLimit(.minutes(1))) func aFolderThatIsBusyIsWaitedFor() async throws {
        try temporary.signIn(password: "secret")
        let lock = try #require(try temporary.serviceFolder().takeExchangeLock())
        _ = try await serve { _ in
            #expect(await becomes(.waiting))
            lock.release()
            #expect(await becomes(.offline))
        }
    }
}
