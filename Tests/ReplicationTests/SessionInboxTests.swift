import BLIPProtocol
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import Replication

@Suite(.timeLimit(.minutes(1))) struct SessionInboxTests {
    /// A link whose pauses take their time.
    private final class SlowLink: SessionLink {
        enum Call { case pause, resume }

        let isPausing = DispatchSemaphore(value: 0)
        private let isResumed = DispatchSemaphore(value: 0)
        private let all = Mutex<[Call]>([])
        var calls: [Call] { all.withLock { $0 } }

        func pauseReading() {
            isPausing.signal()
            // A resumption that does not wait for this call comes at the same time.
            _ = isResumed.wait(timeout: .now() + 0.1)
            all.withLock { $0.append(.pause) }
        }

        func resumeReading() {
            all.withLock { $0.append(.resume) }
            isResumed.signal()
        }

        func send(_ batch: [BLIPOutgoing]) {}
        func check() {}
        func close(code: UInt16, reason: String) {}
        func abort() {}
    }

    /// The other way about the connection would be paused for ever.
    @Test func aResumptionDoesNotOvertakeThePauseBeforeIt() {
        let (inbox, link) = (SessionInbox(), SlowLink())
        let body = ByteBuffer(repeating: 0, count: ReplicationLimits.inboxBytes + 1)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            link.isPausing.wait()
            inbox.worked(off: inbox.takeAll().bytes, for: link)
            isDone.signal()
        }
        #expect(inbox.put([.responsePart(tag: 1, body, isLast: true)], from: link))
        #expect(isDone.wait(timeout: .now() + 20) == .success)
        #expect(link.calls == [.pause, .resume])
    }

    @Test func whatIsBeingWorkedOnIsHeldStill() {
        let (inbox, link) = (SessionInbox(), SlowLink())
        let half = BLIPIncoming.responsePart(
            tag: 1, ByteBuffer(repeating: 0, count: ReplicationLimits.inboxBytes / 2), isLast: false)
        #expect(inbox.put([half], from: link))
        let taken = inbox.takeAll()
        #expect(taken.messages.count == 1 && link.calls.isEmpty)
        #expect(inbox.put([half], from: link), "the queue is notified again")
        #expect(link.calls == [.pause])
        inbox.worked(off: taken.bytes, for: link)
        #expect(link.calls == [.pause], "more than half waits: the message takes something, too")
        inbox.worked(off: inbox.takeAll().bytes, for: link)
        #expect(link.calls == [.pause, .resume])
        #expect(inbox.takeAll().messages.isEmpty)
    }
}
