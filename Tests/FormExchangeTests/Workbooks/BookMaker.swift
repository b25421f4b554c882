import DocumentValues

@testable import FormExchange

/// Makes workbooks part by part, also damaged ones.
struct BookMaker {
    var parts: [(name: String, content: String)] = []

    static let main = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\""
    private static let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    /// A workbook with a sheet `survey` of these rows of XML.
    init(rows: String, styles: String = "", shared: String? = nil, workbook: String = "") {
        let package = "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\""
        parts = [
            (
                "_rels/.rels",
                "<Relationships \(package)><Relationship Id=\"a\" Type=\"\(Self.relations)/officeDocument\""
                    + " Target=\"/xl/workbook.xml\"/></Relationships>"
            ),
            (
                "xl/workbook.xml",
                "<workbook \(Self.main) xmlns:r=\"\(Self.relations)\">\(workbook)<sheets>"
                    + "<sheet name=\"survey\" sheetId=\"1\" r:id=\"s\"/></sheets></workbook>"
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships \(package)>"
                    + "<Relationship Id=\"s\" Type=\"\(Self.relations)/worksheet\" Target=\"worksheets/a.xml\"/>"
                    + "<Relationship Id=\"t\" Type=\"\(Self.relations)/styles\" Target=\"styles.xml\"/>"
                    + "<Relationship Id=\"u\" Type=\"\(Self.relations)/sharedStrings\" Target=\"shared.xml\"/>"
                    + "</Relationships>"
            ),
            ("xl/worksheets/a.xml", "<worksheet \(Self.main)><sheetData>\(rows)</sheetData></worksheet>"),
            ("xl/styles.xml", "<styleSheet \(Self.main)>\(styles)</styleSheet>"),
        ]
        if let shared { parts.append(("xl/shared.xml", "<sst \(Self.main)>\(shared)</sst>")) }
    }

    mutating func replace(_ name: String, with content: String?) {
        parts.removeAll { $0.name == name }
        if let content { parts.append((name, content)) }
    }

    func bytes() throws -> [UInt8] { try ZipWriter.archive(parts, file: "book.xlsx") }

    func rows() throws -> [SheetRow] { try XLSXReader.read(try bytes(), file: "book.xlsx").sheets[0].rows }
}
