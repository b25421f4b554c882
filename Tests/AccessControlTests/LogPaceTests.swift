import DocumentValues
import Testing

@testable import AccessControl

/// No user can fill the disk with the log.
@Suite struct LogPaceTests {
    @Test func whatIsBeyondTheLimitIsCounted() {
        var pace = LogPace(limit: 3)
        var verdicts: [LogPace.Verdict] = []
        var summaries: [[LogPace.Summary]] = [pace.takeSummaries(at: 60)]
        for client in ["a", "a", "a", "a", "a", "b", "b", "b"] as [Name] { verdicts.append(pace.note(client)) }
        for second in [119, 120, 200] as [Int64] { summaries.append(pace.takeSummaries(at: second)) }
        verdicts.append(pace.note("a"))
        #expect(verdicts.prefix(5) == [.listed, .listed, .listed, .firstCounted, .counted])
        #expect(verdicts.dropFirst(5).allSatisfy { $0 == .listed })
        #expect(summaries == [[], [], [LogPace.Summary(name: "a", count: 2)], []])
    }

    /// Looking alike is not being the same.
    @Test func addressesAreBytes() {
        var pace = LogPace(limit: 1)
        _ = pace.takeSummaries(at: 0)
        let verdicts = [pace.note("\u{E9}"), pace.note("e\u{301}")]
        #expect(verdicts == [.listed, .listed])
    }

    @Test func eachNameHasItsLinesEachMinute() {
        var pace = LogPace(limit: 2)
        let verdicts = (0..<4).map { _ in pace.note("ann", at: 60) }
        #expect(verdicts == [.listed, .listed, .firstCounted, .counted])
        let others = [pace.note("bob", at: 119), pace.note("", at: 119), pace.note("ann", at: 119)]
        #expect(others == [.listed, .listed, .counted])
        #expect(pace.note("ann", at: 120) == .listed)
    }
}
