import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldSync

/// A laptop's notes last longer than a version.
@Suite struct KeptFailureTests {
    @Test func aFailureKeepsWhatCanBeDone() throws {
        let failure = SyncReport.Failure(
            isPush: true, reference: RecordReference(.site, id: "site-1"),
            message: RefusalText.message(code: 10_409, reason: "conflict", of: RefusedDetails(isNew: true)),
            title: "Old mill", change: .new, code: 10_409, reason: "conflict")
        #expect(!failure.message.marks.isEmpty)
        let kept = try JSONEncoder().encode(failure)
        #expect(try JSONDecoder().decode(SyncReport.Failure.self, from: kept) == failure)
    }

    @Test func whatAnEarlierVersionWroteIsReadAsItIs() throws {
        let json =
            #"{"isPush":true,"reference":{"kind":"site","id":"site-1"},"words":"too large (outbox retry)","code":413}"#
        let failure = try JSONDecoder().decode(SyncReport.Failure.self, from: Data(json.utf8))
        #expect(failure.message == "too large (outbox retry)" && failure.message.marks.isEmpty)
        #expect(failure.title == nil && failure.change == nil && failure.reason == nil)
    }

    /// A later version may advise what this one cannot name; the other notes of the folder are read all the same.
    @Test func anUnknownAdviceLeavesTheText() throws {
        let json = """
            {"isPush":true,"reference":{"kind":"site","id":"site-1"},"words":"too large","code":413,
             "advice":[{"advice":{"sendByPost":{}},"form":"bracketed","offset":3,"length":0},
                       {"advice":{"retry":{}},"form":"underlined","offset":3,"length":0}, 7]}
            """
        let failure = try JSONDecoder().decode(SyncReport.Failure.self, from: Data(json.utf8))
        #expect(failure.message == "too large" && failure.message.marks.isEmpty)
    }

    /// Where there is nothing to be named, an earlier version reads what this one writes, and the other way round.
    @Test func nothingIsAddedToWhatSaysNothing() throws {
        let failure = SyncReport.Failure(
            isPush: false, reference: RecordReference(.site, id: "site-1"), message: "no room", code: 507)
        let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(failure)) as? [String: Any]
        #expect(object?.keys.sorted() == ["code", "isPush", "reference", "words"])
    }
}
