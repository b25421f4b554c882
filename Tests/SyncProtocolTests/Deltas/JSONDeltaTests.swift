import DocumentValues
import Foundation
import SeededRandom
import Testing

@testable import SyncProtocol

@Suite struct JSONDeltaTests {
    private func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    private func object(_ text: String) throws -> JSONObject { try JSONObject(parsing: Array(text.utf8)) }

    /// The examples and rules of the specification: old, new, delta.
    @Test(arguments: [
        (
            #"{"a":1,"b":[1,2,3],"c":{"x":1,"y":2},"d":"k"}"#, #"{"a":2,"b":[1,9],"c":{"x":1},"e":[7]}"#,
            #"{"a":2,"b":{"1":9,"2-":[]},"c":{"y":[]},"d":[],"e":[[7]]}"#
        ),
        (
            #"{"t":"The quick brown fox jumps over the lazy dog, then naps until noon."}"#,
            #"{"t":"The quick brown fox leaps over the lazy dog, then naps until noon."}"#,
            #"{"t":["20=3-3+lea|43=",0,2]}"#
        ),
        (#"{"a":1}"#, #"{"a":1}"#, "{}"), ("{}", #"{"a":null}"#, #"{"a":null}"#),
        (#"{"a":[]}"#, #"{"a":[1]}"#, #"{"a":[[1]]}"#), (#"{"a":[1]}"#, #"{"a":[]}"#, #"{"a":[[]]}"#),
        (#"{"a":[1]}"#, #"{"a":[1,2]}"#, #"{"a":{"1-":[2]}}"#), (#"{"a":{"b":1}}"#, #"{"a":7}"#, #"{"a":7}"#),
        (#"{"a":7}"#, #"{"a":{}}"#, #"{"a":[{}]}"#), (#"{"a":"short"}"#, #"{"a":"texts"}"#, #"{"a":"texts"}"#),
        (#"{"a":1}"#, #"{"a":1.0}"#, #"{"a":1.0}"#),
        ("{\"a\":\"\u{E9}\"}", "{\"a\":\"e\u{301}\"}", "{\"a\":\"e\u{301}\"}"),
        (#"{"a":{"b":{"c":[{"d":1}]}}}"#, #"{"a":{"b":{"c":[{"d":2}]}}}"#, #"{"a":{"b":{"c":{"0":{"d":2}}}}}"#),
    ])
    func differencesAreWrittenAsSpecified(old: String, new: String, delta: String) throws {
        let made = JSONDelta.difference(from: try object(old), to: try object(new))
        #expect(JSONValue.object(made).isIdentical(to: try parse(delta)), "\(made)")
        let result = try JSONDelta.apply(.object(made), to: object(old))
        #expect(JSONValue.object(result).isIdentical(to: try parse(new)), "\(result)")
    }

    /// What other writers send: old, delta, new.
    @Test(arguments: [
        (#"{"a":1,"b":2}"#, #"[{"c":3}]"#, #"{"c":3}"#), (#"{"a":1}"#, #"{"a":[1,2]}"#, #"{"a":2}"#),
        (#"{"a":1}"#, #"{"a":[1,0,0]}"#, "{}"), (#"{"a":1}"#, #"{"a":{}}"#, #"{"a":1}"#),
        ("{}", #"{"a":{}}"#, "{}"), (#"{"a":[1,2,3]}"#, #"{"a":{"0-":[9]}}"#, #"{"a":[9]}"#),
        (#"{"a":"abc"}"#, #"{"a":["1=1-2+xy|1=",0,2]}"#, #"{"a":"axyc"}"#),
        (#"{"a":"abc"}"#, #"{"a":["3-",0,2]}"#, #"{"a":""}"#), (#"{"a":"|"}"#, #"{"a":["1=3+|||||",0,2]}"#, nil),
        (#"{"a":"|"}"#, #"{"a":["1=3+||||",0,2]}"#, #"{"a":"||||"}"#), (#"{"a":[1]}"#, #"{"a":["x"]}"#, #"{"a":"x"}"#),
    ])
    func otherSpellingsAreUnderstood(old: String, delta: String, new: String?) throws {
        let result = try? JSONDelta.apply(parse(delta), to: object(old))
        #expect(result.map { $0.description } == new)
    }

    @Test(arguments: [
        ("{}", "1"), ("{}", #""x""#), ("{}", "null"), ("{}", "[]"), ("{}", "[1]"), ("{}", "[{},{}]"),
        ("{}", #"{"a":[]}"#), ("{}", #"{"a":[1,0,0]}"#), ("{}", #"{"a":{"b":1}}"#), (#"{"a":1}"#, #"{"a":{"b":1}}"#),
        (#"{"a":1}"#, #"{"a":[1,2,3]}"#), (#"{"a":1}"#, #"{"a":[1,0,9]}"#), (#"{"a":1}"#, #"{"a":[1,2,3,4]}"#),
        (#"{"a":1}"#, #"{"a":["1=",0,2]}"#), (#"{"a":[1]}"#, #"{"a":{"1":2}}"#), (#"{"a":[1]}"#, #"{"a":{"2-":[]}}"#),
        (#"{"a":[1]}"#, #"{"a":{"0":[]}}"#), (#"{"a":[1]}"#, #"{"a":{"-":[]}}"#), (#"{"a":[1]}"#, #"{"a":{"+0":1}}"#),
        (#"{"a":[1]}"#, #"{"a":{"x":1}}"#), (#"{"a":[1]}"#, #"{"a":{"0-":1}}"#), (#"{"a":[1]}"#, #"{"a":{"":1}}"#),
        (#"{"a":[1]}"#, #"{"a":{"99999999999999999999":1}}"#), (#"{"a":"abc"}"#, #"{"a":["2=",0,2]}"#),
        (#"{"a":"abc"}"#, #"{"a":["4=",0,2]}"#), (#"{"a":"abc"}"#, #"{"a":["4-",0,2]}"#),
        (#"{"a":"abc"}"#, #"{"a":["3=1+x",0,2]}"#), (#"{"a":"abc"}"#, #"{"a":["3=9+x|",0,2]}"#),
        (#"{"a":"abc"}"#, #"{"a":["=3=",0,2]}"#), (#"{"a":"abc"}"#, #"{"a":["3",0,2]}"#),
        (#"{"a":"abc"}"#, #"{"a":["99999999999999999999=",0,2]}"#), (#"{"a":"é"}"#, #"{"a":["1=1-",0,2]}"#),
        (#"{"a":"é"}"#, #"{"a":["1-1=",0,2]}"#),
    ])
    func whatDoesNotFitIsRefused(old: String, delta: String) throws {
        let (old, delta) = (try object(old), try parse(delta))
        #expect(throws: JSONDelta.Mismatch.self) { try JSONDelta.apply(delta, to: old) }
    }

    // MARK: - At random

    @Test(arguments: 0..<20) func whatOneSideMakesTheOtherUnderstands(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<150 {
            let old = random.object(depth: 3)
            let new = random.changed(.object(old)).objectValue ?? random.object(depth: 2)
            let delta = JSONDelta.difference(from: old, to: new)
            let travelled = try JSONValue(parsing: delta.bytes)
            let result = try JSONDelta.apply(travelled, to: old)
            try #require(JSONValue.object(result).isIdentical(to: .object(new)), "\(old) \(new) \(delta)")
            #expect(JSONDelta.difference(from: new, to: new).isEmpty)
        }
    }

    /// A delta for another document, or a broken one: an error or some document, never a crash.
    @Test(arguments: 0..<20) func deltasOfOthersDoNoHarm(seed: UInt64) throws {
        var random = RandomJSON(seed: seed &+ 1_000)
        for _ in 0..<150 {
            let (first, second, third) = (random.object(depth: 3), random.object(depth: 3), random.object(depth: 3))
            let delta = random.changed(.object(JSONDelta.difference(from: first, to: second)))
            _ = try? JSONDelta.apply(delta, to: third)
            _ = try? JSONDelta.apply(random.value(depth: 3), to: third)
        }
    }

    /// What is deeper than a difference goes is replaced; nothing goes down so far that a small stack is not enough.
    @Test(.timeLimit(.minutes(1))) func theDeepestDocuments() async throws {
        func nested(_ inside: String, _ depth: Int) -> String {
            String(repeating: #"{"b":1,"a":"#, count: depth) + inside + String(repeating: "}", count: depth)
        }
        let old = try object(nested("1", JSONLimits.depth - 1))
        let new = try object(nested("2", JSONLimits.depth - 1))
        let deep = try parse(nested("[1]", JSONDelta.deepest + 1))
        let patched = try await onSmallStack { () throws -> JSONObject in
            try JSONDelta.apply(.object(JSONDelta.difference(from: old, to: new)), to: old)
        }
        #expect(patched.bytes == new.bytes)
        #expect(try await onSmallStack { JSONDelta.difference(from: old, to: old).isEmpty })
        await #expect(throws: JSONDelta.Mismatch.self) {
            try await onSmallStack { () throws -> JSONObject in try JSONDelta.apply(deep, to: old) }
        }
    }

    /// On a thread with half a megabyte of stack.
    private func onSmallStack<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result(catching: body)) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    @Test func wideObjectsTakeLinearTime() throws {
        let old = JSONObject(members: (0..<50_000).map { .init(key: "k\($0)", value: .int($0)) })
        let new = JSONObject(members: (0..<50_000).map { .init(key: "k\($0)", value: .int($0 + $0 % 2)) })
        let delta = JSONDelta.difference(from: old, to: new)
        #expect(delta.count == 25_000)
        #expect(try JSONDelta.apply(.object(delta), to: old) == new)
    }
}

/// JSON of all kinds, in which long texts with characters of one to four bytes are frequent.
private struct RandomJSON {
    private var random: SimulationRandom

    init(seed: UInt64) { random = SimulationRandom(seed: seed) }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func value(depth: Int) -> JSONValue {
        switch below(depth > 0 ? 9 : 6) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2, 3: return .int(below(20))
        case 4: return .string(text(below(8)))
        case 5: return .string(text(40 + below(80)))
        case 6: return .array((0..<below(5)).map { _ in value(depth: depth - 1) })
        default: return .object(object(depth: depth - 1))
        }
    }

    mutating func object(depth: Int) -> JSONObject {
        JSONObject(
            members: (0..<below(6)).map { _ in
                JSONObject.Member(key: ["a", "b", "1", "2-", "é", "e\u{301}"][below(6)], value: value(depth: depth))
            })
    }

    private mutating func text(_ count: Int) -> String {
        (0..<count).map { _ in ["a", "b", "|", "=", "7", "é", "e\u{301}", "€", "🙂", "\u{301}"][below(10)] }.joined()
    }

    /// The value after a few edits.
    mutating func changed(_ old: JSONValue) -> JSONValue {
        guard below(5) > 0 else { return value(depth: 2) }
        switch old {
        case .null, .bool, .number: return below(2) == 0 ? old : value(depth: 1)
        case .string(let text):
            let index = text.unicodeScalars.index(
                text.unicodeScalars.startIndex, offsetBy: below(text.unicodeScalars.count + 1))
            return .string(String(text[..<index]) + self.text(below(4)) + String(text[index...].dropFirst(below(3))))
        case .array(let elements):
            var elements = elements.map { changed($0) }
            if below(2) == 0 { elements.append(value(depth: 1)) } else if !elements.isEmpty { elements.removeLast() }
            return .array(elements)
        case .object(var object):
            for key in object.keys { object[key] = below(6) == 0 ? nil : changed(object[key] ?? .null) }
            if below(2) == 0 { object["new"] = value(depth: 1) }
            return .object(object)
        }
    }
}

extension JSONValue {
    /// Equality to the byte, whatever the order of members.
    fileprivate func isIdentical(to other: JSONValue) -> Bool {
        JSONWriter(sortsKeys: true).bytes(self) == JSONWriter(sortsKeys: true).bytes(other)
    }
}
