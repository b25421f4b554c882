import BLIPTransport
import DocumentStore
import Foundation
import Testing

@testable import Replication

@Suite struct RetryPolicyTests {
    private static let lost = ReplicationError(code: CBLError.webSocketAbnormalClose, message: "")
    private static let unknownHost = ReplicationError(code: CBLError.unknownHost, message: "")
    private static let unauthorized = ReplicationError(code: CBLError.httpAuthRequired, message: "")

    @Test func waitsDoubleUpToTheLimit() {
        var policy = RetryPolicy(maxAttempts: .max, maxWait: 300, isContinuous: true)
        let waits = (0..<10).map { _ in policy.wait(after: Self.lost, jitter: 0) }
        #expect(waits == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
        for _ in 0..<200 { #expect(policy.wait(after: Self.lost, jitter: 0) == 300) }
    }

    /// A gateway was away for so long that all its clients wait as long as they may.
    @Test func clientsAtTheLimitDoNotComeBackTogether() throws {
        var policy = RetryPolicy(maxAttempts: .max, maxWait: 300, isContinuous: true)
        for _ in 0..<8 { _ = policy.wait(after: Self.lost, jitter: 0) }
        let waits = [0, 0.25, 0.5, 0.99].compactMap { policy.wait(after: Self.lost, jitter: $0) }
        #expect(waits.count == 4 && Set(waits).count == 4)
        #expect(waits.allSatisfy { $0 > 269 && $0 <= 300 }, "\(waits)")
        // But never before the gateway wants to be asked again.
        var refused = TransportError(.httpStatus(503), message: "busy")
        refused.retryAfter = 295
        #expect(policy.wait(after: ReplicationError(refused), jitter: 0.9) == 295)
    }

    /// A program waits for the end of a run, and has waited for minutes.
    @Test(arguments: [true, false]) func aSilentGatewayIsNotTriedAgainWhereSomebodyWaits(endsInSilence: Bool) {
        var policy = RetryPolicy(maxAttempts: 10, maxWait: 300, isContinuous: false, endsInSilence: endsInSilence)
        let silent = ReplicationError(TransportError(.silent, message: "silent"))
        #expect(silent.code == CBLError.timeout && silent.isTransient)
        #expect((policy.wait(after: silent, jitter: 0) == nil) == endsInSilence)
        #expect(policy.wait(after: ReplicationError(TransportError(.timedOut, message: "away")), jitter: 0) != nil)
    }

    /// A gateway under load says when it wants to be asked again.
    @Test(arguments: [(nil, 2), (1, 2), (30, 30), (86_400, 300)] as [(Int?, Double)])
    func whatTheGatewayAsksForIsWaited(asked: Int?, wait: Double) {
        var policy = RetryPolicy(maxAttempts: .max, maxWait: 300, isContinuous: true)
        var refused = TransportError(.httpStatus(503), message: "busy")
        refused.retryAfter = asked
        #expect(policy.wait(after: ReplicationError(refused), jitter: 0) == wait)
    }

    /// The article on replicating lists them: a program starts the replicator again.
    @Test(arguments: [
        ReplicationError(domain: ReplicationError.posixDomain, code: Int(ENOSPC), message: ""),
        ReplicationError(StoreError(.diskFull, message: "")), unauthorized,
        ReplicationError(code: CBLError.httpForbidden, message: ""),
        ReplicationError(code: CBLError.httpNotFound, message: ""),
        ReplicationError(TransportError(.tls(.untrusted), message: "")),
        ReplicationError(TransportError(.tls(.expired), message: "")),
        ReplicationError(TransportError(.invalidURL, message: "")),
        ReplicationError(TransportError(.protocolViolation, message: "")),
    ])
    func whatDoesNotPassEndsAContinuousRun(error: ReplicationError) {
        var policy = RetryPolicy(maxAttempts: .max, maxWait: 300, isContinuous: true)
        #expect(policy.wait(after: error, jitter: 0) == nil)
    }

    /// An import or a long batch of another process ends.
    @Test(arguments: [true, false]) func aLockedDatabaseIsWaitedFor(isContinuous: Bool) {
        var policy = RetryPolicy(maxAttempts: 3, maxWait: 300, isContinuous: isContinuous)
        let error = ReplicationError(StoreError(.busy, message: ""))
        let waits = (0..<3).map { _ in policy.wait(after: error, jitter: 0) }
        #expect(waits == [2, 4, nil])
    }

    /// Two absurd numbers make none that a clock could not count.
    @Test func noWaitIsLongerThanAYear() {
        var policy = RetryPolicy(maxAttempts: .max, maxWait: 1e300, isContinuous: true)
        var refused = TransportError(.httpStatus(503), message: "busy")
        refused.retryAfter = .max
        let wait = policy.wait(after: ReplicationError(refused), jitter: 0.5)
        #expect(wait == ReplicationLimits.longestWait)
    }

    @Test func jitterLengthensAWaitALittle() {
        var policy = RetryPolicy(maxAttempts: .max, maxWait: 300, isContinuous: true)
        let wait = policy.wait(after: Self.lost, jitter: 0.5) ?? 0
        #expect(wait > 2 && wait < 2.2)
    }

    @Test func aOneShotReplicationGivesUp() {
        var policy = RetryPolicy(maxAttempts: 10, maxWait: 300, isContinuous: false)
        let waits = (0..<10).map { _ in policy.wait(after: Self.lost, jitter: 0) }
        #expect(waits.prefix(9).allSatisfy { $0 != nil })
        #expect(waits.last == .some(nil))
    }

    @Test func aConnectionThatWorkedBeginsTheCountAgain() {
        var policy = RetryPolicy(maxAttempts: 2, maxWait: 300, isContinuous: false)
        for _ in 0..<5 {
            #expect(policy.wait(after: Self.lost, jitter: 0) == 2)
            policy.connectionWorked()
        }
    }

    /// It lets every client in, and cannot do what it is asked for.
    @Test(arguments: [429, 500, 503]) func aGatewayThatOnlyAnswersThatItCannotIsGivenUp(status: Int) {
        var policy = RetryPolicy(maxAttempts: 4, maxWait: 300, isContinuous: false)
        let busy = ReplicationError(code: CBLError.httpBase + status, message: "busy")
        let waits = (0..<4).map { _ in
            policy.connectionWorked()
            return policy.wait(after: busy, jitter: 0)
        }
        #expect(waits == [2, 4, 8, nil])
    }

    /// Much is to be pushed to a gateway that takes a part each time.
    @Test func whatComesAcrossBeginsTheCountAgain() {
        var policy = RetryPolicy(maxAttempts: 2, maxWait: 300, isContinuous: false)
        let busy = ReplicationError(code: CBLError.httpBase + 503, message: "busy")
        for _ in 0..<5 {
            policy.connectionWorked()
            policy.noteTransfer()
            #expect(policy.wait(after: busy, jitter: 0) == 2)
        }
        policy.connectionWorked()
        #expect(policy.wait(after: busy, jitter: 0) == nil, "the last one counts for itself alone")
    }

    /// A gateway that is busy for a day is asked less and less often, and never given up.
    @Test func aContinuousReplicationWaitsLongerForABusyGateway() throws {
        var policy = RetryPolicy(maxAttempts: .max, maxWait: 300, isContinuous: true)
        let busy = ReplicationError(code: CBLError.httpBase + 503, message: "busy")
        var clock = 0.0
        var attempts = 0
        while clock < 86_400 {
            policy.connectionWorked()
            let wait = policy.wait(after: busy, jitter: 0)
            clock += try #require(wait, "it is given up")
            attempts += 1
        }
        #expect(attempts < 300, "\(attempts)")
        policy.connectionWorked()
        #expect(policy.wait(after: Self.lost, jitter: 0) == 2, "a line that breaks is another matter")
    }

    @Test func anotherNetworkShortensTheWaitsButAttemptsCountOn() {
        var policy = RetryPolicy(maxAttempts: 5, maxWait: 300, isContinuous: false)
        var waits = (0..<3).map { _ in policy.wait(after: Self.lost, jitter: 0) }
        policy.networkChanged()
        waits += (0..<2).map { _ in policy.wait(after: Self.lost, jitter: 0) }
        #expect(waits == [2, 4, 8, 2, nil])
    }

    @Test(arguments: [0, 1] as [UInt])
    func oneAttemptIsNoRetry(maxAttempts: UInt) {
        var policy = RetryPolicy(maxAttempts: maxAttempts, maxWait: 300, isContinuous: true)
        #expect(policy.wait(after: Self.lost, jitter: 0) == nil)
    }

    @Test func whatDependsOnTheNetworkIsWaitedForOnlyWhenContinuous() {
        var oneShot = RetryPolicy(maxAttempts: 10, maxWait: 300, isContinuous: false)
        var continuous = RetryPolicy(maxAttempts: .max, maxWait: 300, isContinuous: true)
        #expect(oneShot.wait(after: Self.unknownHost, jitter: 0) == nil)
        #expect(continuous.wait(after: Self.unknownHost, jitter: 0) == 2)
        #expect(continuous.wait(after: Self.unauthorized, jitter: 0) == nil)
    }
}
