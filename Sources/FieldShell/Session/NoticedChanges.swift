import DocumentValues
import FieldRecords

/// The state when the last line was requested: the next prompt reports the news since.
struct NoticedChanges {
    /// The trouble of the sync.
    var trouble: SyncTrouble?
    /// The reports of a sync service.
    var news = NewsWatch()
    var sites = SiteWatch()
    var returns = ReturnWatch()
    var changes = ChangeWatch()
    var deletions = DeletionWatch()
    var conflicts = ConflictWatch()
    var conflictCount = ConflictCount.known(0)
}

/// How many conflicts a prompt has named.
enum ConflictCount {
    case known(Int)
    /// Why they could not be counted; and how many were named before.
    case unreadable(String, since: Int)

    var named: Int {
        switch self {
        case .known(let count), .unreadable(_, let count): count
        }
    }

    func isUnreadable(because reason: String) -> Bool {
        switch self {
        case .known: false
        case .unreadable(let former, _): former.isExactly(reason)
        }
    }
}
