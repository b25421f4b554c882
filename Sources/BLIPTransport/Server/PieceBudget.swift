import Synchronization

/// The small pieces that one account or one address may send, over all of its connections.
public final class PieceBudget: Sendable {
    private let pace: Mutex<PiecePace>

    /// - Parameter limit: pieces a second, beyond one for each kilobyte.
    public init(limit: Int = TransportLimits.piecesPerSecond) { pace = Mutex(PiecePace(limit: limit)) }

    fileprivate func charge(_ pieces: Int, at time: UInt64) { pace.withLock { $0.charge(pieces, at: time) } }

    fileprivate func delay(at time: UInt64) -> UInt64? { pace.withLock { $0.delay(at: time) } }
}

/// The budget that a connection uses: that of its address, until a user has signed in.
public final class PieceOwner: Sendable {
    private let budget: Mutex<PieceBudget>

    public init(_ budget: PieceBudget) { self.budget = Mutex(budget) }

    public func change(to budget: PieceBudget) { self.budget.withLock { $0 = budget } }

    func charge(_ pieces: Int, at time: UInt64) { current.charge(pieces, at: time) }

    func delay(at time: UInt64) -> UInt64? { current.delay(at: time) }

    private var current: PieceBudget { budget.withLock { $0 } }
}
