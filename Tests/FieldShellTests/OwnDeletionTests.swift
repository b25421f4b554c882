import DocumentStore
import DocumentValues
import FieldModels
@testable import FieldRecords
import Foundation
import Synchronization
import Testing

@testable import FieldShell

/// A deletion of one's own is taken back by the record, whatever was done since.
@Suite struct OwnDeletionTests {
    private func shell() async throws -> (Shell, id: String, short: String) {
        let shell = try Shell()
        try shell.signIn("mara")
        try shell.acknowledge(.site, "site-mill")
        _ = try await shell.type("new inspection mill notes=mine --finding Dust --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        return (shell, id, RecordReference.short(id, kind: .inspection))
    }

    private func acknowledgeAll(_ shell: Shell, _ id: String) throws {
        try shell.acknowledge(.inspection, id)
        for finding in try shell.field.findings.all().records { try shell.acknowledge(.finding, finding.id) }
    }

    private func acknowledgeDeletion(_ shell: Shell, _ id: String) throws {
        let revision = try #require(try shell.field.collection(of: .inspection).exchange(of: id)).revision
        try shell.store().markKnownToRemote(
            [AcknowledgedRevision(documentID: id, revision: revision)], in: RecordKind.inspection.collection)
    }

    /// Records that arrive later for a site that was deleted here, and those deleted with it, still show its name.
    @Test func aSiteThatWasDeletedHereKeepsItsName() async throws {
        let shell = try Shell()
        try shell.signIn("ines")
        _ = try await shell.type(
            "new assignment mill inspector=mara due=2026-03-05 --yes", "list assignments", "delete 1 --yes",
            "delete mill --yes")
        var inspection = Inspection(
            id: "inspection-late", site: "site-mill", date: shell.session.environment.today(),
            district: District("hill") ?? .unknown)
        (inspection.status, inspection.inspector) = (.submitted, "mara")
        try shell.field.collection(of: .inspection).save(bodies: [(inspection.id, inspection.object.bytes)])
        let transcript = try await shell.type("today", "show late", "list --deleted", width: 200)
        #expect(!transcript.contains("site-mill"), "\(transcript)")
        #expect(transcript.contains("Old mill (deleted), 2026-03-04\n"), "\(transcript)")
        #expect(transcript.contains("Its site, Old mill, was deleted here."), "\(transcript)")
        #expect(transcript.contains("Old mill, mara, due 2026-03-05"), "\(transcript)")
    }

    /// Commands that do not find a record say that it was deleted, and its history is still there.
    @Test func whatWasDeletedIsNamedAsSuch() async throws {
        let (shell, _, short) = try await shell()
        let transcript = try await shell.type(
            "delete \(short) --yes", "edit \(short) notes=x", "attach \(short) x.png", "log \(short)", width: 400)
        let what = "The inspection \(short), Old mill, 2026-03-04 routine, was deleted here."
        #expect(transcript.components(separatedBy: "has the id '\(short)'. \(what) See it: show \(short). ").count == 3)
        #expect(transcript.contains("Bring it back: undo \(short)"), "\(transcript)")
        #expect(transcript.contains("inspection \(short), Old mill, 2026-03-04 routine, deleted here"), "\(transcript)")
    }

    /// A new record that was sent is the last change, which `undo` does not pass over.
    private func sendAnotherChange(_ shell: Shell) async throws -> RecordReference {
        _ = try await shell.type("new site Kiosk --yes")
        let kiosk = try #require(try shell.field.sites.all().records.first { $0.name == "Kiosk" })
        try shell.acknowledge(.site, kiosk.id)
        return RecordReference(.site, id: kiosk.id)
    }

    @Test(arguments: [false, true]) func itComesBackByItsID(isSent: Bool) async throws {
        let (shell, id, short) = try await shell()
        try acknowledgeAll(shell, id)
        _ = try await shell.type("delete \(short) --yes")
        if isSent { try acknowledgeDeletion(shell, id) }
        let kiosk = try await sendAnotherChange(shell)
        let blocked = try await shell.type("undo", "list --deleted", "show 1", "edit 1 notes=x", width: 200)
        #expect(
            blocked.contains(
                "The last change cannot be undone: the new site \(kiosk.shortID) has been sent. "
                    + "Delete it with: delete \(kiosk.shortID)\n"
                    + "What was deleted here comes back at any time: undo \(short)"), "\(blocked)")
        #expect(blocked.contains("Deleted inspections\n#  ID          INSPECTION"), "\(blocked)")
        #expect(blocked.contains("1  \(short)  Old mill, 2026-03-04 routine  here"), "\(blocked)")
        #expect(blocked.contains("Old mill, 2026-03-04 routine, deleted here\n"), "\(blocked)")
        #expect(blocked.contains("was deleted here. See it: show 1. Bring it back: undo 1"), "\(blocked)")
        let back = try await shell.type("undo \(short)", "list --deleted", "undo \(short)")
        #expect(back.contains("is back"), "\(back)")
        #expect(back.contains("Nothing that was deleted is kept here."), "\(back)")
        #expect(back.contains("undone"), "\(back)")
        #expect(try shell.field.inspections.find(id)?.notes == "mine")
        #expect(try shell.field.findings.all().records.map(\.text) == ["Dust"])
        #expect(try shell.field.sites.find(kiosk.id) != nil)
        // The gateway accepts it: as an edit of its version, or as a record of the user who brings it back.
        let exchange = try #require(try shell.field.collection(of: .inspection).exchange(of: id))
        #expect(exchange.isKnownToRemotes && exchange.isSent == false)
    }

    /// Nobody else ever had it, and an import has come since.
    @Test func whatWasNeverSentComesBackWithItsFindings() async throws {
        let (shell, id, short) = try await shell()
        let file = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: file)
        _ = try await shell.type("attach \(short) \(file.path)", "delete \(short) --yes")
        try #require(shell.field.inspections.count == 0 && shell.field.findings.count == 0)
        try shell.field.journal.noteWhole("import", by: shell.session.author())
        let transcript = try await shell.type("undo", "list --deleted", "undo \(short)", width: 200)
        #expect(
            transcript.contains("The last change, import, cannot be undone, and neither can the changes before it.\n"),
            "\(transcript)"
        )
        #expect(!transcript.contains("Change records back with"), "\(transcript)")
        // Its finding is not listed beside it.
        #expect(!transcript.contains("Deleted findings"), "\(transcript)")
        #expect(try shell.field.inspections.find(id)?.photos.map(\.name) == ["door.png"])
        #expect(try shell.field.findings.all().records.map(\.text) == ["Dust"])
        let photo = try #require(try shell.field.photos.all(of: .inspection, id).first)
        let copy = shell.root.appendingPathComponent("copy.png")
        try shell.field.photos.save(photo, of: .inspection, id: id, to: copy)
        #expect(try Data(contentsOf: copy) == Data(contentsOf: file))
    }

    @Test func aFindingComesBackIntoAnOpenInspectionOnly() async throws {
        let (shell, id, short) = try await shell()
        let finding = try #require(try shell.field.findings.all().records.first).id
        let name = RecordReference.short(finding, kind: .finding)
        try acknowledgeAll(shell, id)
        _ = try await shell.type("delete \(name) --yes", "submit \(short)")
        try shell.acknowledge(.inspection, id)
        let closed = try await shell.type("undo \(name)")
        #expect(closed.contains("which is submitted, so it can no longer be changed"), "\(closed)")
        try shell.field.lifeCycle.sendBack(
            id, because: "more", by: Author(name: "ines", moment: Timestamp(secondsSince1970: 9)))
        _ = try await shell.type("delete \(short) --yes")
        let hidden = try await shell.type("undo \(name)")
        #expect(hidden.contains("Bring the inspection back first: undo \(short)"), "\(hidden)")
        _ = try await shell.type("undo \(short)", "undo \(name)")
        #expect(try shell.field.findings.find(finding)?.text == "Dust")
    }

    /// The journal goes on from the restored version.
    @Test func changesBeforeTheDeletionAreStillUndone() async throws {
        let (shell, id, short) = try await shell()
        _ = try await shell.type(
            "edit \(short) score=3", "edit \(short) score=4", "delete \(short) --yes", "undo \(short)")
        _ = try await shell.type("undo")
        #expect(try shell.field.inspections.find(id)?.score == 3)
    }

    /// What a gateway has taken away is not brought back out of the journal.
    @Test func whatWasTakenAwayIsNotListed() async throws {
        let (shell, id, short) = try await shell()
        try acknowledgeAll(shell, id)
        _ = try await shell.type("delete \(short) --yes")
        try acknowledgeDeletion(shell, id)
        try shell.takeAway(.inspection, id)
        #expect(try shell.field.deletions.all().isEmpty)
        let refused = try await shell.type("undo \(short)")
        #expect(refused.contains("is no record, and no deleted one"), "\(refused)")
    }

    /// A version that a sync brings at the same moment is not written over.
    @Test func whatASyncBringsMeanwhileStays() async throws {
        let (shell, id, short) = try await shell()
        let before = try #require(try shell.field.collection(of: .inspection).document(id: id)).body
        try acknowledgeAll(shell, id)
        _ = try await shell.type("delete \(short) --yes")
        let deleted = try #require(try shell.field.deletions.all().first)
        let (field, author) = (shell.field, try shell.session.author())
        let undo = Waiter { _ = try field.deletions.bringBack(deleted, by: author) }
        try field.database.inBatch {
            var theirs = before
            theirs["notes"] = "theirs"
            try field.collection(of: .inspection).save(bodies: [(id, theirs.bytes)])
            undo.start()
            #expect(undo.waits())
        }
        #expect(throws: RecordActionError(.exists, kind: .inspection, id: id)) { try undo.result().get() }
        #expect(try field.inspections.find(id)?.notes == "theirs")
    }

    @Test func whatOthersDeletedLaterIsTheirs() async throws {
        let (shell, id, short) = try await shell()
        try acknowledgeAll(shell, id)
        _ = try await shell.type("delete \(short) --yes", "undo \(short)")
        try shell.acknowledge(.inspection, id)
        try shell.deleteElsewhere(.inspection, id)
        #expect(try shell.field.deletions.all().map(\.isOwn) == [false])
    }
}

/// Does something on a thread of its own that has to wait for the transaction of another.
private final class Waiter: Sendable {
    private enum State {
        case starting
        case working(thread: String)
        case done(Swift.Result<Void, any Error>)
    }

    private let state = Mutex(State.starting)
    private let ended = DispatchSemaphore(value: 0)
    private let work: @Sendable () throws -> Void

    init(_ work: @escaping @Sendable () throws -> Void) { self.work = work }

    func start() {
        Thread.detachNewThread { [self] in
            let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            state.withLock { $0 = .working(thread: thread ?? "") }
            let result = Swift.Result { try work() }
            state.withLock { $0 = .done(result) }
            ended.signal()
        }
    }

    /// - Returns: once the thread can go no further; false where it did not have to wait.
    func waits() -> Bool {
        while true {
            switch state.withLock({ $0 }) {
            case .starting: sched_yield()
            case .done: return false
            case .working(let thread):
                let stat = (try? String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8)) ?? ""
                if stat.split(separator: ")").last?.hasPrefix(" S") == true { return true }
                sched_yield()
            }
        }
    }

    func result() throws -> Swift.Result<Void, any Error> {
        try #require(ended.wait(timeout: .now() + 60) == .success)
        guard case .done(let result) = state.withLock({ $0 }) else { return .success(()) }
        return result
    }
}
