import Glibc
import Testing

@testable import SyncFunction

/// How long is waited for a call, and who counts as slow; on a busy machine, too.
@Suite(.timeLimit(.minutes(1))) struct CallPatienceTests {
    private static let function = "function(doc){ if (doc.loop) while (true) {} channel('c' + 1); }"

    private static func call(loops: Bool = false, padding: Int = 0) -> PendingCall {
        let text = String(repeating: "x", count: padding)
        return PendingCall(Trial(function: function, document: #"{"loop":\#(loops),"t":"\#(text)"}"#).call)
    }

    private static let patience = CallPatience(for: call(), within: .seconds(5), cutAfter: .milliseconds(250))

    /// Another process had the processor all the time.
    @Test func aCallThatHardlyCameToWorkIsNotCut() {
        let patience = Self.patience
        let rest = patience.work - .milliseconds(60)
        #expect(patience.verdict(after: .milliseconds(300), worked: .zero) == .wait(patience.work))
        #expect(patience.verdict(after: .milliseconds(800), worked: .milliseconds(60)) == .wait(rest))
        #expect(patience.verdict(after: .milliseconds(900), worked: patience.work) == .cut)
    }

    @Test func aCallHasItsShareFirst() {
        let verdict = Self.patience.verdict(after: .milliseconds(150), worked: .milliseconds(150))
        guard case .wait(let time) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(time > .milliseconds(99) && time < .milliseconds(110))
        #expect(Self.patience.verdict(after: .milliseconds(260), worked: .milliseconds(255)) == .cut)
    }

    /// Whatever the worker did meanwhile: others wait.
    @Test func noCallHasMoreThanItsTimeByTheClock() {
        let patience = Self.patience
        #expect(patience.verdict(after: patience.limit - .milliseconds(1), worked: .zero) == .wait(.milliseconds(1)))
        #expect(patience.verdict(after: patience.limit, worked: .zero) == .tooSlow)
    }

    @Test func withoutACutACallHasAllItsTime() {
        let patience = CallPatience(for: Self.call(), within: .seconds(5), cutAfter: nil)
        #expect(patience.verdict(after: .seconds(1), worked: .seconds(1)) == .wait(patience.limit - .seconds(1)))
        #expect(patience.verdict(after: patience.limit, worked: patience.limit) == .tooSlow)
    }

    /// Reading is the engine's work, not the function's.
    @Test func readingIsNoWorkOfTheFunction() {
        let call = Self.call(padding: 500_000)
        let patience = CallPatience(for: call, within: .seconds(5), cutAfter: .milliseconds(250))
        #expect(patience.verdict(after: .seconds(1), worked: .milliseconds(400)) != .cut)
        #expect(patience.verdict(after: .seconds(1), worked: .milliseconds(700)) == .cut)
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
