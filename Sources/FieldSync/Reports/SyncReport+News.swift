extension SyncReport {
    /// The part of the report that the records themselves do not show: records that were refused, taken away, or given to
    /// another user. It is for users who did not wait for the report.
    ///
    /// - Returns: `nil` if there is none.
    var news: SyncReport? {
        var news = SyncReport()
        (news.counts.purged, news.waiting.quarantined, news.records.handedOver) = (
            counts.purged, waiting.quarantined, records.handedOver
        )
        news.failures = failures.filter(\.isPush)
        guard !news.isEmpty || !records.handedOver.isEmpty else { return nil }
        news.by = .service
        return news.fitted(naming: ServiceLimits.namedPerNews, bytes: ServiceLimits.newsSize)
    }
}
