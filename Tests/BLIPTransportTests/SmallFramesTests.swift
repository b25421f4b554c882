import Testing

@testable import BLIPTransport

/// A peer may answer all that it is sent; of other frames with nothing in them it has so many a second.
@Suite struct SmallFramesTests {
    /// - Returns: how many of so many are admitted within one second.
    private func admitted(_ count: Int, of frames: inout SmallFrames, bytes: Int = 6, at second: UInt64 = 1) -> Int {
        var admitted = 0
        for _ in 0..<count where frames.admits(bytes, at: second) { admitted += 1 }
        return admitted
    }

    @Test func thoseWithinASecondAreCounted() {
        var frames = SmallFrames()
        let limit = TransportLimits.smallFramesPerSecond
        #expect(admitted(2 * limit, of: &frames) == limit)
        #expect(admitted(10, of: &frames, bytes: TransportLimits.smallFrame) == 10)
        #expect(admitted(10, of: &frames, at: 2) == 10)
    }

    @Test func answersAreNot() {
        var frames = SmallFrames()
        for _ in 0..<50_000 { frames.noteSent() }
        let limit = TransportLimits.smallFramesPerSecond
        #expect(admitted(200_000, of: &frames) == 100_000 + limit)
    }
}
