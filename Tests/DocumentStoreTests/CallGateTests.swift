import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@testable import DocumentStore

/// The calls that closing a database waits for.
@Suite struct CallGateTests {
    private let gate = CallGate()
    private static let refusal = StoreError(.notOpen, message: "It is closed.")

    private func close(_ body: () throws -> Void = {}) throws {
        try gate.close(refusing: Self.refusal, interrupting: {}, body: body)
    }

    @Test(.timeLimit(.minutes(1))) func aCallThatIsUnderWayGoesOnToItsEnd() throws {
        let isInside = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let isClosed = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)
        let faults = Mutex<[String]>([])
        let caller = Thread { [gate] in
            do {
                try gate.call {
                    isInside.signal()
                    mayEnd.wait()
                    try gate.call { try gate.call {} }
                }
            } catch { faults.withLock { $0.append("\(error)") } }
            hasEnded.signal()
        }
        caller.start()
        isInside.wait()
        let closer = Thread { [gate] in
            do { try gate.close(refusing: Self.refusal, interrupting: {}, body: { try gate.call {} }) } catch {
                faults.withLock { $0.append("\(error)") }
            }
            isClosed.signal()
        }
        closer.start()
        while gate.isOpen { usleep(100) }
        #expect(performing: { try gate.call {} }, throws: isCode(.notOpen))
        #expect(isClosed.wait(timeout: .now() + 0.05) == .timedOut)
        mayEnd.signal()
        isClosed.wait()
        hasEnded.wait()
        #expect(faults.withLock { $0 } == [])
        #expect(performing: { try gate.call {} }, throws: isCode(.notOpen))
    }

    @Test func itIsNotClosedInsideACall() throws {
        try gate.call {
            #expect(performing: { try close() }, throws: isCode(.busy))
            #expect(gate.isOpen && gate.isEnteredByThisThread)
        }
        #expect(!gate.isEnteredByThisThread)
        try close()
        #expect(performing: { try close() }, throws: isCode(.notOpen))
    }

    @Test func itIsOpenAgainWhereClosingHasFailed() throws {
        struct Fault: Error {}
        #expect(throws: Fault.self) { try close { throw Fault() } }
        #expect(try gate.isOpen && gate.call { 1 } == 1)
        try close()
        #expect(!gate.isOpen && !gate.isEnteredByThisThread)
    }
}
