extension SyncReport {
    /// What nobody sees in the records who did not wait for this report: what was refused, taken away, or given to somebody
    /// else.
    ///
    /// - Returns: `nil` where there is nothing of that.
    var news: SyncReport? {
        var news = SyncReport()
        (news.purged, news.quarantined, news.handedOver) = (purged, quarantined, handedOver)
        news.failures = failures.filter(\.isPush)
        guard !news.isEmpty || !handedOver.isEmpty else { return nil }
        news.by = .service
        return news.fitted(naming: ServiceLimits.namedPerNews, bytes: ServiceLimits.newsSize)
    }
}
