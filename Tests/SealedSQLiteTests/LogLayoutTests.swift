import Testing

@testable import SealedSQLite

/// The offsets of the sealed log.
@Suite struct LogLayoutTests {
    @Test(arguments: [512, 4096, 65_536]) func lengthsGoBothWays(pageSize: Int) {
        let layout = LogLayout(pageSize: pageSize)
        let frame = layout.frame
        let lengths: [Int64] = [0, 1, 31, 32, 33, 55, 56, 32 + frame - 1, 32 + frame, 33 + frame, 32 + 1000 * frame]
        for length in lengths { #expect(layout.length(layout.sealedLength(length)) == length, "\(length)") }
        #expect(layout.sealedLength(32 + 2 * frame) == 32 + 2 * (frame + 40))
    }

    /// SQLite counts whole frames, and reads those: one whose mark is not all there must not be among them.
    @Test(arguments: [512, 4096, 65_536]) func aFrameIsWholeWithAllOfItsMark(pageSize: Int) {
        let layout = LogLayout(pageSize: pageSize)
        for missing in 1..<layout.sealedFrame {
            let length = layout.length(layout.sealedStart(ofFrame: 3) - missing)
            guard layout.position(of: length).frame == 2 else {
                Issue.record("\(missing) bytes are missing, and SQLite sees \(length)")
                return
            }
        }
        #expect(layout.length(layout.sealedStart(ofFrame: 3)) == 32 + 3 * layout.frame)
        #expect(layout.length(layout.sealedStart(ofFrame: 3) + 10) == 32 + 3 * layout.frame + 10)
    }

    @Test func aPositionHasItsFrame() {
        let layout = LogLayout(pageSize: 4096)
        #expect(layout.position(of: 32) == (0, 0))
        #expect(layout.position(of: 32 + 4120 + 24) == (1, 24))
        #expect(layout.sealedStart(ofFrame: 2) == 32 + 2 * 4160)
    }
}
