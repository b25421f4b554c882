import DocumentStore
import DocumentValues
import Foundation
import Testing

/// What `JSONDecoder` reads is read as the same, and what it refuses is refused for the same reason, with the same path.
@Suite struct DocumentDecoderTests {
    private static func ours<T: Decodable>(_ type: T.Type, from json: String) throws -> T {
        var decoder = DocumentDecoder()
        do { return try decoder.decode(type, from: Array(json.utf8)) } catch let error as StoreError {
            #expect(error.code == .invalidParameter)
            throw error.underlying ?? error
        }
    }

    private static func theirs<T: Decodable>(_ type: T.Type, from json: String) throws -> T {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    /// A value, or what is wrong and where.
    private enum Outcome<T: Equatable>: Equatable {
        case value(T)
        case problem(String)

        init(_ read: () throws -> T) {
            do { self = .value(try read()) } catch let error as DecodingError {
                self = .problem(Self.problem(error))
            } catch {
                self = .problem("\(error)")
            }
        }

        private static func problem(_ error: DecodingError) -> String {
            switch error {
            case .typeMismatch(_, let context): "another type at \(way(context))"
            case .valueNotFound(_, let context): "no value at \(way(context))"
            case .keyNotFound(let key, let context): "no \(key.stringValue) at \(way(context))"
            // Of a number that does not fit they do not say where it is.
            case .dataCorrupted: "unreadable"
            @unknown default: "\(error)"
            }
        }

        private static func way(_ context: DecodingError.Context) -> String {
            context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: "/")
        }
    }

    private static func compare<T: Decodable & Equatable>(_ type: T.Type, in texts: [String]) {
        for text in texts {
            let (ours, theirs) = (
                Outcome { try Self.ours(type, from: text) }, Outcome { try Self.theirs(type, from: text) }
            )
            #expect(ours == theirs, "\(type) from \(text)")
        }
    }

    // MARK: Scalars

    private static let numbers = [
        "0", "-0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "-32768", "65535", "65536",
        "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740993",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "1.0", "1.50", "-2.0", "1e2", "1E+2", "100e-2", "1.5e1",
        "12e-1", "0.0",
        "1e400", "-1e400", "1e30", "0.1", "-0.25", "3.141592653589793",

        "1.7976931348623157e308", "123456789012345678901234567890", "0.30000000000000004", "1e22", "1e23",
        "9007199254740992",
        "9007199254740993.0", "4.35", "179769313486231580793e289", "\"1\"", "true", "null", "[1]", "{}",
    ]

    @Test func numbersAreReadAsJSONDecoderDoes() {
        Self.compare(Int.self, in: Self.numbers)
        Self.compare(Int8.self, in: Self.numbers)
        Self.compare(Int16.self, in: Self.numbers)
        Self.compare(Int32.self, in: Self.numbers)
        Self.compare(Int64.self, in: Self.numbers)
        Self.compare(UInt.self, in: Self.numbers)
        Self.compare(UInt8.self, in: Self.numbers)
        Self.compare(UInt16.self, in: Self.numbers)
        Self.compare(UInt32.self, in: Self.numbers)
        Self.compare(UInt64.self, in: Self.numbers)
        Self.compare(Double.self, in: Self.numbers)
        Self.compare(Float.self, in: Self.numbers)
        Self.compare(Decimal.self, in: Self.numbers)
        // Ours reads these as booleans: `BooleanDecodingTests`.
        let ours = ["null", "0", "-0", "0.0", "1", "1.0", "100e-2"]
        Self.compare(Bool.self, in: Self.numbers.filter { !ours.contains($0) })
        Self.compare(String.self, in: Self.numbers)
        Self.compare(Int?.self, in: Self.numbers)
        Self.compare([Double]?.self, in: Self.numbers)
    }

    @Test func largeWholeNumbersAreRead() throws {
        let numbers = [Int128.min, -1, 0, 1, Int128.max]
        for number in numbers { #expect(try Self.ours(Int128.self, from: "\(number)") == number) }
        for number in [UInt128.max, 1 << 64] { #expect(try Self.ours(UInt128.self, from: "\(number)") == number) }
        #expect(try Self.ours([Int128?].self, from: "[1,null]") == [1, nil])
        #expect(throws: DecodingError.self) {
            try Self.ours(UInt128.self, from: "340282366920938463463374607431768211456")
        }
        #expect(throws: DecodingError.self) { try Self.ours(UInt128.self, from: "-1") }
        #expect(
            try Self.ours(
                Int64.self, from: "1" + String(repeating: "0", count: 18) + "." + String(repeating: "0", count: 40))
                == 1_000_000_000_000_000_000)
        #expect(throws: DecodingError.self) {
            try Self.ours(Int.self, from: "1.0000000000000000000000000000000000000000001")
        }
    }

    /// `JSONDecoder` refuses them: what is too small is 0 here, as it is for `Double` itself.
    @Test func whatIsNearestToZeroIsZero() throws {
        for json in ["0e5", "0.0e-7", "1e-400", "-1e-400"] { #expect(try Self.ours(Double.self, from: json) == 0) }
        #expect(try Self.ours(Double.self, from: "5e-324") == .leastNonzeroMagnitude)
        #expect(try Self.ours(Double.self, from: "2.2250738585072014e-308") == .leastNormalMagnitude)
        #expect(try Self.ours(Float.self, from: "1e-60") == 0)
        #expect(throws: DecodingError.self) { try Self.ours(Int.self, from: "1e-400") }
    }

    /// Each way of writing one is read as the nearest number.
    @Test func doublesKeepTheirDigits() throws {
        var state: UInt64 = 1
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(bitPattern: state ^ state >> 31)
            let short = Double(Int64(truncatingIfNeeded: state) >> 20) / 1_000
            for number in [value, short] where number.isFinite {
                #expect(try Self.ours(Double.self, from: "\(number)") == number)
            }
            let text = "\(state >> 8).\(state % 1_000_003)e\(Int(state >> 40) % 40 - 20)"
            #expect(try Self.ours(Double.self, from: text) == Double(text), "\(text)")
        }
    }

    @Test func textsAreReadAsJSONDecoderDoes() {
        let texts = [
            #""""#, #""a""#, #""a text that is longer than fifteen bytes""#, #""tab\tnew\nquote\"back\\slash\/""#,
            #""\u00e9\u4e16\ud83d\ude00""#, "\"é世😀\"", #""e\u0301""#, "\"\u{0}\"", "\"\t\"", #""\x""#, #""open"#, "",
            " ", "nul",
            "\"a\" x", " \"a\" \n", "{a:1}", "'a'",
        ]
        Self.compare(String.self, in: texts)
        Self.compare(String?.self, in: texts)
        Self.compare(
            [String].self,
            in: [
                "[]", #"["a"]"#, #"["a","b\n"]"#, #"["a",null]"#, #"["a",1]"#, #"["a",["b"]]"#, #"["a",{"b":"c"},"d"]"#,
                "{}", "null", #""a""#,
            ])
        Self.compare([String?].self, in: [#"["a",null,"b"]"#])
    }

    @Test func typesOfFoundationAreReadAsJSONDecoderDoes() throws {
        Self.compare(UUID.self, in: [#""9B2C1F46-6F2A-4D0E-9C56-0A6E1C3B2F11""#, #""9B2C""#, "1", "null"])
        Self.compare(URL.self, in: [#""https://example.org/a?b=c#d""#, #""""#, #""a b""#, "1", "null"])
        Self.compare(Data.self, in: [#""AQID""#, #""""#, #""AQI""#, #""A Q I D""#, "[1]", "null"])
        Self.compare(
            Decimal.self,
            in: [
                "0.07", "19.99", "123456789.123456789", "1e22", "1e127", "1e200", "1e-127", "\"1\"", "null",
                "12345678901234567890123456789012345678", "0.1234567890123456789012345678901234567890123",
            ])
        #expect(
            try Self.ours([Date].self, from: #"["2026-11-29T10:00","1970-01-01"]"#)
                == [Date(timeIntervalSince1970: 1_795_946_400), Date(timeIntervalSince1970: 0)])
        #expect(throws: DecodingError.self) { try Self.ours(Date.self, from: "0") }
        #expect(throws: DecodingError.self) { try Self.ours(Date.self, from: #""today""#) }
    }

    // MARK: Objects

    private struct Everything: Codable, Equatable {
        struct Inner: Codable, Equatable {
            var x = 1.5
            var tags: Set<String> = ["a", "b"]
        }
        enum Level: String, Codable { case low, high }
        enum Shape: Codable, Equatable {
            case none
            case circle(Double)
            case box(width: Int, height: Int?)
        }

        var text = "a"
        var flag = true
        var small: Int8 = -3
        var missing: Int?
        var single: Float = 0.5
        var level = Level.high
        var shapes = [Shape.none, .circle(2), .box(width: 1, height: nil), .box(width: 1, height: 2)]
        var inner = Inner()
        var inners = ["x": Inner(), "y": Inner(x: 2, tags: [])]
        var numbered = [1: "one", 2: "two"]
        var grid = [[1, 2], [], [3]]
        var optionals: [Int?] = [1, nil, 3]
        var data = Data([1, 2, 3])
        var url = URL(string: "https://example.org/x")
        var id = UUID()
        var price = Decimal(string: "19.99") ?? 0
        var range = 1..<5
        var large = UInt64.max
    }

    private static func json(_ value: some Encodable, sorted: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        if sorted { encoder.outputFormatting = [.sortedKeys, .prettyPrinted] }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func whatIsEncodedIsReadAgain() throws {
        let value = Everything()
        #expect(try Self.ours(Everything.self, from: try Self.json(value)) == value)
        #expect(try Self.ours(Everything.self, from: try Self.json(value, sorted: true)) == value)
    }

    @Test func whatDoesNotFitIsRefusedForTheSameReason() throws {
        let whole = try Self.json(Everything(), sorted: true)
        Self.compare(Everything.self, in: ["{}", "[]", "1", "null", "", whole])
        for (part, other) in [
            (#""text" : "a""#, #""text" : 1"#), (#""flag" : true"#, #""flag" : 2"#), ("-3", "-300"),
            ("\"high\"", "\"tall\""),
            (#""circle""#, #""square""#), (#""width" : 1"#, #""wide" : 1"#), ("1.5", "[]"), ("[1,2]", "null"),
            ("AQID", "AQI"),
            ("19.99", "\"19.99\""), (#""single" : 0.5"#, #""single" : "0.5""#),
        ] {
            Self.compare(Everything.self, in: [whole.replacingOccurrences(of: part, with: other)])
        }
        Self.compare(
            [Everything.Inner].self, in: [#"[{"x":1,"tags":[]},{"x":1,"tags":[1]}]"#, #"[{"x":1,"tags":[]},{"x":1}]"#])
        Self.compare([String: [Int]].self, in: [#"{"a":[1],"b":[2,"x"]}"#, #"{"a":[1],"b":{"c":1}}"#])
    }

    private struct Wide: Codable, Equatable {
        struct Key: CodingKey {
            let stringValue: String
            let intValue: Int? = nil

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { return nil }
        }
        var sums: [Int] = []

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            for key in members.allKeys.reversed() + [Key(stringValue: "none")] + members.allKeys {
                guard members.contains(key), try !members.decodeNil(forKey: key) else { continue }
                sums.append(try members.decode(Int.self, forKey: key))
                sums.append(try members.decodeIfPresent(Int.self, forKey: key) ?? -1)
            }
        }
    }

    /// Also from the end to the beginning, several times each, with names that are written with escapes.
    @Test(arguments: [0, 1, 2, 15, 16, 17, 18, 200]) func membersAreFoundInAnyOrder(count: Int) {
        let members = (0..<count).map { #""k\#($0)é":\#($0 == 3 ? "null" : "\($0)")"# }
        let escaped = members.map { $0.replacingOccurrences(of: "k1", with: #"\u006b1"#) }
        for text in [members, escaped] {
            let json = "{\(text.joined(separator: ", "))}"
            let read = try? Self.ours(Wide.self, from: json).sums
            let numbers = (0..<count).filter { $0 != 3 }
            #expect(read == (numbers.reversed() + numbers).flatMap { [$0, $0] })
        }
    }

    private struct Spelled: Decodable {
        let composed: Int?
        let decomposed: Int?

        enum CodingKeys: String, CodingKey {
            case composed = "\u{e9}"
            case decomposed = "e\u{301}"
        }
    }

    /// `JSONDecoder` takes one for the other.
    @Test func namesAreComparedByTheirBytes() throws {
        let read = try Self.ours(Spelled.self, from: "{\"\u{e9}\":1}")
        #expect(read.composed == 1 && read.decomposed == nil)
        let other = try Self.ours(Spelled.self, from: #"{"e\u0301":2}"#)
        #expect(other.composed == nil && other.decomposed == 2)
    }

    @Test func namesThatLookAlikeAreRefusedForADictionary() {
        for json in ["{\"\u{e9}\":1,\"e\u{301}\":2}", #"{"a":{"\u00e9":1,"e\u0301":2}}"#, "{\"K\":1,\"\u{212A}\":2}"] {
            var decoder = DocumentDecoder()
            let error = #expect(throws: StoreError.self) {
                try decoder.decode([String: Int].self, from: Array(json.utf8))
            }
            #expect(error?.message.contains("look alike") == true)
        }
        #expect(throws: Never.self) {
            try Self.ours([String: Int].self, from: #"{"größe":1,"grösse":2,"\u0061":3,"世":4}"#)
        }
    }

    // MARK: Classes

    private class Base: Decodable {
        let name: String?
        private enum CodingKeys: String, CodingKey { case name }

        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .name)
        }
    }

    private final class Flat: Base {
        let count: Int
        private enum CodingKeys: String, CodingKey { case count }

        required init(from decoder: any Decoder) throws {
            count = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)
            try super.init(from: decoder)
        }
    }

    private final class Nested: Base {
        let count: Int
        private enum CodingKeys: String, CodingKey { case count }

        required init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            count = try members.decode(Int.self, forKey: .count)
            try super.init(from: try members.superDecoder())
        }
    }

    private final class Listed: Base {
        let count: Int

        required init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            count = try elements.decode(Int.self)
            try super.init(from: try elements.superDecoder())
        }
    }

    @Test func classesReadWhatTheyInherit() throws {
        let flat = try Self.ours(Flat.self, from: #"{"name":"a","count":2}"#)
        #expect(flat.name == "a" && flat.count == 2)
        let nested = try Self.ours(Nested.self, from: #"{"super":{"name":"a"},"count":2}"#)
        #expect(nested.name == "a" && nested.count == 2)
        let listed = try Self.ours(Listed.self, from: #"[2,{"name":"a"}]"#)
        #expect(listed.name == "a" && listed.count == 2)
        for json in [#"{"count":2}"#, #"{"super":null,"count":2}"#, #"{"super":{"name":1},"count":2}"#] {
            let (ours, theirs) = (
                Outcome { try Self.ours(Nested.self, from: json).count },
                Outcome { try Self.theirs(Nested.self, from: json).count }
            )
            #expect(ours == theirs, "\(json)")
        }
        #expect(throws: DecodingError.self) { try Self.ours(Listed.self, from: "[2]") }
    }

    // MARK: Containers

    private struct Walk: Decodable, Equatable {
        var notes: [String] = []

        enum Key: String, CodingKey { case list, object, none }

        init(from decoder: any Decoder) throws {
            note(decoder.codingPath)
            let members = try decoder.container(keyedBy: Key.self)
            var list = try members.nestedUnkeyedContainer(forKey: .list)
            notes.append("\(list.count ?? -1) \(list.isAtEnd) \(list.currentIndex)")
            notes.append("\(try list.decodeNil()) \(try list.decodeNil()) \(list.currentIndex)")
            let inner = try list.nestedContainer(keyedBy: Key.self)
            note(inner.codingPath)
            notes.append(
                "\(inner.allKeys.map(\.stringValue).sorted()) \(inner.contains(.none)) \(try inner.decodeNil(forKey: .object))"
            )
            var lowest = try list.nestedUnkeyedContainer()
            note(lowest.codingPath)
            notes.append("\(try lowest.decodeIfPresent(Int.self) ?? -1) \(try lowest.decodeIfPresent(Int.self) ?? -1)")
            notes.append("\(try lowest.decodeIfPresent(Int.self) ?? -1) \(lowest.isAtEnd)")
            notes.append("\((try? list.decode(Int.self)) ?? -1) \(list.currentIndex) \(try list.decode(String.self))")
            do { _ = try list.decode(Int.self) } catch DecodingError.valueNotFound(_, let context) {
                note(context.codingPath)
            }
            let object = try members.nestedContainer(keyedBy: Key.self, forKey: .object)
            note(object.codingPath)
            do { _ = try object.decode(Int.self, forKey: .none) } catch DecodingError.keyNotFound(_, let context) {
                note(context.codingPath)
            }
            note(try members.superDecoder(forKey: .none).codingPath)
            notes.append("\(try members.superDecoder(forKey: .none).singleValueContainer().decodeNil())")
        }

        private mutating func note(_ path: [any CodingKey]) {
            notes.append("/" + path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: "/"))
        }
    }

    @Test func containersAreAsThoseOfJSONDecoder() {
        let list = #"[null,{"object":null,"list":1},[1,null],"x"]"#
        Self.compare(
            Walk.self,
            in: [
                #"{"list":\#(list),"object":{}}"#, #"{"object":{},"list":\#(list)}"#, #"{"list":\#(list)}"#,
                #"{"list":{}}"#,
            ])
    }

    private struct Kept: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) { self.decoder = decoder }
    }

    @Test func aTypeMayKeepItsDecoder() throws {
        let kept = try Self.ours([Kept].self, from: #"[{"a":"a text that is longer than fifteen bytes"}, 5]"#)
        #expect(try [String: String](from: kept[0].decoder) == ["a": "a text that is longer than fifteen bytes"])
        #expect(try kept[1].decoder.singleValueContainer().decode(Int.self) == 5)
    }

    @Test func oneDecoderReadsOneTextAfterTheOther() throws {
        var decoder = DocumentDecoder()
        for json in ["[1]", "[]", "[1,2,3,4,5,6,7,8,9]", "[1", "[2]"] {
            let (ours, theirs) = (
                try? decoder.decode([Int].self, from: Array(json.utf8)), try? Self.theirs([Int].self, from: json)
            )
            #expect(ours == theirs)
        }
    }

    // MARK: Depth

    private struct Tower: Decodable {
        let levels: Int

        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            levels = elements.isAtEnd ? 1 : try elements.decode(Tower.self).levels + 1
        }
    }

    private static func tower(_ levels: Int) -> String {
        String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }

    @Test(arguments: [1, 100, 513, 1_000, 100_000]) func whatIsTooDeepIsRefused(levels: Int) {
        let outcome = Outcome { try Self.ours(Tower.self, from: Self.tower(levels)).levels }
        #expect(outcome == (levels <= DocumentDecoder.depth ? .value(levels) : .problem("unreadable")))
        #expect((try? Self.ours([String: Int].self, from: #"{"a":\#(Self.tower(levels))}"#)) == nil)
    }
}
