import DocumentValues
import Testing

@testable import FormExchange

/// Sheets in tables of text.
@Suite struct TableReaderTests {
    private func texts(_ book: Workbook) -> [String] {
        book.sheets.map { sheet in
            "\(sheet.name): "
                + sheet.rows.map { row in
                    "\(row.number) " + row.cells.map { "\($0.column)=\($0.text)" }.joined(separator: ",")
                }.joined(separator: "; ")
        }
    }

    @Test func oneFileHoldsAllSheets() throws {
        let csv = "survey,,\n,type,name\n,text,\"a, b\"\n\n,note,\"two\nlines\"\nchoices,list_name,name\n,l,x\n"
        #expect(
            texts(try TableReader.csv(Array(csv.utf8), file: "a.csv")) == [
                "survey: 1 0=type,1=name; 2 0=text,1=a, b; 4 0=note,1=two\nlines",
                "choices: 1 0=list_name,1=name; 2 0=l,1=x",
            ])
    }

    @Test func semicolonsSeparateToo() throws {
        let book = try TableReader.csv(Array("survey;;\n;type;name\n;text;a\n".utf8), file: "a.csv")
        #expect(texts(book) == ["survey: 1 0=type,1=name; 2 0=text,1=a"])
    }

    @Test func aFolderHasAFileForEachSheet() throws {
        let book = try TableReader.folder([
            ("survey.csv", Array("type,name\ntext,a\n".utf8)), ("choices.csv", Array("list_name,name\n".utf8)),
        ])
        #expect(texts(book) == ["survey: 1 0=type,1=name; 2 0=text,1=a", "choices: 1 0=list_name,1=name"])
    }

    @Test func tablesOfMarkdownAreRead() throws {
        let text = """
            Some words.

            | survey |      |       |
            |        | type | name  |
            |--------|------|-------|
            |        | text | a\\|b |
            |        | note |       |
            | choices |
            | | list_name | name |
            """
        #expect(
            texts(try TableReader.markdown(Array(text.utf8), file: "a.md")) == [
                "survey: 1 0=type,1=name; 2 0=text,1=a|b; 3 0=note", "choices: 1 0=list_name,1=name",
            ])
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let texts = ["a,b", "\"q\"", "two\nlines", "plain", "=x", "a;b"]
        let sheets = [
            Sheet(name: "survey", rows: [SheetRow(number: 1, texts: texts), SheetRow(number: 2, texts: ["", "x"])])
        ]
        let read = try TableReader.csv(TableWriter.csv(sheets), file: "a.csv")
        #expect(read.sheets[0].rows.map { $0.cells.map(\.text) } == [texts, ["x"]])
        let sheet = try TableReader.sheet(TableWriter.csv(sheets[0]), file: "survey.csv")
        #expect(sheet.name == "survey" && sheet.rows[0].cells.map(\.text) == texts)
    }
}
