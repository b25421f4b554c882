import DocumentValues
import SeededRandom
import Testing

@Suite struct JSONWritingTests {
    @Test(arguments: [
        ("\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1F}", #""\"\\/\b\f\n\r\t\u0001\u001f""#), ("é😀<>&\u{2028}", "\"é😀<>&\u{2028}\""),
        ("\u{7F}", "\"\u{7F}\""),
    ])
    func stringsAreEscapedWhereTheyMustBe(text: String, json: String) {
        #expect(JSONValue.string(text).description == json)
    }

    @Test func goEscapesMore() {
        let writer = JSONWriter(sortsKeys: true, escapesLikeGo: true)
        let value: JSONValue = ["b<": "<>&\u{2028}\u{2029}é", "a": 1]
        #expect(
            String(decoding: writer.bytes(value), as: UTF8.self)
                == #"{"a":1,"b\u003c":"\u003c\u003e\u0026\u2028\u2029é"}"#)
    }

    @Test func keysAreSortedByTheirBytesAtEveryLevel() throws {
        let value = try JSONValue(parsing: #"{"b":1,"a":{"z":1,"é":2,"Z":[{"y":1,"x":2}]},"":0,"aa":3}"#)
        #expect(
            String(decoding: JSONWriter(sortsKeys: true).bytes(value), as: UTF8.self)
                == #"{"":0,"a":{"Z":[{"x":2,"y":1}],"z":1,"é":2},"aa":3,"b":1}"#)
        #expect(value.description == #"{"b":1,"a":{"z":1,"é":2,"Z":[{"y":1,"x":2}]},"":0,"aa":3}"#)
    }

    @Test(arguments: ["0", "-0", "1.50", "1E5", "123456789012345678901234567890", "-0.0000001", "1e-400"])
    func numbersKeepTheirSpelling(text: String) throws {
        #expect(try JSONValue(parsing: text).description == text)
    }

    @Test func integersOf64BitsNeverBecomeDoubles() throws {
        #expect(try JSONValue(parsing: "9223372036854775807").integerValue == .max)
        #expect(try JSONValue(parsing: "-9223372036854775808").integerValue == .min)
        #expect(try JSONValue(parsing: "18446744073709551615").numberValue?.uint64 == .max)
        #expect(try JSONValue(parsing: "9223372036854775808").integerValue == nil)
        #expect(try JSONValue(parsing: "9007199254740993").integerValue == 9_007_199_254_740_993)
        #expect(try JSONValue(parsing: "1.0").integerValue == 1 && JSONValue(parsing: "1.5").integerValue == nil)
        #expect(
            try JSONValue(parsing: "1e3") == 1000 && JSONValue(parsing: "9007199254740993") != 9_007_199_254_740_992)
    }

    @Test(arguments: [(0.1, "0.1"), (5, "5"), (-2.5, "-2.5"), (.infinity, "0"), (.nan, "0"), (1e300, "1e+300")])
    func doublesAreWrittenAsJSON(value: Double, text: String) { #expect(JSONNumber(value).text == text) }

    /// Any value that can be made is written and read back as the same value, and its top level scanned alike.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func randomValuesComeBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let object = generator.object(depth: 4)
            let bytes = object.bytes
            #expect(try JSONObject(parsing: bytes) == object)
            #expect(
                try JSONObject(parsing: JSONWriter(sortsKeys: true, escapesLikeGo: true).bytes(.object(object)))
                    == object)
            let scan = try JSONTopLevel(scanning: bytes)
            #expect(scan.members.map(\.key) == object.keys)
            for member in scan.members {
                #expect(try JSONValue(parsing: Array(bytes[member.value])) == object[member.key])
            }
        }
    }

    /// Whatever bytes come, the reader ends with a value or an error; and where it takes them, so does the scan.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func damagedTextsNeverCrash(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var bytes = generator.object(depth: 3).bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = .random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(.random(in: 0...255, using: &generator), at: index)
                }
            }
            let isObject = (try? JSONObject(parsing: bytes)) != nil
            let isScanned = (try? JSONTopLevel(scanning: bytes)) != nil
            #expect(isObject == isScanned, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}

extension SeededGenerator {
    mutating func object(depth: Int) -> JSONObject {
        JSONObject(
            members: (0..<Int.random(in: 0...12, using: &self)).map { _ in
                JSONObject.Member(key: text(), value: value(depth: depth - 1))
            })
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &self) {
        case 0: .null
        case 1: .bool(.random(using: &self))
        case 2: .number(JSONNumber(Int64.random(in: .min ... .max, using: &self)))
        case 3: .number(JSONNumber(Double.random(in: -1e6...1e6, using: &self)))
        case 4, 5: .string(text())
        case 6: .array((0..<Int.random(in: 0...5, using: &self)).map { _ in value(depth: depth - 1) })
        default: .object(object(depth: depth))
        }
    }

    private mutating func text() -> String {
        let scalars = Array("ab\"\\/\n\t\u{0}\u{1F}\u{7F}é€😀<>&\u{2028}\u{301}".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...10, using: &self) { text.append(scalars.randomElement(using: &self)!) }
        return String(text)
    }
}
