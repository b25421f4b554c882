import DocumentStore
import FieldModels
import FieldRecords
import Foundation
import SQLiteStorage
import Testing

@testable import FieldSync

/// What the sync service and those that ask it see of each other in a folder.
@Suite struct ServiceFolderTests {
    private static let gateway = TemporaryFolder.gateway

    private func status(_ folder: ServiceFolder, gateway: String? = gateway) throws -> SyncStatus {
        try SyncStatus(folder, gateway: gateway, now: TemporaryFolder.now.secondsSince1970)
    }

    private func notes(_ activity: ServiceState.Activity) -> SyncNotes {
        let now = TemporaryFolder.now.secondsSince1970
        return SyncNotes(
            lastExchange: now - 7_200, gateway: Self.gateway, secondsAhead: 90_000,
            service: SyncNotes.Service(process: 4_711, state: ServiceState(activity), since: now - 60))
    }

    // MARK: Its status

    @Test func withoutAServiceThereIsNone() throws {
        let temporary = try TemporaryFolder()
        defer { withExtendedLifetime(temporary) {} }
        let status = try status(ServiceFolder(of: temporary.field.folder))
        #expect(status.service == .none && status.lastExchange == nil && status.process == nil)
    }

    @Test func aRunningServiceIsAsItReported() throws {
        let temporary = try TemporaryFolder()
        defer { withExtendedLifetime(temporary) {} }
        let folder = try temporary.serviceFolder()
        let lock = try #require(try folder.takeServiceLock())
        #expect(try status(folder).service == .running(ServiceState(.starting)), "it has not reported yet")
        try folder.change { $0 = notes(.offline) }
        let status = try status(folder)
        #expect(status.service == .running(ServiceState(.offline)) && status.process == 4_711)
        #expect(status.age == 60 && status.sinceExchange == 7_200 && status.secondsAhead == 90_000)
        #expect(try folder.takeServiceLock() == nil, "there is one service")
        lock.release()
    }

    @Test(
        arguments: [(.stopped, .stopped), (.idle, .gone), (.offline, .gone)]
            as [(
                ServiceState.Activity, SyncStatus.Service
            )])
    func aServiceThatEndedIsNotOneThatWasKilled(
        activity: ServiceState.Activity, service: SyncStatus.Service
    ) throws {
        let temporary = try TemporaryFolder()
        defer { withExtendedLifetime(temporary) {} }
        let folder = try temporary.serviceFolder()
        try #require(try folder.takeServiceLock()).release()
        try folder.change { $0 = notes(activity) }
        let status = try status(folder)
        #expect(status.service == service && status.process == nil && status.sinceExchange == 7_200)
    }

    @Test(arguments: [nil, "ws://127.0.0.1:2/field"]) func anExchangeWithAnotherGatewayIsNone(gateway: String?) throws {
        let temporary = try TemporaryFolder()
        defer { withExtendedLifetime(temporary) {} }
        let folder = try temporary.serviceFolder()
        try folder.change { $0 = notes(.idle) }
        #expect(try status(folder, gateway: gateway).lastExchange == nil)
    }

    // MARK: Requests and notes

    @Test func requestsAreTakenOnce() throws {
        let temporary = try TemporaryFolder()
        let folder = try temporary.serviceFolder()
        defer { withExtendedLifetime(temporary) {} }
        let requests = [SyncRequest(id: "a"), SyncRequest(id: "b", resets: true)]
        try requests.forEach(folder.ask)
        #expect(try folder.takeRequests().requests.sorted { $0.id < $1.id } == requests)
        let rest = try folder.takeRequests()
        #expect(rest.requests.isEmpty && rest.unreadable.isEmpty)
    }

    /// The process that made a request waits for an answer; a request that cannot be read is looked at once.
    @Test(arguments: ["", "{", "[]", #"{"id":1}"#]) func damagedRequestsAreNamedOnce(text: String) throws {
        let temporary = try TemporaryFolder()
        let folder = try temporary.serviceFolder()
        defer { withExtendedLifetime(temporary) {} }
        try folder.ask(SyncRequest(id: "b"))
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("request-a.json"))
        let taken = try folder.takeRequests()
        #expect(taken.requests.map(\.id) == ["b"] && taken.unreadable == ["a"])
        #expect(try folder.takeRequests().unreadable.isEmpty)
    }

    /// A service and a sync beside it know different things.
    @Test func aChangeLeavesTheRestAsItIs() throws {
        let temporary = try TemporaryFolder()
        let folder = try temporary.serviceFolder()
        defer { withExtendedLifetime(temporary) {} }
        try folder.change { $0 = notes(.idle) }
        try folder.change { $0.lastExchange = 7 }
        try folder.change { $0.service = nil }
        let changed = folder.notes()
        #expect(changed.lastExchange == 7 && changed.service == nil && changed.gateway == Self.gateway)
    }

    /// A laptop's notes last longer than a version.
    @Test func theNotesOfTheVersionBeforeAreRead() throws {
        let temporary = try TemporaryFolder()
        let folder = try temporary.serviceFolder()
        defer { withExtendedLifetime(temporary) {} }
        var report = SyncReport()
        report.counts.pulled = [.site: 3]
        var object = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any])
        let unnamed = object.removeValue(forKey: "unnamed")
        #expect(unnamed != nil)
        let service: [String: Any] = [
            "process": 4_711, "since": 1, "state": ["activity": "idle", "completed": 0, "total": 0],
            "answers": [["id": "a", "report": object]],
        ]
        try JSONSerialization.data(withJSONObject: ["lastExchange": 7, "service": service])
            .write(to: folder.url.appendingPathComponent("state.json"))
        #expect(folder.notes().lastExchange == 7 && folder.notes().service?.answers.first?.report == report)
    }

    @Test func whatAnotherVersionReportedDoesNotTakeTheRestWithIt() throws {
        let temporary = try TemporaryFolder()
        let folder = try temporary.serviceFolder()
        defer { withExtendedLifetime(temporary) {} }
        try Data(#"{"lastExchange":7,"secondsAhead":90000,"service":{"process":"other"}}"#.utf8)
            .write(to: folder.url.appendingPathComponent("state.json"))
        try folder.change { $0.gateway = Self.gateway }
        #expect(folder.notes() == SyncNotes(lastExchange: 7, gateway: Self.gateway, secondsAhead: 90_000))
    }

    @Test(arguments: ["", "{", "[]", #"{"service":1}"#]) func damagedNotesAreNone(text: String) throws {
        let temporary = try TemporaryFolder()
        let folder = try temporary.serviceFolder()
        defer { withExtendedLifetime(temporary) {} }
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("state.json"))
        #expect(folder.notes() == SyncNotes())
    }

    /// A moment without file descriptors must not end in the loss of the last exchange. Here the file is a link in a circle.
    @Test func notesThatCannotBeReadNowAreNotReplaced() throws {
        let temporary = try TemporaryFolder()
        let folder = try temporary.serviceFolder()
        defer { withExtendedLifetime(temporary) {} }
        let file = folder.url.appendingPathComponent("state.json").path
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)
        #expect(throws: StoreError.self) { try folder.change { $0.lastExchange = 7 } }
        #expect(folder.notes() == SyncNotes())
        _ = try FileManager.default.destinationOfSymbolicLink(atPath: file)
    }

    @Test func theNoticesOfTheKernelAreRead() {
        func notice(_ length: UInt8, _ name: String) -> [UInt8] {
            [UInt8](repeating: 0, count: 12) + [length, 0, 0, 0] + Array(name.utf8)
        }
        let two = notice(16, "settings.json\0\0\0") + notice(0, "") + notice(4, "ä\0\0")
        #expect(FolderWatch.names(in: two[...]) == ["settings.json", "ä"])
        #expect(FolderWatch.names(in: notice(200, "short")[...]) == [])
        #expect(FolderWatch.names(in: two.dropLast(24).dropLast(30)) == [])
    }

    /// Editors and containers use up the notices that the system has for a person.
    @Test(.timeLimit(.minutes(1))) func aFolderIsLookedAtWhereTheSystemHasNoNotices() async throws {
        let temporary = try TemporaryFolder()
        let folder = try temporary.serviceFolder()
        try folder.ask(SyncRequest(id: "old"))
        let (names, continuation) = AsyncStream<String>.makeStream()
        let watch = try FolderWatch(lookingAt: folder.url) { continuation.yield($0) }
        try folder.ask(SyncRequest(id: "x"))
        #expect(await names.first { ServiceFolder.isRequest($0) } == "request-x.json")
        watch.cancel()
        withExtendedLifetime(temporary) {}
    }

    @Test func noFolderIsNoneToBeLookedAt() throws {
        let temporary = try TemporaryFolder()
        let missing = try temporary.serviceFolder().url.appendingPathComponent("missing")
        #expect(throws: StoreError.self) { try FolderWatch(lookingAt: missing) { _ in } }
        withExtendedLifetime(temporary) {}
    }

    @Test func aWatchNamesWhatIsPutIntoAFolder() async throws {
        let temporary = try TemporaryFolder()
        let folder = try temporary.serviceFolder()
        let (names, continuation) = AsyncStream<String>.makeStream()
        let watch = try FolderWatch(folder.url) { continuation.yield($0) }
        try folder.ask(SyncRequest(id: "x"))
        #expect(await names.first { ServiceFolder.isRequest($0) } == "request-x.json")
        watch.cancel()
        withExtendedLifetime(temporary) {}
    }
}
