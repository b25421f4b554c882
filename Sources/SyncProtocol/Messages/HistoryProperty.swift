import DocumentValues

extension RevisionHistory {
    /// What `history` says of a revision: the newest ancestors, up to and with the one that the other side has.
    ///
    /// - Parameters:
    ///   - ancestor: what the other side has.
    ///   - limit: ancestors that it wants at most.
    ///   - others: revision ids that are in the same message's properties, and leave that much less room.
    func property(through ancestor: RevisionID?, limit: Int, beside others: String?...) -> String {
        let taken = others.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        var room = min(SyncLimits.historyBytes, SyncLimits.revisionPropertyBytes - taken)
        var text = ""
        for revision in prefix(through: ancestor, limit: limit).ancestors {
            let next = revision.description
            room -= next.utf8.count + 1
            guard room >= 0 else { break }
            if !text.isEmpty { text += "," }
            text += next
        }
        return text
    }
}
