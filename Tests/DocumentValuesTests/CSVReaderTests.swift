import DocumentValues
import Testing

@Suite struct CSVReaderTests {
    private func rows(_ text: String) -> [[String]] { CSVReader(Array(text.utf8)).map(\.fields) }

    @Test(arguments: [
        ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]),
        ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
        ("a,b\rc,d\r", [["a", "b"], ["c", "d"]]),
        ("\u{FEFF}a,b\n", [["a", "b"]]),
        (#"19,"CAFE, THE","He said ""no""""# + "\n", [["19", "CAFE, THE", #"He said "no""#]]),
        ("\"two\nlines\",x\ny,z\n", [["two\nlines", "x"], ["y", "z"]]),
        ("a,,\n,,\n", [["a", "", ""], ["", "", ""]]),
        ("a\n\n\nb\n", [["a"], ["b"]]),
        ("\"\"\n", [[""]]),
        ("a;b,c;d\n1;2;3\n", [["a", "b,c", "d"], ["1", "2", "3"]]),
        ("a\tb\n1,5\t2\n", [["a", "b"], ["1,5", "2"]]),
        ("ключ,名\nü,🌊\n", [["ключ", "名"], ["ü", "🌊"]]),
        ("", []),
    ])
    func readsEveryUsualForm(text: String, expected: [[String]]) {
        #expect(rows(text) == expected)
    }

    @Test func countsLinesThroughQuotedFields() {
        let reader = CSVReader(Array("h\n\"a\nb\"\n\nc\r\nd\n".utf8))
        #expect(reader.map(\.line) == [1, 2, 5, 6])
    }

    @Test func aRowThatIsNotUTF8IsReadAsLatin1AndItsNeighboursAreNot() {
        let bytes = Array("name\ncafé\n".utf8) + Array("CAF".utf8) + [0xC9] + Array(" \"x\"\n".utf8) + [0x80, 0x0A]
        let rows = Array(CSVReader(bytes))
        #expect(rows.map(\.fields) == [["name"], ["café"], ["CAFÉ \"x\""], ["€"]])
        #expect(rows.map(\.isLegacyText) == [false, false, true, true])
    }

    @Test func anUnclosedQuoteCostsNoOtherRow() {
        let rows = Array(CSVReader(Array("a,b\n1,\"open\n2,fine\n3,also\n".utf8)))
        #expect(rows.map(\.fields) == [["a", "b"], ["1", "\"open"], ["2", "fine"], ["3", "also"]])
        #expect(rows.map(\.defect) == [nil, .unclosedQuote, nil, nil])
        #expect(rows.map(\.line) == [1, 2, 3, 4])
    }

    @Test func textAfterAQuoteIsKept() {
        let rows = Array(CSVReader(Array("\"NORMAN\"S\",x\n".utf8)))
        #expect(rows.map(\.fields) == [["NORMANS\"", "x"]])
        #expect(rows.map(\.defect) == [.textAfterQuote])
    }

    @Test func whatIsWrittenIsReadBack() {
        let table = [
            ["plain", "two words", " edge ", "a,b", "quo\"te", "line\nbreak", "semi;colon", "ü🌊", ""],
            ["1", "-5", "+14155550100", "+1 (415) 555-0100", "x", "", "", "", ""],
        ]
        var writer = CSVWriter()
        for row in table { writer.append(row) }
        #expect(CSVReader(writer.take()).map(\.fields) == table)
        #expect(writer.take().isEmpty)
    }

    @Test(arguments: [
        ("\u{FF1D}1+1", "'\u{FF1D}1+1"), ("\u{FF0B}1", "'\u{FF0B}1"), ("\u{FF21}", "\u{FF21}"),
        ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("+cmd|x", "'+cmd|x"), ("-2", "-2"), ("-a", "'-a"),
        ("'=1+1", "''=1+1"), ("''-a", "'''-a"), ("'t Vosje", "'t Vosje"), ("'-2", "'-2"), ("=\u{301}", "'=\u{301}"),
    ])
    func nothingThatIsWrittenRunsInASpreadsheet(field: String, expected: String) {
        var writer = CSVWriter()
        writer.append([field])
        let cells = CSVReader(writer.bytes).flatMap(\.fields)
        #expect(cells == [expected])
        // Nothing of a cell is lost, either: its own apostrophe stays.
        #expect(cells.map { Name(CSVWriter.text(ofCell: $0)) } == [Name(field)])
    }

    /// Any bytes at all give rows, and every byte is in one of them or is a delimiter, a quote or a line end.
    @Test func arbitraryBytesAreRead() {
        var generator = SystemRandomNumberGenerator()
        let alphabet: [UInt8] = [0x22, 0x2C, 0x0A, 0x0D, 0x61, 0xC3, 0xA9, 0xFF, 0x20]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            let rows = Array(CSVReader(bytes))
            let letters = rows.flatMap(\.fields).joined().unicodeScalars.filter { $0 == "a" }.count
            #expect(letters == bytes.filter { $0 == 0x61 }.count, "\(bytes)")
            #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.line < $1.line }, "\(bytes)")
        }
    }
}
