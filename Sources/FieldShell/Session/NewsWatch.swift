import FieldSync

/// Notices what a sync service reports while the shell waits, and the records do not show: what was refused, taken away, or
/// given to somebody else.
struct NewsWatch {
    private var last: Int?

    /// - Returns: what was reported since the last look; none at the first one, for the day's work counts what is left of it.
    mutating func new(in folder: ServiceFolder) -> [SyncReport] {
        let news = folder.notes().service?.news ?? []
        let (seen, isFirst) = (last ?? 0, last == nil)
        last = news.last?.number ?? seen
        return isFirst ? [] : news.filter { $0.number > seen }.map(\.report)
    }
}
