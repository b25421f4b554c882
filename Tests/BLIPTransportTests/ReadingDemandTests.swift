import BLIPProtocol
import NIOCore
import Testing

@testable import BLIPTransport

/// When a connection is to be read.
@Suite struct ReadingDemandTests {
    private static let limit = 4_000

    @Test func readingStopsWhileMuchWaits() {
        var demand = ReadingDemand(limit: Self.limit)
        for _ in 0..<4 { #expect(demand.put(1_000) == nil) }
        #expect(demand.put(1_000) == .pause && demand.waiting == 5_000)
        #expect(demand.put(1_000) == nil)
        for _ in 0..<3 { #expect(demand.take(1_000) == nil) }
        #expect(demand.take(1_000) == .resume && demand.waiting == 2_000)
    }

    /// It reads again when both want it to.
    @Test func theSessionHasASayToo() {
        var demand = ReadingDemand(limit: Self.limit)
        #expect(demand.want(false) == .pause)
        #expect(demand.put(2 * Self.limit) == nil)
        #expect(demand.want(true) == nil)
        #expect(demand.want(false) == nil)
        #expect(demand.take(2 * Self.limit) == nil)
        #expect(demand.want(true) == .resume)
    }

    /// A deletion has no body, and a long history.
    @Test func propertiesCountToo() {
        var properties = BLIPProperties()
        properties["history"] = String(repeating: "1-a,", count: 1_000)
        let message = BLIPMessage(
            kind: .request, number: 1, properties: properties, body: ByteBuffer(), isNoReply: true)
        #expect(BLIPIncoming.request(message).waitingBytes > 4_000)
    }
}
