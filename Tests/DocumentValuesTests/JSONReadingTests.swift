import DocumentValues
import Testing

@Suite struct JSONReadingTests {
    private static let valid: [(String, JSONValue)] = [
        ("null", JSONValue.null), ("true", true), (" false ", false), ("0", 0), ("-0", .int(0)), ("-12", -12),
        ("1.5", 1.5), ("1e3", 1000), ("1E+2", 100), ("-2.5e-1", -0.25), (#""""#, ""), (#""a""#, "a"),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
        (#""\ud83d\ude00""#, "😀"), (#""\ud83d""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
        (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"), (#""\u0000""#, "\0"), ("\"é😀\"", "é😀"), ("[]", []), ("[ ]", []),
        ("[1,[2,[]],{}]", [1, [2, []], [:]]), ("{}", [:]), (#"{"a":{"b":[null]}}"#, ["a": ["b": [nil]]]),
        ("\t{ \"a\" :\n1 , \"b\":2\r}\n", ["a": 1, "b": 2]), (#"{"a":1,"a":2}"#, ["a": 2]), (#"{"":1}"#, ["": 1]),
    ]

    @Test(arguments: valid)
    func validTexts(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
        if value.objectValue != nil { _ = try JSONTopLevel(scanning: Array(text.utf8)) }
    }

    private static let invalid: [(String, JSONError.Code)] = [
        ("", JSONError.Code.unexpectedEnd), ("  ", .unexpectedEnd), ("{", .unexpectedEnd), ("[1", .unexpectedEnd),
        ("[1,", .unexpectedEnd), (#"{"a""#, .unexpectedEnd), (#"{"a":"#, .unexpectedEnd), (#""a"#, .unexpectedEnd),
        (#""a\"#, .unexpectedEnd), ("tru", .unexpectedEnd), ("nul", .unexpectedEnd),
        ("[1 2]", .unexpectedCharacter), ("[,]", .unexpectedCharacter), ("[1,]", .unexpectedCharacter),
        ("{,}", .unexpectedCharacter), (#"{"a":1,}"#, .unexpectedCharacter), ("{1:2}", .unexpectedCharacter),
        (#"{"a" 1}"#, .unexpectedCharacter), ("{'a':1}", .unexpectedCharacter), ("nulL", .unexpectedCharacter),
        ("True", .unexpectedCharacter), ("NaN", .unexpectedCharacter), ("-", .unexpectedCharacter),
        (".5", .unexpectedCharacter), ("+1", .unexpectedCharacter), ("]", .unexpectedCharacter),
        ("01", .badNumber), ("-01", .badNumber), ("1.", .badNumber), ("1.e1", .badNumber), ("1e", .badNumber),
        ("1e+", .badNumber), (#""\x""#, .badString), (#""\u12""#, .badString), (#""\u12G4""#, .badString),
        ("\"\u{1}\"", .badString), ("\"\n\"", .badString), ("\"\\\u{1}\"", .badString),
        ("1 2", .trailingText), ("{}x", .trailingText), ("nullnull", .trailingText), ("[]]", .trailingText),
    ]

    @Test(arguments: invalid)
    func invalidTexts(text: String, code: JSONError.Code) throws {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.code == code)
        // The scan of the top level accepts exactly what the reader accepts.
        #expect(throws: JSONError.self) { try JSONTopLevel(scanning: Array("{\"member\":\(text)}".utf8)) }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0x22, 0x80, 0x22],
        ] as [[UInt8]])
    func textThatIsNotUTF8IsRefused(bytes: [UInt8]) {
        #expect(throws: JSONError(.notUTF8, offset: 1)) { try JSONValue(parsing: bytes) }
        let object = Array(#"{"a":"#.utf8) + bytes + Array("}".utf8)
        #expect(throws: JSONError(.notUTF8, offset: 6)) { try JSONTopLevel(scanning: object) }
    }

    /// Strings are passed over eight bytes at once: what ends or interrupts them is found at each of the eight,
    /// and also where fewer follow.
    @Test(arguments: [
        ("", true), (#"\n"#, true), (#"\""#, true), (#"\\"#, true), ("é", true), ("😀", true), ("\u{7F}", true),
        ("\u{1F}", false), ("\n", false), (#"\x"#, false), ("\"", false),
    ])
    func stringsEndWhereTheyEnd(special: String, isAllowed: Bool) throws {
        for before in 0..<18 {
            for after in 0..<10 {
                let text = String(repeating: "a", count: before) + special + String(repeating: "z", count: after)
                let bytes = Array(#"{"v":"\#(text)"}"#.utf8)
                guard isAllowed else {
                    #expect(throws: JSONError.self) { try JSONTopLevel(scanning: bytes) }
                    #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
                    continue
                }
                #expect(try JSONTopLevel(scanning: bytes)["v"] == 5..<(bytes.count - 1))
                #expect(try JSONValue(parsing: bytes).bytes == bytes)
            }
        }
    }

    @Test func depthIsLimited() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue(parsing: nested(JSONLimits.depth))
        #expect(throws: JSONError(.tooDeep, offset: JSONLimits.depth)) {
            try JSONValue(parsing: nested(JSONLimits.depth + 1))
        }
        #expect(throws: JSONError.self) {
            try JSONTopLevel(scanning: Array("{\"a\":\(nested(100_000))}".utf8))
        }
    }

    /// None of the values in a container is copied for those that follow.
    @Test(.timeLimit(.minutes(1))) func manyContainersInOne() throws {
        let count = 100_000
        let elements = (0..<count).map { "[\"c\($0)\",{\"x\":\($0)}]" }.joined(separator: ",")
        let value = try JSONValue(parsing: "[\(elements)]")
        #expect(value.arrayValue?.count == count && value[count - 1]?[1] == ["x": .int(count - 1)])
    }

    @Test func membersThatLookAlikeAreTwoMembers() throws {
        let text = "{\"caf\u{E9}\":1,\"cafe\u{301}\":2}"
        let object = try JSONObject(parsing: Array(text.utf8))
        #expect(object.count == 2 && object["caf\u{E9}"] == 1 && object["cafe\u{301}"] == 2)
        #expect(object.description.utf8.elementsEqual(text.utf8))
        let many = (0..<20).map { JSONObject.Member(key: "k\($0)", value: 0) } + object.members
        #expect(JSONObject(members: many).count == 22)
    }

    @Test func aPrefixIsReadAndMeasured() throws {
        let (value, length) = try JSONValue.parsePrefix(of: Array(#" {"a":1} and more"#.utf8))
        #expect(value == ["a": 1] && length == 8)
    }

    @Test func anObjectIsWantedWhereOneIsNeeded() {
        #expect(throws: JSONError(.notAnObject, offset: 0)) { try JSONObject(parsing: Array("[1]".utf8)) }
        #expect(throws: JSONError(.notAnObject, offset: 1)) { try JSONTopLevel(scanning: Array(" 1".utf8)) }
    }
}

@Suite struct JSONTopLevelTests {
    private let bytes = Array(#"{ "_id" : "x", "a\u0062" : [1, {"c": 2}] ,"n":1.50, "_rev":"1-a" }"#.utf8)

    @Test func membersAreFoundInTheBytes() throws {
        let scan = try JSONTopLevel(scanning: bytes)
        #expect(scan.members.map(\.key) == ["_id", "ab", "n", "_rev"])
        let range = try #require(scan["ab"])
        #expect(String(decoding: bytes[range], as: UTF8.self) == #"[1, {"c": 2}]"#)
        #expect(scan["missing"] == nil)
    }

    @Test func theLastOfEqualMembersCounts() throws {
        let bytes = Array(#"{"a":1,"a":2}"#.utf8)
        let range = try #require(try JSONTopLevel(scanning: bytes)["a"])
        #expect(bytes[range] == [UInt8(ascii: "2")])
    }

    @Test func membersAreTakenOutWithoutTouchingTheOthers() throws {
        let scan = try JSONTopLevel(scanning: bytes)
        let rest = scan.removing(from: bytes) { $0.hasPrefix("_") }
        #expect(String(decoding: rest, as: UTF8.self) == #"{"ab":[1, {"c": 2}],"n":1.50}"#)
        #expect(scan.removing(from: bytes) { _ in false } == bytes)
        #expect(scan.removing(from: bytes) { _ in true } == Array("{}".utf8))
    }

    @Test(arguments: [
        ("{}", #""a":1"#, #"{"a":1}"#), ("{ }", #""a":1"#, #"{ "a":1}"#), (#"{"b":2}"#, #""a":1"#, #"{"b":2,"a":1}"#),
        (#"{"b":{}}"#, #""a":1"#, #"{"b":{},"a":1}"#), (#"{"b":2}"#, "", #"{"b":2}"#),
        (#"{"b":"}"} "#, #""a":1"#, #"{"b":"}","a":1}"#),
    ])
    func membersAreAppended(object: String, members: String, result: String) {
        let bytes = appendingMembers(Array(members.utf8), toObject: Array(object.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == result)
    }

    @Test(arguments: [
        ("1", "1.0", true), ("1e2", "100", true), ("0.5", "5e-1", true),
        ("9223372036854775808", "9223372036854775809", false),
        ("18446744073709551615", "18446744073709551614", false), ("18446744073709551615", "18446744073709551615", true),
        ("-9223372036854775809", "-9223372036854775810", false),
        ("18446744073709551615", "1.8446744073709551615e19", true),
    ])
    func numbersAreTheSameByTheirValue(left: String, right: String, isSame: Bool) throws {
        let (left, right) = (try JSONValue(parsing: left), try JSONValue(parsing: right))
        #expect((left == right) == isSame)
        if isSame { #expect(left.hashValue == right.hashValue) }
    }
}
