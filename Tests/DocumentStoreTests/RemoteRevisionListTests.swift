import DocumentValues
import Testing

@testable import DocumentStore

/// What remotes have of a document, as its row keeps it, and what of a history is never cut off for that.
@Suite struct RemoteRevisionListTests {
    private static func revision(_ text: String) -> RevisionID { RevisionID(text)! }

    @Test(arguments: [
        ("", ""), ("1=2-ab", "1=2-ab"), ("1=2-ab 2=3-cd", "1=2-ab 2=3-cd"), ("1=2-ab/3-cd", "1=2-ab/3-cd"),
        // Of an earlier version.
        ("1=2-ab~3-cd", "1=2-ab/3-cd"), ("9223372036854775807=1-a", "9223372036854775807=1-a"),
        // What cannot be read says nothing.
        ("x=2-ab", ""), ("1=x", ""), ("1", ""), ("=2-ab", ""), ("1=", ""), ("1=x 2=3-cd", "2=3-cd"),
        ("1=2-ab/x", "1=2-ab"),
        ("  1=2-ab  ", "1=2-ab"),
    ])
    func theRowIsReadAndWritten(text: String, written: String) {
        let remotes = RemoteRevisions(parsing: text)
        #expect(remotes.text == written && RemoteRevisions(parsing: remotes.text) == remotes)
        #expect(remotes.isEmpty == written.isEmpty)
    }

    @Test func eachRemoteHasOneRevision() {
        var remotes = RemoteRevisions()
        #expect(remotes.isEmpty && remotes[1] == nil && remotes.local(of: 1) == nil && !remotes.hasOthers(than: 1))
        remotes.set(Self.revision("1-a"), of: 1)
        remotes.set(Self.revision("2-b"), of: 2)
        remotes.set(Self.revision("3-c"), of: 1)
        #expect(remotes.text == "1=3-c 2=2-b" && remotes[1]?.description == "3-c" && remotes[3] == nil)
        #expect(remotes.hasOthers(than: 1) && remotes.hasOthers(than: 3))
        #expect(remotes.contains(Self.revision("2-b")) && !remotes.contains(Self.revision("1-a")))
    }

    @Test func aRevisionMayHaveAnotherNameThere() {
        var remotes = RemoteRevisions()
        remotes.set(Self.revision("5-x"), of: 1, sameAs: Self.revision("2-b"))
        remotes.set(Self.revision("2-b"), of: 2, sameAs: Self.revision("2-b"))
        #expect(remotes.text == "1=5-x/2-b 2=2-b", "the same name is none of its own")
        #expect(remotes.local(of: 1)?.description == "2-b" && remotes[1]?.description == "5-x")
        #expect(remotes.local(of: 1, as: Self.revision("5-x")).description == "2-b")
        #expect(remotes.local(of: 1, as: Self.revision("4-w")).description == "4-w")
        #expect(remotes.local(of: 3, as: Self.revision("5-x")).description == "5-x")
        #expect(remotes.contains(Self.revision("5-x")) && remotes.contains(Self.revision("2-b")))
    }

    /// The same content under another name: who had the one has the other.
    @Test func whatIsTheSameIsCarriedOver() {
        var remotes = RemoteRevisions(parsing: "1=2-b 2=5-x/2-b 3=1-a")
        remotes.carryOver(from: Self.revision("2-b"), to: Self.revision("3-c"))
        #expect(remotes.text == "1=2-b/3-c 2=5-x/3-c 3=1-a")
        remotes.carryOver(from: Self.revision("3-c"), to: Self.revision("2-b"))
        #expect(remotes.text == "1=2-b 2=5-x/2-b 3=1-a")
        remotes.carryOver(from: Self.revision("9-z"), to: Self.revision("3-c"))
        #expect(remotes.text == "1=2-b 2=5-x/2-b 3=1-a")
    }

    @Test func aRemoteThatWasSetBackHasAnOlderRevision() {
        let remotes = RemoteRevisions(parsing: "1=3-c 2=5-x/3-c")
        #expect(remotes.setBack(to: Self.revision("1-a")).text == "1=1-a 2=1-a")
        #expect(remotes.setBack(to: nil).isEmpty && RemoteRevisions().setBack(to: Self.revision("1-a")).isEmpty)
    }

    // MARK: Histories

    private static func history(_ generations: some Sequence<Int>) -> RevisionHistory {
        RevisionHistory(generations.map { RevisionID(generation: UInt32($0), digest: "h") })
    }

    private static func generations(_ history: RevisionHistory) -> [UInt32] {
        history.ancestors.compactMap { $0.treeRevision?.generation }
    }

    @Test(arguments: [0, 1, 49, 50]) func aShortHistoryIsKept(count: Int) {
        let history = Self.history((1...max(count, 1)).reversed().prefix(count))
        #expect(history.trimmed(keeping: RemoteRevisions()) == history)
    }

    /// A push has to reach down to what a remote has.
    @Test func whatARemoteHasIsNotCutOff() {
        let history = Self.history((1...200).reversed())
        #expect(Self.generations(history.trimmed(keeping: RemoteRevisions())) == (151...200).reversed())
        let near = RemoteRevisions(parsing: "1=160-h")
        #expect(Self.generations(history.trimmed(keeping: near)) == (151...200).reversed())
        let far = RemoteRevisions(parsing: "1=10-h 2=x-y 3=7-other/20-h")
        #expect(Self.generations(history.trimmed(keeping: far)) == (153...200).reversed() + [20, 10])
        let unknown = RemoteRevisions(parsing: "1=10-other")
        #expect(Self.generations(history.trimmed(keeping: unknown)).count == StoreLimits.history)
    }

    @Test func aChildsHistoryBeginsWithItsParent() {
        let parent = RevisionID(generation: 51, digest: "h")
        let extended = Self.history((1...50).reversed()).extended(
            by: parent, keeping: RemoteRevisions(parsing: "1=1-h"))
        #expect(Self.generations(extended) == (3...51).reversed() + [1])
        #expect(RevisionHistory().extended(by: parent, keeping: RemoteRevisions()).ancestors == [parent])
    }
}
