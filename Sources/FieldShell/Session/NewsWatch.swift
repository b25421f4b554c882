import FieldSync

/// Notices what a sync service reports while the shell waits, and the records do not show: what was refused, taken away, or
/// given to somebody else.
struct NewsWatch {
    private struct Look {
        let last: SyncNotes.News?
    }

    /// `nil` before the first one.
    private var former: Look?

    /// - Returns: what was reported since the last look; none at the first one, for the day's work counts what is left of it.
    mutating func new(in folder: ServiceFolder) -> [SyncReport] {
        let news = folder.notes().service?.news ?? []
        let known = former
        former = Look(last: news.last ?? known?.last)
        guard let known else { return [] }
        // What was seen last is missing where very much has come since, and where a service that was installed again counts
        // from 1.
        let first = known.last.flatMap { news.lastIndex(of: $0) }.map { $0 + 1 } ?? 0
        return news[first...].map(\.report)
    }
}
