import FieldRecords
import Foundation
import Testing

/// What a worker reads of a refusal, held against what the sync function of the field database says.
@Suite struct RefusalTextTests {
    /// The reasons in the function's source, with a text for what it fills in.
    private static func reasons() throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/GatewayServer/Field/field-sync.js")
        let source = try String(contentsOf: file, encoding: .utf8)
        let calls = source.matches(of: #/refuse\((?<text>[^;]*?"[^;]*?)\);/#).map { String($0.output.text) }
        return calls.flatMap { call -> [String] in
            let filled = call.replacing(#/"\s*\+\s*[^"]+?\s*\+\s*"/#, with: "site")
            return filled.matches(of: #/"(?<text>[^"]{3,})"/#).map { String($0.output.text) }
        }
    }

    @Test func everyReasonIsReworded() throws {
        let reasons = try Self.reasons()
        #expect(reasons.count > 40, "\(reasons)")
        for reason in reasons {
            let message = RefusalText.message(code: 10_403, reason: reason)
            #expect(!message.contains("the gateway says"), "\(reason): \(message)")
            #expect(message.hasSuffix(".") && message.contains(". "), "what to do: \(message)")
        }
    }

    @Test(arguments: [
        ("only a supervisor, or the one whose it is, takes back what was submitted", " Ask one to do it."),
        ("who created a record does not change", " The next sync leaves it its creator's"),
        ("the record names no channel, so nobody would get it", " Give it a district: edit ... district=CODE."),
        ("the assignment is somebody else's", " Ask a supervisor to give it to you, or to change it."),
        ("only the office adds records under an id that no laptop makes: site-4711", " Ask there."),
    ])
    func itSaysWhomToAsk(reason: String, advice: String) {
        #expect(RefusalText.message(code: 10_403, reason: reason).contains("." + advice), "\(reason)")
    }
}
