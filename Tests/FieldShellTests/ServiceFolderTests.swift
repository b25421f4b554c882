import DocumentStore
import FieldModels
import FieldRecords
import Foundation
import SQLiteStorage
import Testing

@testable import FieldShell
@testable import FieldSync

/// What a shell sees of a service in another process.
@Suite struct ServiceFolderTests {
    private static let gateway = "ws://127.0.0.1:1/field"

    private func shell() throws -> (Shell, ServiceFolder) {
        let shell = try Shell()
        var settings = FolderSettings()
        settings.user = "mara"
        settings.gateway = URL(string: Self.gateway)
        try settings.save(in: shell.session.folder)
        let folder = ServiceFolder(of: shell.session.folder)
        try folder.prepare()
        return (shell, folder)
    }

    private func notes(_ state: ServiceState, minutes: Int64 = 0) -> SyncNotes {
        let now: Int64 = 1_772_619_307
        return SyncNotes(
            lastExchange: now - 7_200, gateway: Self.gateway,
            service: SyncNotes.Service(process: 4_711, state: state, since: now - 60 * minutes))
    }

    @Test(
        arguments: [
            (nil, "Idle: everything is exchanged"), (0, "Idle: everything is exchanged"),
            (1, "Idle: the gateway refused 1 record, all else is exchanged; see: fieldbook outbox"),
            (12, "Idle: the gateway refused 12 records, all else is exchanged; see: fieldbook outbox"),
        ] as [(Int?, String)])
    func systemdReadsWhatWasRefused(refused: Int?, line: String) {
        #expect(ServiceState(.idle, refused: refused).line == line)
    }

    /// Its reports are counted from 1 again.
    @Test(arguments: [1...1, 1...3]) func aServiceThatIsInstalledAgainIsHeard(numbers: ClosedRange<Int>) throws {
        let (shell, folder) = try shell()
        defer { withExtendedLifetime(shell) {} }
        func report(_ number: Int, purged: Int) throws {
            var news = SyncReport()
            news.counts.purged = [.finding: purged]
            try folder.change { notes in
                notes.service = notes.service ?? self.notes(ServiceState(.idle)).service
                notes.service?.news.append(SyncNotes.News(number: number, report: news))
            }
        }
        var watch = NewsWatch()
        for number in 1...2 { try report(number, purged: number) }
        let before = watch.new(in: folder)
        try folder.change { $0.service = nil }
        for number in numbers { try report(number, purged: 10 + number) }
        let (new, again) = (watch.new(in: folder), watch.new(in: folder))
        #expect(before.isEmpty && again.isEmpty)
        #expect(new.compactMap { $0.counts.purged[.finding] } == numbers.map { 10 + $0 })
    }

    @Test func withoutAServiceThereIsNothingToSay() async throws {
        let (shell, _) = try shell()
        let transcript = try await shell.type("status")
        #expect(transcript.contains("\nSync      only by the command sync\n"))
        #expect(transcript.hasPrefix("fieldbook (3 to send)> status\n"))
    }

    /// Who syncs by hand is reminded of it; a service sends by itself.
    @Test func theDaysWorkCountsWhatOnlyAPersonSends() async throws {
        let (shell, folder) = try shell()
        #expect(try TodaysLine(session: shell.session).text() == "Today: 3 not sent. See it with: today")
        let today = try await shell.type("today")
        #expect(today.contains("3 records here the gateway does not have yet: sync\n"), "\(today)")
        let lock = try #require(try folder.takeServiceLock())
        try folder.change { $0 = notes(ServiceState(.idle)) }
        #expect(try TodaysLine(session: shell.session).text() == nil)
        lock.release()
    }

    /// Records that were removed, refused or given to another user are in no list.
    @Test func whatTheServiceReportedIsNamedAtThePromptOnce() async throws {
        let (shell, folder) = try shell()
        let dialogue = ScriptedDialogue(lines: [])
        shell.use(dialogue)
        func report(_ number: Int, _ change: (inout SyncReport) -> Void) throws {
            var news = SyncReport()
            change(&news)
            try folder.change { notes in
                notes.service = notes.service ?? self.notes(ServiceState(.idle)).service
                notes.service?.news.append(SyncNotes.News(number: number, report: news))
            }
        }
        try report(1) { $0.counts.purged = [.finding: 7] }
        _ = Prompt(session: shell.session).text()
        #expect(!dialogue.transcript.contains("Taken from this laptop"), "the day's work counts what is left of it")
        try report(2) { news in
            (news.counts.purged, news.waiting.quarantined) = ([.site: 3], 1)
            news.failures = [
                SyncReport.Failure(
                    isPush: true, reference: RecordReference(.site, id: "site-mill"), message: "Not your district.",
                    code: 10_403)
            ]
        }
        for _ in 1...2 { _ = Prompt(session: shell.session).text() }
        let lines = [
            "Taken from this laptop, because you no longer have access: 3 sites.",
            "1 edit of yours had not been sent and is in quarantine: quarantine",
            "The gateway refused 1 record, safe here in the outbox;", "  site mill: Not your district.",
        ]
        for line in lines {
            #expect(dialogue.transcript.components(separatedBy: line).count == 2, "\(dialogue.transcript)")
        }
    }

    @Test func aServiceThatIsOfflineIsSeenAtThePrompt() async throws {
        let (shell, folder) = try shell()
        let lock = try #require(try folder.takeServiceLock())
        try folder.change {
            $0 = notes(ServiceState(.offline, why: "The gateway cannot be reached: no route."), minutes: 5)
        }
        let transcript = try await shell.type("status", "sites")
        #expect(
            transcript.hasPrefix(
                """
                Sync: offline; 3 records wait to be sent. It goes on by itself when the gateway is back.
                fieldbook (offline, 3 to send)> status
                """))
        #expect(
            transcript.contains(
                """
                Sync      the service runs, offline for 5 minutes
                          The gateway cannot be reached: no route.
                          last sync 2 hours ago; 3 records wait to be sent
                """))
        #expect(transcript.components(separatedBy: "Sync: ").count == 2)
        try folder.change { $0 = notes(ServiceState(.connecting)) }
        #expect(try await shell.type("sites").hasPrefix("fieldbook (offline, 3 to send)> "))
        try folder.change { $0 = notes(ServiceState(.idle)) }
        #expect(try await shell.type("sites").hasPrefix("Sync: the gateway is back.\nfieldbook> sites"))
        lock.release()
    }

    /// What a killed service reported last is out of date.
    @Test func aServiceThatWasKilledIsKnownByItsLock() async throws {
        let (shell, folder) = try shell()
        let lock = try #require(try folder.takeServiceLock())
        try folder.change { $0 = notes(ServiceState(.idle)) }
        #expect(try folder.isServiceRunning())
        #expect(try await shell.type("status").contains("Sync      the service runs; 3 records wait to be sent\n"))
        lock.release()
        #expect(try !folder.isServiceRunning())
        let transcript = try await shell.type("status --json")
        #expect(transcript.hasPrefix("Sync: the service is not running any more."))
        #expect(transcript.contains("fieldbook (no sync, 3 to send)> status"))
        #expect(transcript.contains(#""sync":{"service":"gone","lastExchange":"#))
    }

    @Test func aServiceThatWasStoppedIsNotMissed() async throws {
        let (shell, folder) = try shell()
        try folder.change { $0 = notes(ServiceState(.stopped), minutes: 61) }
        let transcript = try await shell.type("status")
        #expect(transcript.hasPrefix("fieldbook (3 to send)> "))
        #expect(transcript.contains("Sync      only by the command sync (the service was stopped 1 hour ago)\n"))
    }

    @Test func theServiceShowsWhatIsWrong() async throws {
        let (shell, folder) = try shell()
        let lock = try #require(try folder.takeServiceLock())
        try folder.change { $0 = notes(ServiceState(.waiting, why: "The gateway does not accept your password.")) }
        let transcript = try await shell.type("sites")
        let refusal = "Sync: The gateway does not accept your password."
        #expect(transcript.hasPrefix("\(refusal)\nfieldbook (cannot sync, 3 to send)> "))
        lock.release()
    }

    @Test func whileAnotherCommandSyncsThisOneDoesNot() async throws {
        let (shell, folder) = try shell()
        var settings = try shell.session.settings()
        try shell.field.signIn.keep(Credentials(user: "mara", password: "secret"), in: &settings)
        try settings.save(in: shell.session.folder)
        let lock = try #require(try folder.takeExchangeLock())
        #expect(try await shell.type("sync").contains("Another sync of this folder runs"))
        lock.release()
    }
}
