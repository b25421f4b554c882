import DocumentQuery
import Testing

/// How large a regular expression may be.
struct PatternLimitTests {
    @Test(arguments: [
        "((a{1000}){1000}){1000}", "(?:(?:(?:a|b){3000}){3000}c){2}", "x|(?=(a{99999999999999999999}){2})",
        "((a{1,5000})?b){1,5000}",
    ])
    func tooManyRepeats(pattern: String) {
        let error = #expect(throws: FunctionError.self) { try BytePattern(pattern) }
        #expect(error?.message == "A regular expression repeats a part more than 10000000 times")
    }

    @Test(arguments: [
        "(a{1000}){1000}", "a{99999999999999999999}", "(?:a{99999999999999999999})?", "((a{3000})+b)*",
        "(?:aa){1,100000000}", #"(?:\d{1,3}\.){3}\d{1,3}"#, String(repeating: "a", count: QueryLimits.patternText),
    ])
    func whatIsAllowed(pattern: String) throws { _ = try BytePattern(pattern) }

    @Test func aTextThatIsTooLong() {
        let error = #expect(throws: FunctionError.self) {
            try BytePattern(String(repeating: ".", count: QueryLimits.patternText + 1))
        }
        #expect(error?.message == "A regular expression has more than 65536 bytes")
    }
}
