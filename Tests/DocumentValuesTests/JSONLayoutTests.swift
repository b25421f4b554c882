import DocumentValues
import Testing

/// Where the values of a text are.
@Suite struct JSONLayoutTests {
    private static func layout(_ text: String, depth: Int = 100, expecting count: Int = 4) throws -> JSONLayout {
        try JSONLayout(of: Array(text.utf8), depth: depth, expecting: count)
    }

    private static let text =
        #" {"a":[1,"x\n",null,{}], "\u0062":{"é":true,"e"# + "\u{301}" + #"":[]},"e":false} "#

    @Test(arguments: [0, 4, 1_000]) func eachValueHasItsKind(expected: Int) throws {
        let layout = try Self.layout(Self.text, expecting: expected)
        let kinds: [JSONLayout.Kind] = [
            .object, .name, .array, .number, .escapedText, .null, .object, .escapedName, .object, .name, .true,
            .ambiguousName, .array, .name, .false,
        ]
        #expect((0..<layout.count).map { layout.kind(of: $0) } == kinds)
        #expect(layout.count(of: 0) == 3 && layout.count(of: 2) == 4 && layout.count(of: 6) == 0)
        #expect(layout.end(of: 0) == layout.count && layout.end(of: 2) == 7 && layout.end(of: 3) == 4)
        #expect(layout.names(of: 0) == ["a", "b", "e"] && layout.names(of: 6).isEmpty)
        #expect(layout.mayHaveLookAlikes)
        #expect(layout.text(of: 4) == "x\n" && layout.text(of: 7) == "b" && layout.text(of: 3) == nil)
        #expect(layout.numberText(of: 3) == "1" && layout.smallWhole(of: 3) == 1)
    }

    @Test func eachValueHasItsWay() throws {
        let layout = try Self.layout(Self.text)
        #expect(layout.way(to: 0).isEmpty)
        #expect(layout.way(to: 2) == [.member("a")] && layout.way(to: 4) == [.member("a"), .element(1)])
        #expect(layout.way(to: 6) == [.member("a"), .element(3)])
        #expect(layout.way(to: 10) == [.member("b"), .member("é")] && layout.way(to: 14) == [.member("e")])
    }

    /// One that is still referred to keeps its own.
    @Test func layoutsShareTheirMemory() throws {
        var memory = JSONLayout.Memory(expecting: 1)
        var kept: [JSONLayout] = []
        for (number, text) in ["[1,2,3]", #"{"a":{"b":[4]}}"#, "[]", "[5,[6]]", "7"].enumerated() {
            var layout = try JSONLayout(of: Array(text.utf8), depth: 10, memory: &memory)
            if number.isMultiple(of: 2) { kept.append(layout) }
            memory.takeBack(&layout)
        }
        #expect(kept.map(\.count) == [4, 1, 1])
        #expect((1...3).map { kept[0].smallWhole(of: $0) } == [1, 2, 3] && kept[2].smallWhole(of: 0) == 7)
        #expect(throws: JSONError.self) { try JSONLayout(of: Array("[1,".utf8), depth: 10, memory: &memory) }
        var next = try JSONLayout(of: Array("[8]".utf8), depth: 10, memory: &memory)
        memory.takeBack(&next)
        #expect(next.smallWhole(of: 1) == 8)
    }

    /// Wherever in a name of any length the character is, and only there.
    @Test(arguments: 0...18) func charactersThatCombineAreFound(length: Int) throws {
        let name = String(repeating: "a", count: length)
        for (value, end) in [("1", ""), ("\"\u{4E00}\u{4E00}\"", "                ")] {
            #expect(try !Self.layout("{\"\(name)\":\(value)}\(end)").mayHaveLookAlikes)
            #expect(try !Self.layout("{\"\(name)\u{E9}\":\(value)}\(end)").mayHaveLookAlikes)
            for position in 0...length {
                let text = "\(name.prefix(position))\u{301}\(name.dropFirst(position))"
                #expect(try Self.layout("{\"\(text)\":\(value)}\(end)").mayHaveLookAlikes, "\(position)")
            }
        }
    }

    @Test(arguments: ["1", #""x""#, "null", "[]", "{}", " [ ] "]) func oneValueIsALayout(text: String) throws {
        let layout = try Self.layout(text)
        #expect(layout.count == 1 && layout.end(of: 0) == 1 && !layout.mayHaveLookAlikes)
    }

    @Test(
        arguments: [
            ("1", 1, 1), ("-1.50", -1.5, nil), ("1e2", 100, 100),
            ("18446744073709551616", 0x1p64, 18_446_744_073_709_551_616),
            ("1e400", .infinity, nil), ("0.1", 0.1, nil), ("-0.0", -0.0, 0),
        ] as [(String, Double, UInt128?)])
    func numbersAreReadWhereTheyAre(text: String, double: Double, magnitude: UInt128?) throws {
        let layout = try Self.layout("[\(text)]")
        #expect(layout.double(of: 1) == double && layout.numberText(of: 1) == text)
        #expect(layout.whole(of: 1)?.magnitude == magnitude)
        if magnitude != nil { #expect(layout.whole(of: 1)?.isNegative == text.hasPrefix("-")) }
    }

    private static func problem(_ body: () throws(JSONError) -> Void) -> JSONError? {
        do throws(JSONError) { try body() } catch { return error }
        return nil
    }

    /// It refuses what the reader of whole values refuses, for the same reason.
    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "[1 2]", "[1,]", "[,]", "{,}", #"{"a""#, #"{"a":"#, #"{"a":1,}"#, #"{"a" 1}"#,
        "{1:2}", "tru", "nulL", "01", "1.", "-", "1e", #""a"#, #""\x""#, #""\u12G4""#, "\"\n\"", "1 2", "{}x", "[]]",
        "]",
        #"{"a":[1,{"b":}]}"#, "[[[[1]]]", #"["\ud800",tru]"#,
    ])
    func whatIsWrongIsSaidAsByTheReader(text: String) {
        let bytes = Array(text.utf8)
        let expected = Self.problem { () throws(JSONError) in _ = try JSONValue(parsing: bytes) }
        let found = Self.problem { () throws(JSONError) in _ = try JSONLayout(of: bytes, depth: 1_000, expecting: 3) }
        #expect(expected != nil && found == expected)
    }

    @Test func depthIsLimited() throws {
        for (levels, isAllowed) in [(1, true), (7, true), (8, false), (100_000, false)] {
            let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            let found = Self.problem { () throws(JSONError) in
                _ = try JSONLayout(of: Array(text.utf8), depth: 7, expecting: 3)
            }
            #expect((found == nil) == isAllowed, "\(levels)")
            if !isAllowed { #expect(found == JSONError(.tooDeep, offset: 7)) }
        }
    }
}

/// Members that are looked for by their names.
@Suite struct MemberCursorTests {
    /// `k0` … with their number, in an object that is inside an array, behind something else.
    private static func cursor(_ count: Int, escaping escaped: Int? = nil) throws -> MemberCursor {
        let members = (0..<count).map { number in
            let name = number == escaped ? #"\u006b\#(number)"# : "k\(number)"
            return #""\#(name)":[\#(number),{"k0":"inner"}]"#
        }
        let text = #"[{"k1":"other"},{\#(members.joined(separator: ","))}]"#
        let layout = try JSONLayout(of: Array(text.utf8), depth: 10, expecting: 3)
        return MemberCursor(4, in: layout)
    }

    private static func number(_ cursor: MemberCursor, _ name: String) -> Int64? {
        cursor.find(name).flatMap { cursor.layout.smallWhole(of: $0 + 1) }
    }

    @Test(arguments: [1, 2, 15, 16, 17, 40]) func membersAreFoundInAnyOrder(count: Int) throws {
        let cursor = try Self.cursor(count, escaping: count / 2)
        let numbers = Array(0..<count)
        for number in numbers + numbers.reversed() + numbers + [0, 0, count - 1, count - 1] {
            #expect(Self.number(cursor, "k\(number)") == Int64(number))
        }
        for name in ["", "k", "k\(count)", "K0", "inner"] { #expect(cursor.find(name) == nil, "\(name)") }
        #expect(Self.number(cursor, "k0") == 0, "what was not found moves nothing")
    }

    @Test func anEmptyObjectHasNone() throws {
        let cursor = try Self.cursor(0)
        #expect(cursor.find("k0") == nil && cursor.find("") == nil)
    }

    @Test func namesAreComparedByTheirBytes() throws {
        let text = "{\"caf\u{E9}\":1,\"cafe\u{301}\":2,\"a longer name, of more than eight bytes\":3}"
        let layout = try JSONLayout(of: Array(text.utf8), depth: 10, expecting: 3)
        let cursor = MemberCursor(0, in: layout)
        for (name, value) in [("cafe\u{301}", 2), ("caf\u{E9}", 1), ("a longer name, of more than eight bytes", 3)] {
            #expect(cursor.find(name).flatMap { layout.smallWhole(of: $0) } == Int64(value))
        }
        #expect(cursor.find("a longer name, of more than eight bytez") == nil)
    }
}
