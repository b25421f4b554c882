import Testing

@testable import BLIPTransport

/// When a client is read that does not read.
@Suite struct UnreadMessagesTests {
    @Test func readingEndsAboveTheLimitAndGoesOnBelowHalfOfIt() {
        var unread = UnreadMessages()
        let limit = TransportLimits.unreadMessages
        let steps: [(waiting: Int, changes: Bool, arePiledUp: Bool)] = [
            (0, false, false), (limit, false, false), (limit + 1, true, true), (limit * 10, false, true),
            (limit / 2 + 1, false, true), (limit / 2, true, false), (limit, false, false), (limit + 1, true, true),
            (0, true, false),
        ]
        for step in steps {
            #expect(unread.note(step.waiting) == step.changes, "\(step)")
            #expect(unread.arePiledUp == step.arePiledUp, "\(step)")
        }
    }
}
