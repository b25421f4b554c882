import DocumentValues
import Testing

@testable import FormExchange

/// Cells of workbooks.
@Suite struct XLSXReaderTests {
    private static let styles =
        "<numFmts><numFmt numFmtId=\"164\" formatCode=\"dd/mm/yyyy;@\"/><numFmt numFmtId=\"165\""
        + " formatCode=\"[Red]&quot;day&quot;0.00\"/></numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>"
        + "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"164\"/><xf numFmtId=\"165\"/>"
        + "<xf numFmtId=\"20\"/></cellXfs>"

    @Test(arguments: [
        ("<c r=\"A1\"><v>42</v></c>", "42"), ("<c r=\"A1\"><v>42.0</v></c>", "42"),
        ("<c r=\"A1\"><v>4.2000000000000002</v></c>", "4.2"), ("<c r=\"A1\"><v>1E+2</v></c>", "100"),
        ("<c r=\"A1\"><v>12345678901234567890</v></c>", "12345678901234567168"),
        ("<c r=\"A1\"><v>0.00001</v></c>", "1e-05"), ("<c r=\"A1\"><v>-3</v></c>", "-3"),
        ("<c r=\"A1\" t=\"b\"><v>1</v></c>", "TRUE"), ("<c r=\"A1\" t=\"b\"><v>0</v></c>", "FALSE"),
        ("<c r=\"A1\" t=\"s\"><v>1</v></c>", "rich text"), ("<c r=\"A1\" t=\"s\"><v>0</v></c>", " kept "),
        ("<c r=\"A1\" t=\"str\"><f>A2</f><v>result</v></c>", "result"),
        ("<c r=\"A1\"><f>1+1</f><v>2</v></c>", "2"),
        ("<c r=\"A1\" t=\"inlineStr\"><is><r><t>in</t></r><r><t>line</t></r></is></c>", "inline"),
        ("<c r=\"A1\" s=\"1\"><v>46085</v></c>", "2026-03-04 00:00:00"),
        ("<c r=\"A1\" s=\"2\"><v>46085.573263888888</v></c>", "2026-03-04 13:45:30"),
        ("<c r=\"A1\" s=\"3\"><v>46085</v></c>", "46085"), ("<c r=\"A1\" s=\"4\"><v>0.5</v></c>", "12:00:00"),
        ("<c r=\"A1\" s=\"1\"><v>1</v></c>", "1900-01-01 00:00:00"),
        ("<c r=\"A1\" s=\"1\"><v>61</v></c>", "1900-03-01 00:00:00"),
        ("<c r=\"A1\" t=\"d\"><v>2026-03-04T00:00:00</v></c>", "2026-03-04 00:00:00"),
        ("<c r=\"A1\" t=\"e\"><v>#REF!</v></c>", "#REF!"), ("<c><v>7</v></c>", "7"),
    ])
    func cellsAreTexts(cell: String, text: String) throws {
        let shared =
            "<si><t xml:space=\"preserve\"> kept </t></si>"
            + "<si><r><t>rich</t></r><rPh sb=\"0\" eb=\"1\"><t>x</t></rPh><r><t xml:space=\"preserve\"> text</t></r></si>"
        let rows = try BookMaker(rows: "<row r=\"1\">\(cell)</row>", styles: Self.styles, shared: shared).rows()
        #expect(rows.map { $0.cells.map(\.text) } == [[text]])
    }

    @Test func daysMayBeCountedFrom1904() throws {
        let rows = try BookMaker(
            rows: "<row r=\"1\"><c r=\"A1\" s=\"1\"><v>44623</v></c></row>", styles: Self.styles,
            workbook: "<workbookPr date1904=\"1\"/>"
        ).rows()
        #expect(rows[0].cells[0].text == "2026-03-04 00:00:00")
    }

    @Test func rowsAndCellsKeepTheirPositions() throws {
        let rows = try BookMaker(
            rows: "<row r=\"2\"><c r=\"B2\"><v>1</v></c><c r=\"AA2\"><v>2</v></c><c r=\"C2\"/></row><row/>"
                + "<row><c><v>3</v></c><c r=\"C4\"><f>A1</f></c></row>"
        ).rows()
        #expect(rows.map(\.number) == [2, 4])
        #expect(rows[0].cells.map(\.column) == [1, 26])
        #expect(rows[1].cells.map(\.column) == [0, 2])
        guard case .uncalculated = rows[1].cells[1].origin else { return #expect(Bool(false), "a result is there") }
    }

    @Test func aSheetEndsAfterSixtyEmptyRows() throws {
        let rows = try BookMaker(
            rows: "<row r=\"1\"><c><v>1</v></c></row><row r=\"61\"><c><v>2</v></c></row>"
                + "<row r=\"122\"><c><v>3</v></c></row>"
        ).rows()
        #expect(rows.map(\.number) == [1, 61])
    }

    @Test func cellsOfAnyOrderAreReadOnce() throws {
        let rows = try BookMaker(
            rows: "<row r=\"5\"><c r=\"C5\"><v>3</v></c><c r=\"A5\"><v>1</v></c><c r=\"C5\"><v>9</v></c></row>"
                + "<row r=\"2\"><c><v>8</v></c></row>"
        ).rows()
        #expect(rows.map(\.number) == [5])
        #expect(rows[0].cells.map(\.text) == ["1", "3"])
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let texts = ["<a> & \"b\"", "line\nbreak", " ends ", "007", "=1+1", "émoji 🌊", "]]>"]
        let sheet = Sheet(
            name: "survey", rows: [SheetRow(number: 1, texts: texts), SheetRow(number: 3, texts: ["", "x"])])
        let written = try XLSXWriter.write([sheet, Sheet(name: "Wahl & mehr", rows: [])], file: "a")
        let read = try XLSXReader.read(written, file: "a")
        #expect(read.sheets.map(\.name) == ["survey", "Wahl & mehr"])
        #expect(read.sheets[0].rows.map { $0.cells.map(\.text) } == [texts, ["x"]])
        #expect(read.sheets[0].rows.map(\.number) == [1, 3])
        #expect(try XLSXWriter.write([sheet, Sheet(name: "Wahl & mehr", rows: [])], file: "a") == written)
    }

    @Test func onlyWantedSheetsAreRead() throws {
        let sheets = ["survey", "notes"].map { Sheet(name: $0, rows: [SheetRow(number: 1, texts: ["x"])]) }
        let bytes = try XLSXWriter.write(sheets, file: "a")
        let book = try XLSXReader.read(bytes, file: "a") { $0 == "survey" }
        #expect(book.sheets.map(\.name) == ["survey"] && book.others == ["notes"])
        let only = try XLSXReader.read(try XLSXWriter.write([sheets[1]], file: "a"), file: "a") { _ in false }
        #expect(only.sheets.map(\.name) == ["notes"])
    }
}
