import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation

/// How much waits for the person of a folder: for `status`, and for the prompt.
struct OpenWork: Sendable, Hashable {
    /// Assignments of today.
    var due = 0
    var overdue = 0
    var drafts = 0
    var returned = 0
    /// Records that only the command `sync` sends; `nil` while a service sends them by itself.
    var unsent: Int?

    /// - Parameter user: whose work it is; `nil` if no user has signed in: that of all users.
    init(in field: FieldDatabase, of user: String?, on today: CalendarDay) throws {
        for assignment in try field.assignments.all().records
        where user.map({ assignment.inspector.isExactly($0) }) ?? true {
            switch assignment.urgency(on: today) {
            case "today"?: due += 1
            case .some: overdue += 1
            case nil: break
            }
        }
        for inspection in try field.listing.unapprovedInspections() where inspection.isToBeDone(by: user) {
            switch inspection.status {
            case .draft: drafts += 1
            case .returned: returned += 1
            case .submitted, .approved: break
            }
        }
    }
}

/// Counts the work again only after something has changed: the prompt comes after each line, and must not read all records
/// each time.
struct WorkWatch {
    private struct Look: Hashable {
        let sequences: [UInt64]
        let user: Name?
        let gateway: Name?
        let today: CalendarDay
        let service: SyncStatus.Service
        let since: Int64
        let lastExchange: Int64?
    }

    private var last: (look: Look, work: OpenWork)?

    mutating func work(
        in field: FieldDatabase, settings: FolderSettings, sync: SyncStatus, on today: CalendarDay
    ) throws -> OpenWork {
        let look = Look(
            sequences: try RecordKind.allCases.map { try field.collection(of: $0).lastSequence() },
            user: settings.user.map { Name($0) }, gateway: settings.gateway.map { Name($0.absoluteString) },
            today: today, service: sync.service, since: sync.since, lastExchange: sync.lastExchange)
        if let last, last.look == look { return last.work }
        var work = try OpenWork(in: field, of: settings.user, on: today)
        if !sync.sendsByItself { work.unsent = try WaitingRecords(field: field, settings: settings).unsent() }
        last = (look, work)
        return work
    }
}

extension SyncStatus {
    /// Whether a service sends saved records by itself, and nothing keeps it from that.
    var sendsByItself: Bool {
        switch service {
        case .none, .stopped, .gone: false
        case .running(let state):
            switch state.activity {
            case .exchanging, .idle, .stopping, .stopped: true
            case .starting, .connecting, .offline, .waiting: false
            }
        }
    }
}
