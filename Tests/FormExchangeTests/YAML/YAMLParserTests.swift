import DocumentValues
import Testing

@testable import FormExchange

/// Texts in YAML, and what is refused in them.
@Suite struct YAMLParserTests {
    @Test(arguments: [
        ("a: b", #"{a: "b"}"#),
        ("a: yes\nb: 1.0\nc: 2026-03-04\nd: ~\ne:", #"{a: "yes", b: "1.0", c: "2026-03-04", d: "~", e: ""}"#),
        ("- a\n- b: c\n  d: e\n-\n- - x\n  - y", #"["a", {b: "c", d: "e"}, "", ["x", "y"]]"#),
        ("a:\n- b\n- c\nd: e", #"{a: ["b", "c"], d: "e"}"#),
        ("a:\n    b:\n        c: d\n    e: f\n", #"{a: {b: {c: "d"}, e: "f"}}"#),
        ("a: {b: c, d: [e, 'f, g', \"h\\n\"], i: , j}", #"{a: {b: "c", d: ["e", "f, g", "h\n"], i: "", j: ""}}"#),
        ("a: b\n  c\n\n  d # e\n", #"{a: "b c\nd"}"#),
        ("a: 'it''s\n  so'", #"{a: "it's so"}"#),
        ("a: \"x \\\n   y\\u00e9\\x41\"", #"{a: "x yéA"}"#),
        ("a: |\n  b\n   c\n\n  d\n", #"{a: "b\n c\n\nd\n"}"#),
        ("a: >\n  b\n  c\n\n  d\n   e\n  f\n", #"{a: "b c\nd\n e\nf\n"}"#),
        ("a: |-\n  b\nc: >+\n  d\n\n", #"{a: "b", c: "d\n\n"}"#),
        ("a: |2\n   b\n", #"{a: " b\n"}"#),
        ("# x\n---\na: b # c\n# d\n...\n", #"{a: "b"}"#),
        ("\u{FEFF}a: b\r\nc: d\r", #"{a: "b", c: "d"}"#),
        ("a: ${x} > 7 and 'y' != \"z\"", #"{a: "${x} > 7 and 'y' != \"z\""}"#),
        ("'a b': c\n\"d: e\": f", #"{a b: "c", d: e: "f"}"#),
        ("a: http://x.y:80/z#t", #"{a: "http://x.y:80/z#t"}"#),
        ("a:\tb", #"{a: "b"}"#),
        ("{a: {\n  b: c,\n  }}", #"{a: {b: "c"}}"#),
    ])
    func textsAreRead(text: String, value: String) {
        let (node, faults) = YAMLParser.parse(text)
        #expect(faults.isEmpty, "\(faults)")
        #expect(node?.description == value)
    }

    @Test(arguments: [
        ("a:\n\tb: c", "2:1 a tab indents this line."),
        ("a: &x b", "1:4 '&' begins an anchor, which is not read here."),
        ("a: *x", "1:4 '*' begins an alias, which is not read here."),
        ("a: !!str b\nc: d", "1:4 '!' begins a tag, which is not read here."),
        ("a: b\n---\nc: d", "2:1 a second document begins here."),
        ("a: b: c", "1:5 ': ' is in a text without quotes."),
        ("a: 'b", "1:4 this quotation mark is never closed."),
        ("a: [b, c", "1:4 this bracket is never closed."),
        ("a: {b: c]", "1:9 ',' or '}' is expected here."),
        ("a: b\n   c: d", "2:4 a key is indented more than the lines above it."),
        ("a:\n  b: c\n d: e", "3:2 this line belongs to no entry above it."),
        ("a: b\nc", "2:1 a key with ':' is expected here."),
        ("? a\n: b", "1:1 a key behind '?' is not read here."),
        ("[a]: b", "1:1 a list or a map is where a key belongs."),
        ("a: @b", "1:4 '@' cannot begin a text here."),
        ("a: \"\\q\"", "1:5 '\\q' is no escape."),
        ("a: 'b' c", "1:8 a text goes on behind a text in quotes."),
        ("a: \u{1}", "1:4 a control character is in the text."),
        ("%YAML 1.2\n---\na: b", "1:1 a directive of YAML ('%') is not read here."),
        ("a: - b", "1:4 a list begins behind a key."),
        ("a: ü: c", "1:5 ': ' is in a text without quotes."),
    ])
    func faultsAreReported(text: String, fault: String) {
        let (_, faults) = YAMLParser.parse(text)
        #expect(faults.map(\.description) == [fault])
    }

    /// Behind a fault the next entry is read.
    @Test func allFaultsAreReported() {
        let text = """
            a: [b}
            c: 'x' y
            d:
              - e: f: g
              - h: i
              - j: "\\q"
            k: l
            """
        let (node, faults) = YAMLParser.parse(text)
        #expect(faults.map(\.position.line) == [1, 2, 4, 6])
        #expect(node?.description == #"{d: [{}, {h: "i"}, {}], k: "l"}"#)
    }

    @Test func depthAndSizeAreLimited() {
        let nested = [String(repeating: "[", count: 100_000), String(repeating: "- ", count: 100_000)]
        for text in nested + [String(repeating: "{a: ", count: 100_000)] {
            #expect(YAMLParser.parse(text).faults.map(\.isLimit) == [true])
        }
        let long = String(repeating: "a", count: YAMLLimits.file + 1)
        #expect(YAMLParser.parse(long).faults.map(\.isLimit) == [true])
        let key = String(repeating: "k", count: YAMLLimits.key + 1)
        #expect(YAMLParser.parse("a: b\n\(key): c").faults.map(\.isLimit) == [true])
    }

    /// Text that other readers expand without an end: no alias is followed.
    @Test func aliasesAreNotFollowed() {
        let levels = (1...30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }
        let (node, faults) = YAMLParser.parse("a0: &a0 x\n" + levels.joined() + "*a30 : y")
        #expect(faults.count == YAMLLimits.faults)
        #expect(node == nil)
    }

    @Test func manyFaultsEndTheReading() {
        let text = String(repeating: "a: 'b\n", count: 100_000)
        #expect(YAMLParser.parse(text).faults.count == YAMLLimits.faults)
    }
}

extension YAMLNode: CustomStringConvertible {
    /// As JSON, but for keys without quotes.
    public var description: String {
        switch content {
        case .text(let text): JSONValue.string(text).description
        case .list(let items): "[" + items.map(\.description).joined(separator: ", ") + "]"
        case .map(let entries):
            "{" + entries.map { "\($0.key.text): \($0.value.description)" }.joined(separator: ", ") + "}"
        }
    }
}

extension YAMLFault: CustomStringConvertible {
    public var description: String { "\(position.line):\(position.column) \(message)" }
}
