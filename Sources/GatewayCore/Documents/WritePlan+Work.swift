import AccessControl
import DocumentValues
import SyncFunction

/// How long a write keeps the writer busy: estimated by the rows that it changes, some microseconds each, and the pages
/// that it fills.
extension WritePlan {
    /// Bytes of content that take as long as a row.
    static let page = 4 << 10

    /// - Parameter promoted: the decision on the leaf that becomes current instead, if one does.
    func work(_ decision: SyncDecision, promoted: SyncDecision?) -> Int {
        let old = (stored?.channels).map { $0.current.count + $0.past.count } ?? 0
        let granted = (stored?.grants.count ?? 0) + decision.grants.count + (promoted?.grants.count ?? 0)
        let entries = old + decision.channels.count + (promoted?.channels.count ?? 0)
        let attached = (stored?.attachments?.count ?? 0) + (attachments.metadata?.count ?? 0)
        return 1 + entries + granted + attached + bytes / Self.page
    }

    private var bytes: Int { attachments.content.values.reduce(document.body.count) { $0 + ($1.length ?? 0) } }
}

extension DocumentGrants {
    fileprivate var count: Int {
        isEmpty ? 0 : (channels.values.lazy.map(\.count) + roles.values.lazy.map(\.count)).reduce(0, +)
    }
}
