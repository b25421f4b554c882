import Testing

@testable import DocumentValues

/// Texts of others on their way to a terminal.
@Suite struct PrintableTextTests {
    @Test(arguments: [
        ("plain", "plain", "plain"), ("", "", ""), ("Café, 世界 😀", "Café, 世界 😀", "Café, 世界 😀"),
        ("a\u{1B}[2Jb", "a?[2Jb", "a?[2Jb"), ("one\ntwo", "one\ntwo", "one⏎two"), ("a\r\nb", "a?\nb", "a?⏎b"),
        ("a\tb\u{0}", "a?b?", "a?b?"), ("\u{7F}\u{85}\u{9B}", "???", "???"), ("é\u{2028}é\u{2029}", "é?é?", "é?é?"),
        // What turns the direction, or is not seen.
        ("\u{202E}abc\u{202C}", "?abc?", "?abc?"), ("\u{2066}x\u{2069}", "?x?", "?x?"), ("a\u{200B}b", "a?b", "a?b"),
        ("a\u{AD}b\u{FEFF}", "a?b?", "a?b?"), ("\u{FFF9}x", "?x", "?x"), ("x\u{E0041}", "x?", "x?"),
        // Languages and emoji need these.
        ("\u{915}\u{94D}\u{200D}\u{937}", "\u{915}\u{94D}\u{200D}\u{937}", "\u{915}\u{94D}\u{200D}\u{937}"),
        ("\u{2764}\u{FE0F}", "\u{2764}\u{FE0F}", "\u{2764}\u{FE0F}"), ("é\u{FE0F}", "é?", "é?"),
        ("1\u{FE0F}", "1?", "1?"),
    ])
    func whatMovesOrHidesIsShownAsAMark(text: String, printable: String, line: String) {
        #expect(text.printable == printable && text.printableLine == line)
        #expect(text.printableLine.printableLine == line, "what is safe stays as it is")
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\u{1B}b\n", #"a\u{1b}b\u{a}"#), ("\u{202E}é", #"\u{202e}é"#),
        ("\u{E0041}", #"\u{e0041}"#),
        ("\u{200D}", "\u{200D}"),
    ])
    func aLogShowsWhichCharacterItWas(text: String, escaped: String) { #expect(text.withControlsEscaped == escaped) }

    /// JSON allows them, a terminal does not.
    @Test(arguments: [
        (#"{"a":"plain"}"#, #"{"a":"plain"}"#), ("{\"a\":\"\u{7F}\"}", #"{"a":"\u007f"}"#),
        ("{\"\u{202E}\":\"\u{9B}é\"}", #"{"\u202e":"\u009bé"}"#), ("\"\u{E0041}\"", #""\udb40\udc41""#),
        ("\"\u{2028}\"", #""\u2028""#), ("\"é😀\"", "\"é😀\""),
    ])
    func aLineOfJSONSaysTheSame(json: String, line: String) throws {
        #expect(json.printableJSON == line)
        #expect(try JSONValue(parsing: line) == JSONValue(parsing: json))
        #expect(!line.unicodeScalars.contains { $0.isControl })
    }

    @Test(arguments: [
        ("", 3, ""), ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("ab", 1, "…"), ("a", 1, "a"), ("a", 0, ""), ("", 0, ""),
        ("\u{E9}\u{E9}\u{E9}", 3, "\u{E9}\u{E9}\u{E9}"), ("e\u{301}e\u{301}", 3, "e\u{301}…"), ("😀😀", 1, "…"),
        ("😀", 1, "😀"),
    ])
    func aTextIsCutToSoManyScalars(text: String, limit: Int, shown: String) {
        #expect(Array(text.shortened(toScalars: limit).utf8) == Array(shown.utf8))
    }
}

/// Texts that are put together of others.
@Suite struct SentencesTests {
    @Test(
        arguments: [
            ("It failed", "Try again", "It failed. Try again"), ("It failed.", "Try again", "It failed. Try again"),
            ("Why?", "Ask", "Why? Ask"), ("No!", "Go", "No! Go"), ("as (x)", "Go", "as (x) Go"),
            ("These:", "Go", "These: Go"), ("It failed", nil, "It failed"), ("It failed", "", "It failed"),
            ("", "Try again", "Try again"), ("", nil, ""), ("e\u{301}", "Go", "e\u{301}. Go"),
        ] as [(String, String?, String)])
    func aMessageEndsBeforeItsHint(message: String, hint: String?, text: String) {
        #expect(Sentences.joined(message, hint: hint) == text)
    }

    @Test func anExportThatWasNotFinishedIsNamed() {
        let unfinished = UnfinishedExport.advice(onFolderWith: ["a.csv", UnfinishedExport.fileName])
        #expect(unfinished.contains("was not finished") && UnfinishedExport.text.hasSuffix("again.\n"))
        for names in [["a.csv"], ["unfinished-export.txt"], ["UNFINISHED-EXPORT.txt.old"], []] {
            #expect(UnfinishedExport.advice(onFolderWith: names).contains("new folder"), "\(names)")
        }
    }

    @Test func bytesAreTwoDigitsEach() {
        #expect(Hexadecimal.encode([]) == "" && Hexadecimal.encode([0x00, 0x0F, 0xA0, 0xFF]) == "000fa0ff")
        for byte in UInt8.min...UInt8.max {
            let digits = Array(Hexadecimal.encode([byte]).utf8).compactMap { Hexadecimal.digit($0) }
            #expect(digits.count == 2 && digits[0] << 4 | digits[1] == byte)
            let isDigit = Character(Unicode.Scalar(byte)).isHexDigit && byte < 0x80
            #expect((Hexadecimal.digit(byte) != nil) == isDigit, "\(byte)")
        }
    }
}
