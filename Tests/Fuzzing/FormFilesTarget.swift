import DocumentValues
import FormLogic

@testable import FormExchange

extension FuzzTarget {
    /// Workbooks: any bytes become sheets or are refused, and any sheets a form with findings.
    static let formWorkbook = FuzzTarget(
        name: "form-workbook",
        seeds: {
            let book = try TableReader.markdown(Array(formTables.utf8), file: "seed.md")
            let sheet =
                "<sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c t=\"inlineStr\"><is><t>name</t></is></c>"
                + "</row><row><c t=\"s\"><f>A1</f><v>1</v></c><c r=\"B2\" t=\"b\"><v>1</v></c></row></sheetData>"
            let table =
                "<o:spreadsheet xmlns:o=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\""
                + " xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\""
                + " xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><table:table table:name=\"survey\">"
                + "<table:table-row table:number-rows-repeated=\"2\"><table:table-cell"
                + " table:number-columns-repeated=\"3\"><text:p>type<text:s/></text:p></table:table-cell>"
                + "</table:table-row></table:table></o:spreadsheet>"
            return [try XLSXWriter.write(book.sheets, file: "seed.xlsx"), Array(sheet.utf8), Array(table.utf8)]
        }
    ) { bytes in
        // A damaged archive seldom gets to its parts: the bytes are also taken for a sheet.
        let cells = SheetCells(
            file: "a", name: "survey", shared: ["type", "text"], formats: NumberFormats(), begins1904: false,
            room: 1_000)
        if let read = try? MarkupReader.read(bytes, file: "a", into: cells) {
            let columns = read.rows.flatMap { $0.cells.map(\.column) }
            check(columns.allSatisfy { $0 >= 0 }, "a cell is left of the first column")
            try checkSheets(Workbook(layout: .spreadsheet, sheets: [Sheet(name: "survey", rows: read.rows)]))
        }
        if let read = try? MarkupReader.read(bytes, file: "a", into: OpenDocumentCells(file: "a")) {
            for row in read.sheets.flatMap(\.rows) { check(row.number > 0, "a row is above the first") }
            try? checkSheets(Workbook(layout: .spreadsheet, sheets: read.sheets))
        }
        try checkSheets(WorkbookReader.read(bytes, file: "a.xlsx", isWanted: SheetImport.isWanted))
    }

    /// Sheets in tables of text: what is imported without a fault is exported and imported as the same form.
    static let formTable = FuzzTarget(
        name: "form-table",
        seeds: {
            let book = try TableReader.markdown(Array(formTables.utf8), file: "seed.md")
            return [Array(formTables.utf8), TableWriter.csv(book.sheets)]
        }
    ) { bytes in
        try? checkSheets(WorkbookReader.read(bytes, file: "a.md"))
        try checkSheets(WorkbookReader.read(bytes, file: "a.csv"))
    }

    /// XForms: what becomes a form is written as an XForm that becomes one, too.
    static let formXML = FuzzTarget(
        name: "form-xml",
        seeds: {
            let book = try TableReader.markdown(Array(formTables.utf8), file: "seed.md")
            let form = try SheetImport.form(of: book, options: FormImportOptions(file: "seed.md")).form
            return [
                XFormExport.write(form), Array("<!DOCTYPE a><a/>".utf8),
                Array("<h:html/>".utf16.flatMap { [0, UInt8($0)] }),
            ]
        }
    ) { bytes in
        let reading = try XFormImport.form(of: bytes, options: FormImportOptions(file: "a.xml", skipsUnsupported: true))
        check(reading.findings.shown.count <= CheckLimits.findings, "too many findings are shown")
        let written = XFormExport.write(reading.form)
        do { _ = try XFormImport.form(of: written, options: FormImportOptions(file: "b.xml")) } catch {
            fatalError("what was written is not read: \(error)")
        }
        check(SheetExport(reading.form).sheets.count >= 2, "a sheet is lost")
    }

    private static func checkSheets(_ book: Workbook) throws {
        let options = FormImportOptions(file: "a.md", skipsUnsupported: true, ignoresEncryption: true)
        let reading = try SheetImport.form(of: book, options: options)
        for finding in reading.findings.shown { check(!finding.text.isEmpty, "a finding without a text") }
        check(reading.findings.shown.count <= CheckLimits.findings, "too many findings are shown")
        _ = XFormExport.write(reading.form)
        let export = SheetExport(reading.form)
        guard !reading.findings.hasErrors, export.losses.isEmpty else { return }
        let again = try SheetImport.form(
            of: TableReader.csv(TableWriter.csv(export.sheets), file: "a.csv"), options: options)
        check(again.form.nodes.count == reading.form.nodes.count, "a question is lost in an export")
        check(again.form.lists.count == reading.form.lists.count, "a list is lost in an export")
    }

    private static let formTables = """
        | survey |
        | | type | name | label::English (en) | label::fr | hint | required | relevant | repeat_count | appearance | parameters | trigger | calculation | choice_filter | default | image |
        | | start | st | | | | | | | | | | | | | |
        | | text | a | A ${st} | Z | h | yes | ${b} > 1 | | multiline | rows=3 | | | | ${last-saved#a} | p.png |
        | | begin repeat | r | R | | | | | 1 + ${b} | field-list | | | | | | |
        | | integer | b | B | | | | | | | | | . + 1 | | 1 | |
        | | calculate | c | | | | | | | | | ${b} | ${b} * 2 | | | |
        | | end repeat | | | | | | | | | | | | | | |
        | | select_one l or_other | s | S | T | | | | | | | | | | | |
        | | select_multiple_from_file t.csv | f | F | G | | | | | | value=k | | | x = ${a} | | |
        | | note | | N | M | | | | | | | | | | | |
        | choices |
        | | list_name | name | label | pop |
        | | l | x | X | 5 |
        | | l | y | Y | |
        | settings |
        | | form_id | form_title | version | default_language | instance_name |
        | | f | F | 7 | fr | concat(${a}, 'x') |
        | entities |
        | | list_name | label | create_if |
        | | e | ${a} | yes |
        """
}
