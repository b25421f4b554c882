import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation

/// What a shell knows of the sync service, which is another process.
extension ShellSession {
    func syncStatus() throws -> SyncStatus {
        try SyncStatus(
            ServiceFolder(of: folder), gateway: try settings().gateway?.absoluteString,
            now: environment.now().secondsSince1970)
    }

    /// Says first what has changed with the sync since the last time; a trouble stays in sight.
    func prompt() -> String {
        do {
            let status = try syncStatus()
            if let note = try ServiceText.note(status, after: syncTrouble, waiting: waiting) { dialogue.show(note) }
            syncTrouble = SyncTrouble(status, after: syncTrouble)
        } catch {
            // Whatever it is, the next command says it where it matters.
            syncTrouble = nil
        }
        newsWatch.new(in: ServiceFolder(of: folder)).flatMap(SyncText.news).forEach { dialogue.show($0.printable) }
        do {
            if let note = try sitelessNote() { dialogue.show(note) }
        } catch {
            // What cannot be read is named by the command that needs it.
            siteWatch = SiteWatch()
        }
        do {
            try newlyReturned().forEach { dialogue.show($0.printable) }
        } catch {
            // The list of the day names what cannot be read.
            returnWatch = ReturnWatch()
        }
        do {
            try newlyChanged().forEach { dialogue.show($0.printable) }
        } catch {
            // The list of the day names what cannot be read.
            changeWatch = ChangeWatch()
        }
        do {
            try newlyDeleted().forEach { dialogue.show($0.printable) }
        } catch {
            // The list of what was deleted names what cannot be read.
            deletionWatch = DeletionWatch()
        }
        let marks = [syncTrouble?.mark, conflictMark()].compactMap(\.self)
        return marks.isEmpty ? "fieldbook> " : "fieldbook (\(marks.joined(separator: ", ")))> "
    }

    /// What a sync service has brought since the last time.
    private func newlyReturned() throws -> [String] {
        guard folder.isInitialized, let user = try settings().user else { return [] }
        return SyncText.returned(try returnWatch.new(in: field(), to: user))
    }

    private func newlyChanged() throws -> [String] {
        guard folder.isInitialized, let user = try settings().user else { return [] }
        let field = try field()
        let new = try changeWatch.new(in: field, of: user)
        return SyncText.changedByOthers(try SyncReport.named(new, in: field), unnamed: 0)
    }

    private func newlyDeleted() throws -> [String] {
        guard folder.isInitialized, let user = try settings().user else { return [] }
        return SyncText.deletedByOthers(try deletionWatch.new(in: field(), of: user))
    }

    private func waiting() throws -> Int? {
        let waiting = try WaitingRecords(field: field(), settings: settings())
        return try RecordKind.allCases.reduce(into: Int?.none) { sum, kind in
            if let count = try waiting.count(of: kind) { sum = (sum ?? 0) + count }
        }
    }
}
