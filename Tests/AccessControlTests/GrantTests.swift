import AccessControl
import DocumentValues
import Testing

@Suite struct GrantTests {
    @Test func aHoldingLastsWhileAnyGrantRemains() {
        #expect(GrantChange(since: nil, isGranted: true, at: 7) == .begins(7))
        #expect(GrantChange(since: 3, isGranted: true, at: 7) == .none)
        #expect(GrantChange(since: 3, isGranted: false, at: 7) == .ends(SequenceSpan(start: 3, end: 7)))
        #expect(GrantChange(since: nil, isGranted: false, at: 7) == .none)
    }

    @Test func historyStaysSmallAndForgetsNoSpan() {
        var history = GrantHistory()
        for index in 0..<30 {
            history.append(SequenceSpan(start: UInt64(index * 10), end: UInt64(index * 10 + 5)), of: "a")
        }
        let spans = history["a"]
        #expect(spans.count == AccessLimits.spansPerGrant)
        // Joined spans may cover more than was held, never less: rather one revocation too many than one too few.
        for index in 0..<30 {
            let span = SequenceSpan(start: UInt64(index * 10), end: UInt64(index * 10 + 5))
            #expect(spans.contains { $0.start <= span.start && span.end <= $0.end })
        }
    }

    @Test(arguments: [
        ("a/b", true), ("a:b", true), ("a,b", true), ("a`b", true), ("", true), ("...", true),
        (String(repeating: "x", count: 240), true), (String(repeating: "x", count: 239), false), ("zoë", false),
        ("bad name", false), ("1", false),
    ])
    func principalNames(name: String, isBad: Bool) {
        #expect((PrincipalName.problem(with: name) != nil) == isBad)
    }

    @Test func channelNames() {
        #expect(Channel.isValid("*"))
        #expect(Channel.isValid("district.94110"))
        #expect(!Channel.isValid(""))
        #expect(!Channel.isValid("a,b"))
    }
}

@Suite struct DocumentChannelsTests {
    @Test func anEntryMovesWithTheDocumentAndStaysWhereItLeft() {
        var channels = DocumentChannels()
        #expect(channels.update(to: ["a", "b"], at: 3).entered == ["a", "b"])
        let second = channels.update(to: ["b", "c"], at: 8)
        #expect(second.entered == ["b", "c"])
        #expect(second.left == ["a"])
        #expect(channels.current == ["b": 3, "c": 8])
        #expect(channels.stays(in: "a") == [SequenceSpan(start: 3, end: 8)])
    }

    @Test func comingBackReplacesTheRemoval() {
        var channels = DocumentChannels()
        _ = channels.update(to: ["a"], at: 3)
        _ = channels.update(to: [], at: 8)
        let back = channels.update(to: ["a"], at: 12)
        #expect(back.replacedRemovals.map(\.span) == [SequenceSpan(start: 3, end: 8)])
        #expect(channels.stays(in: "a") == [SequenceSpan(start: 3, end: 8), SequenceSpan(start: 12, end: .max)])
        _ = channels.update(to: [], at: 20)
        #expect(channels.past.filter(\.isLatest).map(\.span) == [SequenceSpan(start: 12, end: 20)])
    }

    @Test func wanderingDocumentsStaySmall() {
        var channels = DocumentChannels()
        for index in 0..<500 { _ = channels.update(to: index.isMultiple(of: 2) ? ["a"] : [], at: UInt64(index + 1)) }
        #expect(channels.past.count <= 50)
        #expect(channels.past.contains { $0.isLatest && $0.channel == "a" })
    }
}
