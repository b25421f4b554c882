import DocumentValues
import Testing

/// What is stored is what was read, also where a name is there twice, or an escape is half of a character.
@Suite struct RepeatedKeysTests {
    @Test(arguments: [
        (#"{"a":1,"a":2}"#, #"{"a":2}"#),
        (#"{"a":1,"b":0,"\u0061":2}"#, #"{"a":2,"b":0}"#),
        (#"{"x":{"role":"boss","role":"x"}}"#, #"{"x":{"role":"x"}}"#),
        (#"{"x":[1,[{"r":1,"q":{},"r":2}]],"y":1}"#, #"{"x":[1,[{"r":2,"q":{}}]],"y":1}"#),
        (#"{"":1,"":2}"#, #"{"":2}"#),
        (#"{"\ud800":1,"\udfff":2}"#, "{\"\u{FFFD}\":2}"),
        (#"{"caf\u00e9":1,"café":2}"#, #"{"café":2}"#),
        (#"{"n": 1.50, "n": 2.50}"#, #"{"n":2.50}"#),
        (#"{"t":"\ud800"}"#, "{\"t\":\"\u{FFFD}\"}"),
        (#"{"t":[{"x":"a\udc00b"}]}"#, "{\"t\":[{\"x\":\"a\u{FFFD}b\"}]}"),
        (#"{"t":"\uD83Dx\uDE00"}"#, "{\"t\":\"\u{FFFD}x\u{FFFD}\"}"), (#"{"\ud83d":1}"#, "{\"\u{FFFD}\":1}"),
        (#"{"t":"\ud83d\u0041"}"#, "{\"t\":\"\u{FFFD}A\"}"), (#"{"t":"\ud83d\ud83d\ude00"}"#, "{\"t\":\"\u{FFFD}😀\"}"),
    ])
    func theLastValueRemains(text: String, expected: String) throws {
        var bytes = Array(text.utf8)
        let top = try JSONTopLevel(settling: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
        #expect(!top.isAmbiguous)
        #expect(try JSONTopLevel(scanning: Array(text.utf8)).isAmbiguous)
        // It is what a reader of the whole makes of it.
        #expect(try JSONValue(parsing: text) == JSONValue(parsing: bytes))
    }

    /// It is what somebody gives to be stored, and would find changed.
    @Test(arguments: [
        (#"{"t":"\ud800"}"#, 6), (#"{"\udfff":1}"#, 2), (#"["a",["b\ud83dx"]]"#, 8), (#""\ud83d\ud83d\ude00""#, 1),
    ])
    func halvesAreRefusedWhereTheyAre(text: String, offset: Int) throws {
        #expect(throws: JSONError(.halfCharacter, offset: offset)) {
            try JSONValue(parsing: Array(text.utf8), halves: .refused)
        }
        let whole = Array(#"{"\ud83d\ude00":"\u00e9\\ud800"}"#.utf8)
        #expect(try JSONValue(parsing: whole, halves: .refused) == JSONValue(parsing: whole))
    }

    @Test(arguments: [
        "{}", #"{"a":{"a":{"a":1}},"b":{"a":1}}"#, #"{"x":[{"a":1},{"a":1}]}"#, "{\"caf\u{E9}\":1,\"cafe\u{301}\":2}",
        #"{"p":"\ud83d\ude00","q":"\uD83D\uDE00\u00e9"}"#, #"{"\ud83d\ude00":"\\ud800"}"#,
        #"{"A":1,"a":2, "\u0062":3}"#, #"{"a":"\"a\":1","b":"a"}"#,
    ])
    func whatHasNoneKeepsItsBytes(text: String) throws {
        var bytes = Array(text.utf8)
        _ = try JSONTopLevel(settling: &bytes)
        #expect(bytes == Array(text.utf8))
    }

    @Test(arguments: [2, 12, 13, 40, 3_000])
    func oneAmongMany(count: Int) throws {
        let members = (0..<count).map { #""k\#($0)":\#($0)"# }
        for (first, second) in [(0, count - 1), (count / 2, count - 1), (0, 0)] {
            let twin = #""k\#(first)":"twin""#
            let text = "{\"o\":{\((members.prefix(second + 1) + [twin]).joined(separator: ","))}}"
            #expect(try JSONTopLevel(scanning: Array(text.utf8)).isAmbiguous)
        }
        #expect(try !JSONTopLevel(scanning: Array("{\(members.joined(separator: ","))}".utf8)).isAmbiguous)
    }

    /// Names of one length that begin and end alike are not the same.
    @Test(arguments: [2, 16, 17, 90])
    func namesThatBeginAndEndAlike(count: Int) throws {
        let names = (10..<(10 + count)).map { "beginning \($0) ending" }
        func bytes(_ names: [String]) -> [UInt8] {
            Array("{\(names.map { "\"\($0)\":1" }.joined(separator: ","))}".utf8)
        }
        #expect(try !JSONTopLevel(scanning: bytes(names)).isAmbiguous)
        for twin in [0, count / 2, count - 1] {
            #expect(try JSONTopLevel(scanning: bytes(names + [names[twin]])).isAmbiguous)
        }
    }
}
