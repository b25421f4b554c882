import Testing

@testable import BLIPTransport

/// A peer may answer all that it is sent; of other frames with nothing in them it has so many a second.
@Suite struct SmallFramesTests {
    @Test func thoseWithinASecondAreCounted() {
        var frames = SmallFrames()
        for _ in 0..<TransportLimits.smallFramesPerSecond { #expect(frames.admits(6, at: 1)) }
        #expect(!frames.admits(6, at: 1) && frames.admits(TransportLimits.smallFrame, at: 1))
        #expect(frames.admits(6, at: 2))
    }

    @Test func answersAreNot() {
        var frames = SmallFrames()
        for _ in 0..<50_000 {
            frames.noteSent()
            #expect(frames.admits(7, at: 1) && frames.admits(9, at: 1))
        }
        for _ in 0..<TransportLimits.smallFramesPerSecond { #expect(frames.admits(6, at: 1)) }
        #expect(!frames.admits(6, at: 1))
    }
}
