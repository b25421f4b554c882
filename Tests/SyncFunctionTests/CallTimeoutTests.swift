import Glibc
import Testing

@testable import SyncFunction

/// How long is waited for a call, and who counts as slow; on a busy machine, too.
@Suite(.timeLimit(.minutes(1))) struct CallTimeoutTests {
    private static let function = "function(doc){ if (doc.loop) while (true) {} channel('c' + 1); }"

    private static func call(loops: Bool = false, padding: Int = 0) -> PendingCall {
        let text = String(repeating: "x", count: padding)
        return PendingCall(Trial(function: function, document: #"{"loop":\#(loops),"t":"\#(text)"}"#).call)
    }

    private static let timeout = CallTimeout(for: call(), within: .seconds(5), cutAfter: .milliseconds(250))

    /// Another process had the processor all the time.
    @Test func aCallThatHardlyCameToWorkIsNotCut() {
        let timeout = Self.timeout
        let rest = timeout.work - .milliseconds(60)
        #expect(timeout.verdict(after: .milliseconds(300), worked: .zero) == .wait(timeout.work))
        #expect(timeout.verdict(after: .milliseconds(800), worked: .milliseconds(60)) == .wait(rest))
        #expect(timeout.verdict(after: .milliseconds(900), worked: timeout.work) == .cut)
    }

    @Test func aCallHasItsShareFirst() {
        let verdict = Self.timeout.verdict(after: .milliseconds(150), worked: .milliseconds(150))
        guard case .wait(let time) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(time > .milliseconds(99) && time < .milliseconds(110))
        #expect(Self.timeout.verdict(after: .milliseconds(260), worked: .milliseconds(255)) == .cut)
    }

    /// Whatever the worker did meanwhile: others wait.
    @Test func noCallHasMoreThanItsTimeByTheClock() {
        let timeout = Self.timeout
        #expect(timeout.verdict(after: timeout.limit - .milliseconds(1), worked: .zero) == .wait(.milliseconds(1)))
        #expect(timeout.verdict(after: timeout.limit, worked: .zero) == .tooSlow)
    }

    @Test func withoutACutACallHasAllItsTime() {
        let timeout = CallTimeout(for: Self.call(), within: .seconds(5), cutAfter: nil)
        #expect(timeout.verdict(after: .seconds(1), worked: .seconds(1)) == .wait(timeout.limit - .seconds(1)))
        #expect(timeout.verdict(after: timeout.limit, worked: timeout.limit) == .tooSlow)
    }

    /// Reading is the engine's work, not the function's.
    @Test func readingIsNoWorkOfTheFunction() {
        let call = Self.call(padding: 500_000)
        let timeout = CallTimeout(for: call, within: .seconds(5), cutAfter: .milliseconds(250))
        #expect(timeout.verdict(after: .seconds(1), worked: .milliseconds(400)) != .cut)
        #expect(timeout.verdict(after: .seconds(1), worked: .milliseconds(700)) == .cut)
    }

    /// A stopped worker computes nothing, like one whose processor others have.
    @Test(arguments: [(true, WorkerProcess.Failure.tooSlow), (false, WorkerProcess.Failure.cut)])
    func whatTheWorkerComputedDecides(isStopped: Bool, expected: WorkerProcess.Failure) throws {
        let worker = try WorkerProcess(executable: WorkerExecutable.path, memory: SyncFunctionLimits().memory)
        defer { worker.end() }
        if isStopped { kill(worker.child.identifier, SIGSTOP) }
        let limit: Duration = isStopped ? .milliseconds(400) : .seconds(50)
        let (answers, failure) = worker.answers(
            to: [Self.call(loops: !isStopped)], isCareful: true, within: limit, cutAfter: .milliseconds(20))
        #expect(answers.isEmpty)
        #expect(failure == expected)
    }
}
