import Foundation

/// Whether and when a replication that lost its connection, or got none, tries again (§1.11).
package struct RetryPolicy: Sendable, Hashable {
    /// Attempts in a row without a connection that worked; the first one counts, and is made even if it is 0.
    package let maxAttempts: UInt
    package let maxWait: TimeInterval
    package let isContinuous: Bool
    /// Seconds before the second attempt.
    package let firstWait: TimeInterval
    /// Whether there is no attempt after a gateway was silent for minutes, because a person waits for the end.
    package let endsInSilence: Bool

    private var connection = ConnectionOutcome.silent
    private var failures: UInt = 0
    /// How often the wait has been doubled.
    private var doublings = 0

    package init(
        maxAttempts: UInt, maxWait: TimeInterval, isContinuous: Bool,
        firstWait: TimeInterval = ReplicationLimits.firstWait, endsInSilence: Bool = false
    ) {
        self.endsInSilence = endsInSilence
        self.maxAttempts = maxAttempts
        self.maxWait = min(maxWait, ReplicationLimits.longestWait)
        self.isContinuous = isContinuous
        self.firstWait = firstWait
    }

    /// A connection works: the count begins again, unless the gateway then answers that it cannot do its work for now.
    package mutating func connectionWorked() { connection.gatewayAnswered() }

    /// A document or a blob has come across: no refusal, and no loss of access.
    package mutating func noteTransfer() { connection = .fruitful }

    /// The network has changed: waits are short again, but the attempts are still counted, so that an unstable network
    /// does not keep a one-shot replication alive for ever.
    package mutating func networkChanged() { doublings = 0 }

    /// Seconds to wait before the next attempt, or `nil` to give up: 2, 4, 8 … up to `maxWait`; as long as the gateway
    /// asked for (`Retry-After`) where that is longer, but not beyond `maxWait` either.
    ///
    /// - Parameter jitter: from 0 up to 1, a random number that keeps many clients from coming back at once.
    package mutating func wait(after error: ReplicationError, jitter: Double) -> TimeInterval? {
        noteConnection(endedBy: error)
        let passes = error.isTransient || error.isOfLockedDatabase || (isContinuous && error.dependsOnNetwork)
        guard passes, !(endsInSilence && error.isSilence) else { return nil }
        failures += 1
        guard failures < maxAttempts else { return nil }
        // More doublings are never needed: the wait is then beyond any useful limit.
        let doubled = firstWait * Double(1 << min(doublings, 20))
        doublings += 1
        let asked = error.retryAfter ?? 0
        let spread = ReplicationLimits.jitterFraction * jitter
        let wait = max(doubled, asked) * (1 + spread)
        // At the limit all clients of a gateway that was down for long would come back together, so there the wait is
        // spread below it.
        return wait <= maxWait ? wait : max(maxWait * (1 - spread), min(asked, maxWait))
    }

    /// A gateway that lets every client in, and then answers requests with 503, is down as well: if such connections began the
    /// count again, a one-shot replication with a document that never passes would have no end.
    private mutating func noteConnection(endedBy error: ReplicationError) {
        defer { connection = .silent }
        let works =
            switch connection {
            case .silent: false
            case .fruitless: !error.isAnswer
            case .fruitful: true
            }
        guard works else { return }
        failures = 0
        doublings = 0
    }
}
