import DocumentValues
import Foundation
import Testing

/// Values as deep as they may be, on a thread with little stack: half a megabyte, of which debug builds need most.
@Suite struct JSONDepthTests {
    private static func nested(_ opening: String, _ closing: String, _ inside: String, _ depth: Int) -> [UInt8] {
        Array((String(repeating: opening, count: depth) + inside + String(repeating: closing, count: depth)).utf8)
    }

    private static func onSmallStack<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result(catching: body)) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [("[", "]"), (#"{"a":"#, "}"), (#"[{"b":1,"a":"#, "}]")])
    func theDeepestValuesAreReadWrittenAndCompared(_ opening: String, _ closing: String) async throws {
        let levels = opening.filter { "[{".contains($0) }.count
        let text = Self.nested(opening, closing, "[1]", (JSONLimits.depth - 1) / levels)
        let other = Self.nested(opening, closing, "[2]", (JSONLimits.depth - 1) / levels)
        try await Self.onSmallStack {
            let value = try JSONValue(parsing: text)
            #expect(value.bytes == text)
            #expect(JSONWriter(sortsKeys: true, escapesLikeGo: true).bytes(value).count == text.count)
            let again = try JSONValue(parsing: text)
            #expect(value == again && value.hashValue == again.hashValue)
            let different = try JSONValue(parsing: other)
            #expect(value != different)
            if case .object(let object) = value {
                #expect(try JSONTopLevel(scanning: text).members.count == object.count)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func nothingIsDeepEnoughToExhaustTheStack() async throws {
        let text = Self.nested(#"{"a":["#, "]}", "1", 1_000_000)
        let errors = try await Self.onSmallStack {
            [
                #expect(throws: JSONError.self) { try JSONValue(parsing: text) },
                #expect(throws: JSONError.self) { try JSONTopLevel(scanning: text) },
            ]
        }
        #expect(errors.map { $0?.code } == [.tooDeep, .tooDeep])
    }

    /// What differs only at the bottom was compared twice at each level: it took for ever.
    @Test(.timeLimit(.minutes(1))) func valuesThatDifferFarInsideAreComparedOnce() throws {
        let one = try JSONValue(parsing: Self.nested(#"{"b":0,"a":"#, "}", "1", 200))
        let other = try JSONValue(parsing: Self.nested(#"{"b":0,"a":"#, "}", "2", 200))
        let reordered = try JSONValue(parsing: Self.nested(#"{"a":"#, #","b":0}"#, "1", 200))
        #expect(one != other && other != reordered && one == reordered)
        #expect(one.hashValue == reordered.hashValue)
    }

    @Test func answersMayBeDeeperByWhatIsAroundADocument() throws {
        let text = Array(#"{"rows":["#.utf8) + Self.nested("[", "]", "", JSONLimits.depth) + Array("]}".utf8)
        #expect(throws: JSONError(.tooDeep, offset: 9 + JSONLimits.depth - 2)) { try JSONObject(parsing: text) }
        _ = try JSONObject(parsing: text, depth: JSONLimits.answerDepth)
    }
}
