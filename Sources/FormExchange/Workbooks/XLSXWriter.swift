import DocumentValues

/// Writes sheets of texts as a workbook (.xlsx).
package enum XLSXWriter {
    private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    private static let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    private static let package = "http://schemas.openxmlformats.org/package/2006"

    /// - Throws: `FormFileError` where the archive cannot be packed.
    package static func write(_ sheets: [Sheet], file: String) throws(FormFileError) -> [UInt8] {
        var parts = [
            ("[Content_Types].xml", contentTypes(count: sheets.count)), ("_rels/.rels", rootRelations),
            ("xl/workbook.xml", workbook(sheets)), ("xl/_rels/workbook.xml.rels", relations(count: sheets.count)),
        ]
        for (index, sheet) in sheets.enumerated() {
            parts.append(("xl/worksheets/sheet\(index + 1).xml", cells(sheet)))
        }
        return try ZipWriter.archive(parts.map { (name: $0.0, content: $0.1) }, file: file)
    }

    private static func contentTypes(count: Int) -> String {
        let type = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        var writer = MarkupWriter()
        writer.element("Types", with: ["xmlns": "\(package)/content-types"]) { writer in
            writer.element(
                "Default",
                with: [
                    "Extension": "rels",
                    "ContentType": "application/vnd.openxmlformats-package.relationships+xml",
                ])
            writer.element("Default", with: ["Extension": "xml", "ContentType": "application/xml"])
            writer.element("Override", with: ["PartName": "/xl/workbook.xml", "ContentType": "\(type).sheet.main+xml"])
            for number in 1...max(1, count) {
                writer.element(
                    "Override",
                    with: ["PartName": "/xl/worksheets/sheet\(number).xml", "ContentType": "\(type).worksheet+xml"])
            }
        }
        return writer.text
    }

    private static var rootRelations: String {
        var writer = MarkupWriter()
        writer.element("Relationships", with: ["xmlns": "\(package)/relationships"]) { writer in
            writer.element(
                "Relationship",
                with: ["Id": "rId1", "Type": "\(relations)/officeDocument", "Target": "xl/workbook.xml"])
        }
        return writer.text
    }

    private static func relations(count: Int) -> String {
        var writer = MarkupWriter()
        writer.element("Relationships", with: ["xmlns": "\(package)/relationships"]) { writer in
            for number in 1...max(1, count) {
                writer.element(
                    "Relationship",
                    with: [
                        "Id": "rId\(number)", "Type": "\(relations)/worksheet",
                        "Target": "worksheets/sheet\(number).xml",
                    ])
            }
        }
        return writer.text
    }

    private static func workbook(_ sheets: [Sheet]) -> String {
        var writer = MarkupWriter()
        writer.element("workbook", with: ["xmlns": main, "xmlns:r": relations]) { writer in
            writer.element("sheets") { writer in
                for (index, sheet) in sheets.enumerated() {
                    writer.element(
                        "sheet", with: ["name": sheet.name, "sheetId": "\(index + 1)", "r:id": "rId\(index + 1)"])
                }
            }
        }
        return writer.text
    }

    /// Each cell holds its text itself, so that none is taken for a number or a date.
    private static func cells(_ sheet: Sheet) -> String {
        var writer = MarkupWriter()
        writer.element("worksheet", with: ["xmlns": main]) { writer in
            writer.element("sheetData") { writer in
                for row in sheet.rows {
                    writer.element("row", with: ["r": "\(row.number)"]) { writer in
                        for cell in row.cells {
                            let address = "\(ColumnLetters.text(cell.column))\(row.number)"
                            writer.element("c", with: ["r": address, "t": "inlineStr"]) { writer in
                                writer.element("is") { writer in
                                    writer.element("t", with: ["xml:space": "preserve"]) { $0.write(cell.text) }
                                }
                            }
                        }
                    }
                }
            }
        }
        return writer.text
    }
}
