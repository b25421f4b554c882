import DocumentValues
import Testing

@testable import AccessControl

/// Nobody fills a disk with a log.
@Suite struct LogPaceTests {
    @Test func whatIsBeyondTheLimitIsCounted() {
        var pace = LogPace(limit: 3)
        var listed: [Bool] = []
        var summaries: [[LogPace.Summary]] = [pace.takeSummaries(at: 60)]
        for client in ["a", "a", "a", "a", "a", "b", "b", "b"] as [Name] { listed.append(pace.note(client)) }
        for second in [119, 120, 200] as [Int64] { summaries.append(pace.takeSummaries(at: second)) }
        listed.append(pace.note("a"))
        #expect(listed == [true, true, true, false, false, true, true, true, true])
        #expect(summaries == [[], [], [LogPace.Summary(name: "a", count: 2)], []])
    }

    /// Looking alike is not being the same.
    @Test func addressesAreBytes() {
        var pace = LogPace(limit: 1)
        _ = pace.takeSummaries(at: 0)
        let listed = [pace.note("\u{E9}"), pace.note("e\u{301}")]
        #expect(listed == [true, true])
    }
}
