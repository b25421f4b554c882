import DocumentQuery
import DocumentValues
import SeededRandom
import Testing

/// Values are found in documents by their bytes, as the tree of their JSON has them.
struct BodyFinderTests {
    private static func find(_ path: String, in body: String, with finder: inout BodyFinder) -> String? {
        Array(body.utf8).withUnsafeBufferPointer { buffer in
            finder.find(in: buffer).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func find(_ path: String, in body: String) throws -> String? {
        var finder = BodyFinder(try #require(QueryPath(parsing: path)))
        return find(path, in: body, with: &finder)
    }

    @Test(
        arguments: [
            (".a", #"{"a":1}"#, "1"), (".a", #"{ "a" : 1 }"#, "1"), (".a", #"{"b":{"a":2},"a":1}"#, "1"),
            (".a", #"{"b":["a",{"a":2}],"a":[1]}"#, "[1]"), (".a", #"{"aa":2,"a":1}"#, "1"),
            (".aa", #"{"a":2,"aa":1}"#, "1"),
            (".a", #"{"b":"\"a\":2","a":1}"#, "1"), (".a", #"{"b":"\\","a":1}"#, "1"), (".a", #"{"b\"":2,"a":1}"#, "1"),
            (".a", #"{"\u0061":1,"a":2}"#, "1"), (".é", #"{"\u00e9":1}"#, "1"), (".é", #"{"é":1}"#, "1"),
            (".a", #"{"a":1,"a":2}"#, "1"), (".a.b", #"{"a":{"b":1}}"#, "1"), (".a[1]", #"{"a":[0,1]}"#, "1"),
            (".a[-1].b", #"{"a":[0,{"b":1}]}"#, "1"), (#".\[x\.y"#, #"{"[x.y":1}"#, "1"),
            (#".\\"#, #"{"\\":1}"#, "1"), (".q\"", #"{"q\"":1}"#, "1"), (".q", #"{"q\"":1,"q":2}"#, "2"),
            ("", #" {"a":1} "#, #"{"a":1}"#),
            (".123456789012345", #"{"12345678901234":2,"1234567890123456":3,"123456789012345":1}"#, "1"),
            (".1234567890123456", #"{"123456789012345":2,"12345678901234567":3,"1234567890123456":1}"#, "1"),
            (".12345678901234567", #"{"1234567890123456":2,"12345678901234567":1}"#, "1"),
            (".1234567", #"{"12345678":2,"1234567":1}"#, "1"), (".12345678", #"{"1234567":2,"12345678":1}"#, "1"),
            (".n", #"{"t":true,"f":false,"z":null,"m":-12.5e-3,"n":1}"#, "1"),
            (".n", #"{"text":"0123456789012345678901234567890123456789\"","n":1}"#, "1"),
        ] as [(String, String, String)])
    func values(path: String, body: String, value: String) throws {
        #expect(try Self.find(path, in: body) == value)
    }

    @Test(
        arguments: [
            (".a", "{}"), (".a", "[]"), (".a", "1"), (".a", ""), (".a", #"{"b":1}"#), (".a", #"{"b":{"a":1}}"#),
            (".a.b", #"{"a":1}"#),
            (".a[0]", #"{"a":[]}"#), (".a[2]", #"{"a":[0,1]}"#), (".a[-3]", #"{"a":[0,1]}"#),
            (".a[0]", #"{"a":{"0":1}}"#),
            (".a", #"{"A":1}"#), (".aaaaaaaaaaaaaaaaaaaa", #"{"aaaaaaaaaaaaaaaaaaab":1}"#), (".\\", #"{"\"":1}"#),
        ] as [(String, String)])
    func absences(path: String, body: String) throws { #expect(try Self.find(path, in: body) == nil) }

    /// What was learned of one document is not taken for the next one's.
    @Test func documentsOfDifferentShapes() throws {
        let bodies = [
            (#"{"kind":"x","name":"first","wanted":1,"rest":"0123456789abcdef"}"#, "1"),
            (#"{"kind":"x","name":"second","wanted":2,"rest":"0123456789abcdef"}"#, "2"),
            (#"{"name":"third","wanted":3,"kind":"x","rest":"0123456789abcdef"}"#, "3"),
            (#"{"kind":"x","nam":"4","name":"fourth","wanted":4,"rest":"0123456789"}"#, "4"),
            (#"{"kin\u0064":"x","name":"5","wanted":5,"rest":"0123456789abcdef"}"#, "5"),
            (#"{"kind":"x","name":{"wanted":0},"other":[{"wanted":0}],"wanted":6,"rest":"0123456789abcdef"}"#, "6"),
            (#"{"kind":"x","name":"7"}"#, nil), (#"{"wanted":8}"#, "8"), (#"{"kind":"x","name":"9","wanted":9}"#, "9"),
        ]
        var finder = BodyFinder(try #require(QueryPath(parsing: ".wanted")))
        for (body, value) in bodies + bodies.reversed() {
            #expect(Self.find(".wanted", in: body, with: &finder) == value, "\(body)")
        }
    }

    @Test(arguments: 0..<200) func randomDocuments(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = [
            "a", "b", "kind", "name", "temperature", "a key of 16 byte", "a key of 17 bytes", "é", "q\"", "s\\",
        ]
        let values = [
            "1", "-2.5e3", "null", "true", #""text""#, #""a \"quoted\" text of some length""#, "[]", #"[1,{"a":2}]"#,
            #"{"b":[]}"#,
        ]
        var finders = names.map { (name: $0, finder: BodyFinder(QueryPath(keys: [$0]))) }
        for _ in 0..<20 {
            let members = names.shuffled(using: &random).prefix(Int.random(in: 0...names.count, using: &random))
            let texts = members.map { ($0, values.randomElement(using: &random) ?? "1") }
            let body = "{" + texts.map { "\(JSONValue.string($0.0)):\($0.1)" }.joined(separator: ",") + "}"
            for index in finders.indices {
                let found = Self.find(finders[index].name, in: body, with: &finders[index].finder)
                #expect(
                    found == texts.first { $0.0.isExactly(finders[index].name) }?.1, "\(finders[index].name) in \(body)"
                )
            }
        }
    }

    /// Nothing outside of the bytes is read, wherever they end.
    @Test(arguments: [".temperature", ".a", ".rest[1].deep", ".not there"])
    func documentsThatAreCutOff(path: String) throws {
        let body = Array(#"{"a":"text","temperature":-12.5,"rest":[true,{"deep":"é\"x"}],"last":{"b":null}}"#.utf8)
        var finder = BodyFinder(try #require(QueryPath(parsing: path)))
        let whole = body.withUnsafeBufferPointer { buffer in finder.find(in: buffer).map { Array($0) } }
        for count in body.indices {
            let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
            defer { memory.deallocate() }
            _ = memory.initialize(from: body.prefix(count))
            let found = finder.find(in: UnsafeBufferPointer(memory)).map { Array($0) }
            // A number may be the beginning of a longer one.
            #expect(found == nil || whole?.starts(with: found ?? []) == true)
        }
    }

    @Test(arguments: [
        "0", "-0", "1", "-7", "42", "123456789012345678", "-12345678901234567", "0.5", "-0.5", "12.5", "0.1",
        "3.14159265358979",
        "-0.0", "100.00", "9007199254740.992", "0.000000000000001", "123456789.1234567",
    ])
    func shortNumbers(text: String) throws {
        let value = try #require(Array(text.utf8).withUnsafeBufferPointer { ShortNumber($0) })
        switch (value, QueryValue(try JSONValue(parsing: text))) {
        case (.whole(let ours), .integer(let theirs)): #expect(ours == theirs)
        case (.real(let ours), .real(let theirs)): #expect(ours.bitPattern == theirs.bitPattern)
        default: Issue.record("\(text) is \(value)")
        }
    }

    @Test(arguments: [
        "", "-", "1e3", "1.5E2", "1.", "1.2.3", "1234567890123456789", "0.12345678901234567", "1234567890.1234567", "x",
    ])
    func numbersThatAreReadAsTexts(text: String) {
        #expect(Array(text.utf8).withUnsafeBufferPointer { ShortNumber($0) } == nil)
    }
}
