import DocumentValues

extension RevisionHistory {
    /// The value of `history`: the newest ancestors of a revision, up to and including the one that the other side has.
    ///
    /// - Parameters:
    ///   - ancestor: the one that the other side has.
    ///   - limit: the most ancestors that it wants.
    ///   - others: revision ids in the same message's properties, which take a part of the room.
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
