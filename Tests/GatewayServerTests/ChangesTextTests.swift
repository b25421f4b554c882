import DocumentValues
import GatewayCore
import Testing

@testable import GatewayServer

/// The end of an answer names the last row that the client has got.
@Suite struct ChangesTextTests {
    private func row(_ sequence: UInt64) -> FeedRow {
        FeedRow(
            sequence: SequenceID(sequence), id: "d\(sequence)", revision: RevisionID(generation: 1, digest: "aa"))
    }

    @Test func piecesMakeOneObject() throws {
        var text = ChangesText()
        var answer = text.take()
        for sequence: UInt64 in [4, 7, 9] {
            text.append(row(sequence))
            if sequence == 7 { answer += text.take() }
        }
        text.finish(SequenceID(2))
        answer += text.take()
        let object = try JSONObject(parsing: answer)
        #expect(object["results"]?.arrayValue?.map { $0.objectValue?["id"] } == ["d4", "d7", "d9"])
        #expect(object["last_seq"] == "9")
        #expect(text.count == 3 && text.isFinished)
    }

    @Test func withoutRowsTheClientStaysWhereItWas() throws {
        var text = ChangesText()
        text.finish(SequenceID(2))
        #expect(try JSONObject(parsing: text.take()) == ["results": [], "last_seq": "2"])
    }

    /// The database may be interrupted after rows were read, and before they are written.
    @Test func rowsThatWereNotTakenAreMissed() {
        var text = ChangesText()
        #expect(!text.holdsRows)
        text.append(row(4))
        #expect(text.holdsRows)
        _ = text.take()
        #expect(!text.holdsRows)
        text.append(row(5))
        #expect(text.holdsRows && text.count == 2)
    }
}
