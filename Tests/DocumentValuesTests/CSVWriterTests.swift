import DocumentValues
import Testing

/// Rows of a table, as spreadsheets and RFC 4180 read them.
@Suite struct CSVWriterTests {
    private static func line(_ fields: [String], guardsFormulas: Bool = true) -> String {
        var writer = CSVWriter(guardsFormulas: guardsFormulas)
        writer.append(fields)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            ([], ""), ([""], ""), (["", ""], ","), (["a", "b"], "a,b"), (["a,b"], "\"a,b\""),
            (["say \"no\""], "\"say \"\"no\"\"\""), (["\""], "\"\"\"\""), (["two\nlines"], "\"two\nlines\""),
            (["a\r"], "\"a\r\""), (["a;b"], "\"a;b\""), (["a\tb"], "\"a\tb\""), ([" a"], "\" a\""), (["a "], "\"a \""),
            (["a b"], "a b"), (["é😀"], "é😀"), (["1", "", "x,"], "1,,\"x,\""),
        ] as [([String], String)])
    func fieldsAreQuotedWhereTheyMustBe(fields: [String], line: String) {
        #expect(Self.line(fields) == line + "\r\n")
        #expect(Self.line(fields, guardsFormulas: false) == line + "\r\n")
    }

    @Test(arguments: [
        ("=1+1", "'=1+1"), ("@sum", "'@sum"), ("+1+1", "'+1+1"), ("-a", "'-a"), ("\tx", "'\tx"), ("\rx", "'\rx"),
        ("\u{FF1D}1", "'\u{FF1D}1"), ("\u{FF0B}1", "'\u{FF0B}1"), ("\u{FF0D}1", "'\u{FF0D}1"),
        ("\u{FF20}x", "'\u{FF20}x"), ("'=1", "''=1"), ("''@x", "'''@x"), ("-1e5", "'-1e5"),
    ])
    func whatASpreadsheetWouldRunIsText(field: String, cell: String) {
        #expect(CSVWriter.cell(field) == cell && CSVWriter.text(ofCell: cell) == field)
        let line = Self.line([field])
        #expect(line.hasPrefix(cell) || line.hasPrefix("\"" + cell))
        #expect(Self.line([field], guardsFormulas: false).contains("'") == field.contains("'"))
    }

    @Test(arguments: [
        "", "a", "1", "-1", "+49 30 1234", "-1.5", "+1 (555) 010-999", "-", "+", "'", "'x", "''", "a=b", " =1",
        "\u{FF1C}1", "\u{FF11}",
    ])
    func whatIsNoFormulaIsLeftAlone(field: String) {
        #expect(CSVWriter.cell(field) == field && CSVWriter.text(ofCell: field) == field)
    }

    @Test func whatIsWrittenIsHandedOverOnce() {
        var writer = CSVWriter()
        #expect(writer.take().isEmpty)
        writer.append(["a", "b"])
        #expect(String(decoding: writer.take(), as: UTF8.self) == "a,b\r\n")
        #expect(writer.bytes.isEmpty && writer.take().isEmpty)
        writer.append(["c"])
        writer.append(["d"])
        #expect(String(decoding: writer.take(), as: UTF8.self) == "c\r\nd\r\n")
    }
}
