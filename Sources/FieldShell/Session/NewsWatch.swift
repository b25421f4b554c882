import FieldSync

/// Notices reports of a sync service, while the shell waits, that the records do not show: records were refused, taken
/// away, or given to another user.
struct NewsWatch {
    private struct Look {
        let last: SyncNotes.News?
    }

    /// `nil` before the first one.
    private var former: Look?

    /// - Returns: the reports since the last look; none at the first one, because the day's work counts the records of
    ///   earlier reports.
    mutating func new(in folder: ServiceFolder) -> [SyncReport] {
        let news = folder.notes().service?.news ?? []
        let known = former
        former = Look(last: news.last ?? known?.last)
        guard let known else { return [] }
        // The report seen last is missing if very many have come since, or if a service that was installed again counts
        // from 1.
        let first = known.last.flatMap { news.lastIndex(of: $0) }.map { $0 + 1 } ?? 0
        return news[first...].map(\.report)
    }
}
