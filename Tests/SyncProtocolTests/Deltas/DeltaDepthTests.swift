import DocumentValues
import Testing

@testable import SyncProtocol

/// How deep differences are nested.
@Suite struct DeltaDepthTests {
    /// Couchbase Lite ends its replication over a difference of more levels than its values have.
    @Test(arguments: [97, 98, 99, 100, 200]) func noDifferenceIsDeeperThanThePeerReads(levels: Int) throws {
        let pad = String(repeating: "p", count: 5_000)
        let deep = String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)
        let (old, new) = (#"{"pad":"\#(pad)","v":1}"#, #"{"pad":"\#(pad)","v":\#(deep)}"#)
        // With the document's braces, and the brackets that say "instead", it is two levels deeper.
        let isSent = levels <= JSONDelta.deepest - 2
        #expect((try DeltaBody.wireDifference(from: Array(old.utf8), to: Array(new.utf8)) != nil) == isSent)
        #expect((DeltaBody.difference(from: Array(old.utf8), to: Array(new.utf8)) != nil) == isSent)
        #expect(try DeltaBody.wireDifference(from: Array(new.utf8), to: Array(old.utf8)) != nil)
    }

    @Test func levelsAreCountedOutsideOfTexts() {
        let nestings = [
            "{}": 1, "1": 0, #"{"a":"[[[","b":["\"]["]}"#: 2, #"{"a":[{"b":[]}],"c":[]}"#: 4, #"["\\",[]]"#: 2,
        ]
        for (json, levels) in nestings { #expect(DeltaBody.levels(of: Array(json.utf8)) == levels, "\(json)") }
    }
}
