import DocumentValues
import SeededRandom
import Testing

/// A text that is taken apart as little as can be says what its tree says.
@Suite struct ObjectTextTests {
    private static let spellings = [
        "{}", #"{"b":1,"a":2}"#, #"{"a":1,"b":2}"#, #" { "a" : [ 1 , 2 ] } "#, #"{"a":1,"a":2,"b":3}"#,
        #"{"z":{"b":1,"a":2},"y":[{"d":1,"c":2}]}"#, #"{"z":{"a":1,"b":2},"y":{"b":{"a":1},"c":2}}"#,
        #"{"\u0061":1,"b":2}"#, #"{"a\"b":1,"a":2,"_\n":3}"#, #"{"a":"\/","b":"\u0001\n"}"#, #"{"a":"\ud800"}"#,
        #"{"é":1,"e":"é😀","z":null}"#, #"{"aaaaaaaab":1,"aaaaaaaaa":2,"aaaaaaaa":3,"":4}"#,
        #"{"a":-0.0,"b":1E5,"c":true}"#,
    ]

    @Test(arguments: spellings)
    func itIsWhatTheWriterMakes(text: String) throws { try check(text) }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func soItIsWithAnyObject(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 { try check(Self.object(&random, levels: 3)) }
    }

    private func check(_ text: String) throws {
        let object = try JSONObject(parsing: Array(text.utf8))
        let read = try ObjectText(reading: Array(text.utf8))
        #expect(read.bytes == object.bytes, "\(text)")
        #expect(read.canonical == JSONWriter(sortsKeys: true).bytes(.object(object)), "\(text)")
        #expect(read.keys == object.keys)
        #expect(read.count == object.count)
        for member in object { #expect(read[member.key] == member.value, "\(text)") }
        #expect(read["nothing"] == nil)
        #expect(read.mayHaveReservedMembers || !object.keys.contains { $0.hasPrefix("_") })
    }

    @Test func manyMembersAreFoundToo() throws {
        let object = JSONObject(members: (0..<200).map { .init(key: "member \($0)", value: .int($0)) })
        let text = try ObjectText(reading: object.bytes)
        #expect(text["member 199"] == 199 && text["member 20"] == 20 && text["member"] == nil)
    }

    @Test(arguments: [
        "", "1", "[]", "[1", "{", #"{"a":1"#, #"{"a":1}x"#, #"{"a":01}"#, #"{"a":"\x"}"#, "{\"a\":\"\u{1}\"}",
        #"{"a" 1}"#,
        String(repeating: #"{"a":"#, count: JSONLimits.depth + 1),
    ])
    func whatIsWrongIsSaidAsOfAnyValue(text: String) {
        let bytes = Array(text.utf8)
        let problem = Self.problem { () throws(JSONError) in _ = try JSONObject(parsing: bytes) }
        #expect(problem != nil)
        #expect(problem == Self.problem { () throws(JSONError) in _ = try ObjectText(reading: bytes) })
    }

    private static func problem(_ body: () throws(JSONError) -> Void) -> JSONError? {
        do throws(JSONError) { try body() } catch { return error }
        return nil
    }

    private static func object(_ random: inout SeededGenerator, levels: Int) -> String {
        let members = (0..<random.number(below: 6)).map { _ in
            #""\#(names[random.number(below: names.count)])":\#(value(&random, levels: levels - 1))"#
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func value(_ random: inout SeededGenerator, levels: Int) -> String {
        switch random.number(below: levels > 0 ? 8 : 5) {
        case 0: "null"
        case 1: random.number(below: 2) == 0 ? "true" : "false"
        case 2: ["0", "-1.50", "1e3", "12345678901234567890"][random.number(below: 4)]
        case 3, 4: "\"\(names[random.number(below: names.count)])\""
        case 5: "[\(value(&random, levels: levels - 1)),\(value(&random, levels: levels - 1))]"
        default: object(&random, levels: levels)
        }
    }

    private static let names = [
        "a", "b", "ab", "é", "_x", #"\""#, #"\u0061"#, #"\/"#, "", "😀", "inspection", "inspector", "inspection of it",
    ]
}
