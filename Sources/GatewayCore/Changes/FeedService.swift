import DocumentValues

/// A database's changes, for each reader.
package final class FeedService: Sendable {
    let status: DatabaseStatus
    let store: any GatewayStore
    let views: AccessViews
    let revisions: RevisionCache
    let commits: CommitEvents
    let passedOver = PassedOverDocuments()
    /// `nil` for a store that cannot read in place.
    let news: SharedNews?

    init(_ parts: DatabaseParts, views: AccessViews, revisions: RevisionCache) {
        status = parts.status
        store = parts.store
        self.views = views
        self.revisions = revisions
        commits = parts.store.commits
        news = parts.store.inPlace.map { SharedNews(from: $0, commits: parts.store.commits) }
    }

    package func changes(_ request: ChangesRequest, as requester: Requester) throws -> ChangesFeed {
        let collection = try status.collection(request.collection)
        return ChangesFeed(request, as: requester, collection: collection.number, service: self)
    }
}
