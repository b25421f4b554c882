/// How many small pieces a client may send: frames, or parts of bodies. Each costs about as much as a kilobyte in one piece,
/// whatever its size. A client that sends only small ones would keep the other clients of the event loop waiting. Pure.
///
/// Each piece takes its part of a second. A client that is ahead of that time by more than a burst has to wait.
struct PiecePace {
    private let nanosecondsOfPiece: UInt64
    /// The time until which the sent pieces use up the budget, in nanoseconds of the same clock as `time`.
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
