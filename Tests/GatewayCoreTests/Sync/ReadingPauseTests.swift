import BLIPProtocol
import NIOCore
import Synchronization
import Testing

@testable import GatewayCore

/// When a sync connection reads.
@Suite struct ReadingPauseTests {
    private final class Changes: Sendable {
        let all = Mutex<[ReadingPause.Change]>([])
        var taken: [ReadingPause.Change] { all.withLock { $0 } }
    }

    @Test func readingStopsWhileMuchWaits() {
        let changes = Changes()
        let pause = ReadingPause { change in changes.all.withLock { $0.append(change) } }
        let part = GatewayLimits.unseenBytes / 4
        for _ in 0..<4 { pause.put(part) }
        #expect(changes.taken == [])
        pause.put(part)
        #expect(changes.taken == [.pause] && pause.waiting == 5 * part)
        for _ in 0..<2 { pause.take(part) }
        #expect(changes.taken == [.pause])
        pause.take(part)
        #expect(changes.taken == [.pause, .resume])
    }

    /// It reads again when both want it to.
    @Test func theSessionHasASayToo() {
        let changes = Changes()
        let pause = ReadingPause { change in changes.all.withLock { $0.append(change) } }
        pause.want(false)
        pause.put(2 * GatewayLimits.unseenBytes)
        pause.want(true)
        #expect(changes.taken == [.pause])
        pause.want(false)
        pause.take(2 * GatewayLimits.unseenBytes)
        #expect(changes.taken == [.pause])
        pause.want(true)
        #expect(changes.taken == [.pause, .resume])
    }

    /// A deletion has no body, and a long history.
    @Test func propertiesCountToo() {
        var properties = BLIPProperties()
        properties["history"] = String(repeating: "1-a,", count: 1_000)
        let message = BLIPMessage(
            kind: .request, number: 1, properties: properties, body: ByteBuffer(), isNoReply: true)
        #expect(ReadingPause.bytes(of: [.request(message)]) > 4_000)
    }
}
