import DocumentValues

@testable import GatewayCore

struct RoundTripFeed: FeedRows {
    let base: any FeedRows
    let trips: RoundTrips

    func page(_ part: ChannelPart) async throws -> ChannelPage? {
        await trips.go("feed.page")
        return try await base.page(part)
    }

    func deletions(among entries: [ChannelEntry], in collection: Int64) async throws -> Set<ChannelEntry> {
        await trips.go("feed.deletions")
        return try await base.deletions(among: entries, in: collection)
    }
}

struct RoundTripFeedWrites: FeedWrites {
    let base: any FeedWrites
    let trips: RoundTrips

    func delete(_ entries: [ChannelEntry]) async throws {
        await trips.go("feed.delete")
        try await base.delete(entries)
    }

    func noteChange(of channel: Name, at sequence: UInt64) { base.noteChange(of: channel, at: sequence) }
}
