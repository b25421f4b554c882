import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation

/// The shell's knowledge of the sync service, which is another process.
extension ShellSession {
    func syncStatus() throws -> SyncStatus {
        try SyncStatus(
            ServiceFolder(of: folder), gateway: try settings().gateway?.absoluteString,
            now: environment.now().secondsSince1970)
    }

    /// Reports first the changes of the sync since the last time; a trouble stays in sight.
    func prompt() -> String {
        showTrouble()
        noticed.news.new(in: ServiceFolder(of: folder)).flatMap(SyncText.news).forEach { dialogue.show($0.printable) }
        // Unreadable records are named by the command that needs them, and by the lists of the day and of deleted
        // records.
        show(sitelessNotes) { noticed.sites = SiteWatch() }
        show(newlyReturned) { noticed.returns = ReturnWatch() }
        show(newlyChanged) { noticed.changes = ChangeWatch() }
        show(newlyDeleted) { noticed.deletions = DeletionWatch() }
        let marks = [noticed.trouble?.mark, conflictMark()].compactMap(\.self)
        return marks.isEmpty ? "fieldbook> " : "fieldbook (\(marks.joined(separator: ", ")))> "
    }

    private func showTrouble() {
        do {
            let status = try syncStatus()
            if let note = try ServiceText.note(status, after: noticed.trouble, waiting: waiting) { dialogue.show(note) }
            noticed.trouble = SyncTrouble(status, after: noticed.trouble)
        } catch {
            // Whatever it is, the next command says it where it matters.
            noticed.trouble = nil
        }
    }

    /// - Parameter forget: begins again, where the news cannot be read.
    private func show(_ news: () throws -> [String], orElse forget: () -> Void) {
        do { try news().forEach { dialogue.show($0.printable) } } catch { forget() }
    }

    /// The returns that a sync service has brought since the last time.
    private func newlyReturned() throws -> [String] {
        guard folder.isInitialized, let user = try settings().user else { return [] }
        return SyncText.returned(try noticed.returns.new(in: field(), to: user))
    }

    private func newlyChanged() throws -> [String] {
        guard folder.isInitialized, let user = try settings().user else { return [] }
        let field = try field()
        let new = try noticed.changes.new(in: field, of: user)
        return SyncText.changedByOthers(try SyncReport.named(new, in: field), unnamed: 0)
    }

    private func newlyDeleted() throws -> [String] {
        guard folder.isInitialized, let user = try settings().user else { return [] }
        return SyncText.deletedByOthers(try noticed.deletions.new(in: field(), of: user))
    }

    private func waiting() throws -> Int? {
        let waiting = try WaitingRecords(field: field(), settings: settings())
        return try RecordKind.allCases.reduce(into: Int?.none) { sum, kind in
            if let count = try waiting.count(of: kind) { sum = (sum ?? 0) + count }
        }
    }
}
