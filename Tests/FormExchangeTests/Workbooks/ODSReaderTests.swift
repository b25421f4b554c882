import DocumentValues
import FormLogic
import Testing

@testable import FormExchange

/// Workbooks in the OpenDocument format.
@Suite struct ODSReaderTests {
    private static let namespaces = ["office", "table", "text"].map {
        "xmlns:\($0)=\"urn:oasis:names:tc:opendocument:xmlns:\($0):1.0\""
    }.joined(separator: " ")

    private func book(_ tables: String, parts: [(name: String, content: String)] = []) throws -> [UInt8] {
        let content =
            "<office:document-content \(Self.namespaces) xmlns:calcext=\"urn:org:documentfoundation:calcext:1.0\">"
            + "<office:body><office:spreadsheet>\(tables)</office:spreadsheet></office:body></office:document-content>"
        return try ZipWriter.archive([("content.xml", content)] + parts, file: "a.ods")
    }

    private func table(_ name: String, _ rows: String) -> String {
        "<table:table table:name=\"\(name)\"><table:table-column/>\(rows)</table:table>"
    }

    private func row(_ cells: String, _ attributes: String = "") -> String {
        "<table:table-row \(attributes)>\(cells)</table:table-row>"
    }

    private func cell(_ attributes: String, shown: String = "") -> String {
        "<table:table-cell \(attributes)>\(shown.isEmpty ? "" : "<text:p>\(shown)</text:p>")</table:table-cell>"
    }

    private func texts(_ tables: String) throws -> [String] {
        let read = try WorkbookReader.read(book(tables), file: "a.ods", isWanted: SheetImport.isWanted)
        return read.sheets.flatMap { sheet in
            sheet.rows.map { row in
                "\(sheet.name) \(row.number) " + row.cells.map { "\($0.column)=\($0.text)" }.joined(separator: ",")
            }
        }
    }

    private static let values: [(attributes: String, shown: String, text: String)] = [
        ("office:value-type=\"string\"", "a  <text:s text:c=\"2\"/>b", "a   b"),
        ("office:value-type=\"float\" office:value=\"1250\"", "1.250,00 €", "1250"),
        ("office:value-type=\"float\" office:value=\"0.5\"", "0,5", "0.5"),
        ("office:value-type=\"percentage\" office:value=\"1\"", "100 %", "1"),
        ("office:value-type=\"boolean\" office:boolean-value=\"true\"", "WAHR", "TRUE"),
        ("office:value-type=\"date\" office:date-value=\"2026-03-04\"", "4.3.26", "2026-03-04 00:00:00"),
        ("office:value-type=\"date\" office:date-value=\"2026-03-04T13:45:00\"", "x", "2026-03-04 13:45:00"),
        ("office:value-type=\"time\" office:time-value=\"PT13H45M00S\"", "13:45", "13:45:00"),
        ("table:formula=\"of:=1\" office:value-type=\"float\" office:value=\"7\"", "7", "7"),
        ("", "one</text:p><text:p>two<text:line-break/>three", "one\ntwo\nthree"),
    ]

    @Test(arguments: values.indices) func aCellHasItsValue(index: Int) throws {
        let (attributes, shown, text) = Self.values[index]
        #expect(try texts(table("survey", row(cell(attributes, shown: shown)))) == ["survey 1 0=\(text)"])
    }

    @Test func rowsAndCellsMayBeWrittenOnceForMany() throws {
        let rows =
            row(cell("", shown: "a") + cell("table:number-columns-repeated=\"2\"") + cell("", shown: "d"))
            + row(cell("table:number-columns-repeated=\"1024\""), "table:number-rows-repeated=\"3\"")
            + "<table:table-row-group>"
            + row(cell("table:number-columns-repeated=\"2\"", shown: "b"), "table:number-rows-repeated=\"2\"")
            + "</table:table-row-group>" + row(cell(""), "table:number-rows-repeated=\"1048570\"")
            + row(cell("", shown: "far"))
        let expected = ["survey 1 0=a,3=d", "survey 5 0=b,1=b", "survey 6 0=b,1=b"]
        #expect(try texts(table("survey", rows)) == expected)
    }

    @Test func remarksAndOtherSheetsAreLeftOut() throws {
        let remark = "<office:annotation><text:p>a remark</text:p></office:annotation>"
        let cells = "<table:table-cell>\(remark)<text:p>type</text:p></table:table-cell>"
        let tables = table("survey", row(cells)) + table("Notes", row(cell("", shown: "x")))
        let read = try WorkbookReader.read(book(tables), file: "a.ods", isWanted: SheetImport.isWanted)
        #expect(read.sheets.map(\.name) == ["survey"] && read.others == ["Notes"])
        #expect(try texts(tables) == ["survey 1 0=type"])
        #expect(try texts(table("Sheet1", row(cells))) == ["Sheet1 1 0=type"])
    }

    @Test func errorsAndFormulasWithoutAResultAreKnown() throws {
        let failed = "table:formula=\"of:=1/0\" office:value-type=\"string\" calcext:value-type=\"error\""
        let rows = row(cell(failed, shown: "#DIV/0!") + cell("table:formula=\"of:=A1\""))
        let cells = try WorkbookReader.read(book(table("survey", rows)), file: "a.ods").sheets[0].rows[0].cells
        #expect(cells.map(\.text) == ["#DIV/0!", ""])
        #expect(cells.map { "\($0.origin)" } == ["error", "uncalculated"])
    }

    @Test func aFormIsThatOfTheOtherWorkbook() throws {
        let sheets = SheetExport(try FormFixtures.sheets("household.xlsx").form).sheets
        let tables = sheets.map { sheet in
            var next = 1
            let rows = sheet.rows.map { line -> String in
                let gap = line.number - next
                next = line.number + 1
                var column = 0
                let cells = line.cells.map { found -> String in
                    let skipped = found.column - column
                    column = found.column + 1
                    let empty = skipped > 0 ? cell("table:number-columns-repeated=\"\(skipped)\"") : ""
                    let text = found.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                    return empty + cell("", shown: text.replacing("\n", with: "<text:line-break/>"))
                }
                let above = gap > 0 ? row(cell(""), "table:number-rows-repeated=\"\(gap)\"") : ""
                return above + row(cells.joined())
            }
            return table(sheet.name, rows.joined())
        }
        let read = try FormFixtures.sheets("a.ods", bytes: book(tables.joined())).form
        #expect(read.digest == (try FormFixtures.sheets("household.xlsx").form.digest))
    }

    @Test func whatIsNoSuchWorkbookIsRefused() throws {
        func refusal(_ bytes: [UInt8]) -> String? {
            do throws(FormFileError) {
                _ = try ODSReader.read(bytes, file: "a.ods")
                return nil
            } catch { return error.description }
        }
        #expect(refusal(Array("no archive".utf8))?.containsBytes(of: "archive is damaged") == true)
        let sealed = try book("", parts: [("META-INF/manifest.xml", "<m:encryption-data/>")])
        #expect(refusal(sealed)?.containsBytes(of: "protected by a password") == true)
        #expect(refusal(try ZipWriter.archive([("a", "b")], file: "a"))?.containsBytes(of: "'content.xml'") == true)
        let many = table("survey", row(cell("", shown: "x"), "table:number-rows-repeated=\"1000000\""))
        #expect(refusal(try book(many))?.containsBytes(of: "200000 rows") == true)
    }
}
