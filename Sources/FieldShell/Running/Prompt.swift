import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FieldSync

/// The prompt of a shell, and the notices before it: the sync service is another process, and its changes come without a
/// message.
struct Prompt {
    let session: ShellSession

    /// Reports first the changes of the sync since the last time; a trouble stays in sight.
    func text() -> String {
        showTrouble()
        session.noticed.news.new(in: ServiceFolder(of: session.folder)).flatMap(SyncText.news).forEach {
            session.dialogue.show($0.printable)
        }
        // Unreadable records are named by the command that needs them, and by the lists of the day and of deleted
        // records.
        show(SitelessNotes(session: session).new) { session.noticed.sites = SiteWatch() }
        show(newlyReturned) { session.noticed.returns = ReturnWatch() }
        show(newlyChanged) { session.noticed.changes = OthersWatch() }
        show(newlyDeleted) { session.noticed.deletions = OthersWatch() }
        let urgent = [session.noticed.trouble?.mark, ConflictNotices(session: session).mark()].compactMap(\.self)
        return PromptText.text(marks: urgent + workMarks(), columns: session.dialogue.columns)
    }

    /// What waits for the person; nothing where it cannot be read: the next command says so where it matters.
    private func workMarks() -> [String] {
        guard session.folder.isInitialized, let marks = try? countedMarks() else { return [] }
        return marks
    }

    private func countedMarks() throws -> [String] {
        let field = try session.field()
        let work = try session.noticed.work.work(
            in: field, settings: session.settings(), sync: session.syncStatus(), on: session.environment.today())
        return PromptText.marks(
            work, refused: try field.outbox.unsettled().count,
            quarantined: try field.database.quarantinedDocumentCount())
    }

    private func showTrouble() {
        do {
            let status = try session.syncStatus()
            if let note = try ServiceText.note(status, after: session.noticed.trouble, waiting: waiting) {
                session.dialogue.show(note)
            }
            session.noticed.trouble = SyncTrouble(status, after: session.noticed.trouble)
        } catch {
            // Whatever it is, the next command says it where it matters.
            session.noticed.trouble = nil
        }
    }

    /// - Parameter forget: begins again, where the news cannot be read.
    private func show(_ news: () throws -> [String], orElse forget: () -> Void) {
        do { try news().forEach { session.dialogue.show($0.printable) } } catch { forget() }
    }

    /// The returns that a sync service has brought since the last time.
    private func newlyReturned() throws -> [String] {
        guard session.folder.isInitialized, let user = try session.settings().user else { return [] }
        return SyncText.returned(try session.noticed.returns.new(in: session.field(), to: user))
    }

    private func newlyChanged() throws -> [String] {
        guard session.folder.isInitialized, let user = try session.settings().user else { return [] }
        let field = try session.field()
        let new = try session.noticed.newChanges(in: field, of: user)
        return SyncText.changedByOthers(try SyncReport.named(new, in: field), unnamed: 0)
    }

    private func newlyDeleted() throws -> [String] {
        guard session.folder.isInitialized, let user = try session.settings().user else { return [] }
        return SyncText.deletedByOthers(try session.noticed.newDeletions(in: session.field(), of: user))
    }

    private func waiting() throws -> Int? {
        let waiting = try WaitingRecords(field: session.field(), settings: session.settings())
        return try RecordKind.allCases.reduce(into: Int?.none) { sum, kind in
            if let count = try waiting.count(of: kind) { sum = (sum ?? 0) + count }
        }
    }
}
