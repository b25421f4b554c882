import GatewayCore
import Testing

@Suite struct ValueCountTests {
    static let texts: [(text: String, count: Int)] = [
        ("{}", 0), ("[]", 0), ("7", 0), (#""a,b""#, 0), ("[1]", 1), ("[1,2]", 2), (#"{"a":1,"b":2}"#, 2),
        ("[[],{},[]]", 3), ("[ [ ] , 1 ]", 2), (#"{"a":[1,2],"b":{"c":null}}"#, 5), (#"["a,b","[1,2]"]"#, 2),
        (#"["\",\\",1]"#, 2), ("[[[1]]]", 3), (#"{"a":{"b":{}}}"#, 2),
    ]

    @Test(arguments: texts) func countsMembersAndElements(text: String, count: Int) {
        // Followed by as many blanks as the shortest text of so many values would have.
        let bytes = Array((text + String(repeating: " ", count: 2 * count + 2)).utf8)
        #expect(!bytes.hasMoreJSONValues(than: count), "\(text)")
        if count > 0 { #expect(bytes.hasMoreJSONValues(than: count - 1), "\(text)") }
    }

    @Test func theShortestTextsAreCounted() {
        for count in [1, 2, 3, 1_000] {
            let bytes = Array(("[" + Array(repeating: "1", count: count).joined(separator: ",") + "]").utf8)
            #expect(!bytes.hasMoreJSONValues(than: count))
            #expect(bytes.hasMoreJSONValues(than: count - 1))
        }
    }

    /// Invalid JSON is refused elsewhere.
    @Test(arguments: ["\"", "\"\\", "[", "]]]]]]", "[\"a\\", "\u{0}", ""]) func anythingIsCounted(text: String) {
        #expect(!Array(text.utf8).hasMoreJSONValues(than: 3))
    }
}
