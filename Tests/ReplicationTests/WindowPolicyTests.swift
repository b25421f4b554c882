import DocumentStore
import SyncProtocol
import Testing

@testable import Replication

/// How many transfers the next connection begins with.
@Suite struct WindowPolicyTests {
    private let narrow = TransferWindow.open.narrowed

    private func lost(_ policy: WindowPolicy, after events: (inout WindowPolicy) -> Void = { _ in }) -> WindowPolicy {
        var policy = policy
        policy.connectionWorked()
        events(&policy)
        policy.connectionEnded(isLost: true)
        return policy
    }

    @Test func connectionsWithoutProgressNarrowTheWindow() {
        let first = lost(WindowPolicy())
        #expect(first.window == narrow)
        let second = lost(first) { $0.documents(completed: 0, isCaughtUp: false) }
        #expect(second.window == narrow.narrowed && second.window != narrow)
        #expect(lost(second).window == second.window, "one transfer at a time is the least")
    }

    /// Its loss shows that the line is no better than before.
    @Test func aConnectionWithProgressLeavesTheWindow() {
        let policy = lost(WindowPolicy())
        #expect(lost(policy) { $0.documents(completed: 1, isCaughtUp: false) }.window == narrow)
        #expect(lost(policy) { $0.attachmentArrived() }.window == narrow)
        #expect(lost(WindowPolicy()) { $0.attachmentArrived() }.window == .open)
    }

    @Test func theWindowOpensAgain() {
        let policy = lost(WindowPolicy())
        let completed = ActiveLimits.documentsOfAGoodLine
        #expect(lost(policy) { $0.documents(completed: completed, isCaughtUp: false) }.window == .open)
        #expect(lost(policy) { $0.documents(completed: 0, isCaughtUp: true) }.window == .open)
    }

    /// An overloaded gateway is no reason to send less at a time.
    @Test func aGatewayThatClosesTheConnectionLeavesTheWindow() {
        var policy = WindowPolicy()
        policy.connectionWorked()
        policy.connectionEnded(isLost: false)
        #expect(policy.window == .open)
    }

    @Test(arguments: [
        (CBLError.webSocketAbnormalClose, true), (CBLError.timeout, true), (CBLError.connectionAborted, true),
        (CBLError.webSocketGoingAway, false), (10503, false), (10401, false), (CBLError.tlsCertUnknownRoot, false),
    ])
    func onlyALostLineIsAtFault(code: Int, isOfLine: Bool) {
        #expect(ReplicationError(code: code, message: "").isOfLine == isOfLine)
    }

    /// A gateway that is not there says nothing about the line.
    @Test func attemptsWithoutAnAnswerLeaveTheWindow() {
        var policy = WindowPolicy()
        policy.connectionEnded(isLost: true)
        #expect(policy.window == .open)
    }
}
