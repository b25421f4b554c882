/// How many small pieces somebody may send: frames, or parts of bodies. Each costs about as much as a kilobyte in one, whatever
/// is in it, so who sends nothing else keeps everybody on the event loop waiting. Pure.
///
/// Each piece takes its part of a second. What somebody has sent ahead of the time waits, as far as that is more than a burst.
struct PiecePace {
    private let nanosecondsOfPiece: UInt64
    /// Until when what was sent takes, in nanoseconds of the same clock as `time`.
    private var busyUntil: UInt64 = 0

    /// - Parameter limit: pieces a second.
    init(limit: Int) { nanosecondsOfPiece = UInt64(1_000_000_000 / max(1, limit)) }

    mutating func charge(_ pieces: Int, at time: UInt64) {
        let (product, isTooMuch) = UInt64(max(0, pieces)).multipliedReportingOverflow(by: nanosecondsOfPiece)
        let most = time + TransportLimits.longestPieceDebt
        busyUntil = isTooMuch || product >= most ? most : min(most, max(busyUntil, time) + product)
    }

    /// How long the next small piece has to wait; `nil` where it need not.
    func delay(at time: UInt64) -> UInt64? {
        guard busyUntil > time + TransportLimits.pieceBurst else { return nil }
        return max(TransportLimits.shortestPieceDelay, busyUntil - time)
    }
}
