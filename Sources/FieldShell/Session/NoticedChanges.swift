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
    var changes = OthersWatch<ChangesByOthers>()
    var deletions = OthersWatch<DeletedRecord>()
    var conflicts = ConflictWatch()
    var conflictCount = ConflictCount.known(0)
    var work = WorkWatch()

    mutating func newChanges(in field: FieldDatabase, of user: String) throws -> [ChangesByOthers] {
        // Changes that only differ in whether the user was notified are not new.
        try changes.new(as: \.unnoticed) { try field.receivedChanges.new(of: user, after: &$0) }
    }

    mutating func newDeletions(in field: FieldDatabase, of user: String) throws -> [DeletedRecord] {
        try deletions.new { try field.deletions.new(of: user, after: &$0) }
    }
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
