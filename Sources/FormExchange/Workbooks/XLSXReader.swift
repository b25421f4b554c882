import DocumentValues

/// Reads the sheets of a workbook (.xlsx, .xlsm): texts, results of formulas, dates by the format of their cells.
package enum XLSXReader {
    /// - Parameters:
    ///   - file: its name, for errors.
    ///   - isWanted: whether a sheet of this name is read; the only sheet of a workbook always is.
    /// - Throws: `FormFileError` where the file is no workbook, is damaged or exceeds a limit.
    package static func read(
        _ bytes: [UInt8], file: String, isWanted: (String) -> Bool = { _ in true }
    ) throws(FormFileError) -> Workbook {
        guard bytes.count <= FormExchangeLimits.file else {
            throw FormFileError(.tooLarge("the file", limit: "\(FormExchangeLimits.file >> 20) MB"), file: file)
        }
        let archive = try ZipArchive(bytes, file: file)
        let root = try relations(of: "", in: archive, file: file)
        let main = root?.part(ofType: "officeDocument") ?? "xl/workbook.xml"
        let index = try parse(main, of: archive, file: file, into: WorkbookIndex())
        guard index.sheets.count <= FormExchangeLimits.sheets else {
            throw FormFileError(
                .tooLarge("the number of sheets", limit: "\(FormExchangeLimits.sheets)"), file: file)
        }
        let parts = try relations(of: main, in: archive, file: file) ?? PartRelations(folder: "xl")
        let isOnly = index.sheets.count == 1
        var reader = Reading(archive: archive, file: file, index: index, parts: parts)
        try reader.readCommonParts()
        var book = Workbook(layout: .spreadsheet, sheets: [])
        for sheet in index.sheets {
            if isOnly || isWanted(sheet.name) {
                book.sheets.append(try reader.sheet(sheet.name, relation: sheet.relation))
            } else {
                book.others.append(sheet.name)
            }
        }
        return book
    }

    /// The parts that a part refers to; `nil` if it says nothing.
    private static func relations(
        of part: String, in archive: ZipArchive, file: String
    ) throws(FormFileError) -> PartRelations? {
        let steps = part.split(atByte: "/")
        let folder = steps.dropLast().joined(separator: "/")
        let path = (folder.isEmpty ? "" : folder + "/") + "_rels/" + (steps.last ?? "") + ".rels"
        guard archive.contains(path) else { return nil }
        return try parse(path, of: archive, file: file, into: PartRelations(folder: folder))
    }

    fileprivate static func parse<Handler: MarkupHandler>(
        _ part: String, of archive: ZipArchive, file: String, into handler: Handler
    ) throws(FormFileError) -> Handler {
        let bytes = try archive.read(part)
        return try MarkupReader.read(
            bytes, file: file, part: part, limit: FormExchangeLimits.part, into: handler)
    }
}

/// What the sheets of a workbook share while they are read.
private struct Reading {
    let archive: ZipArchive
    let file: String
    let index: WorkbookIndex
    let parts: PartRelations
    private var shared: [String] = []
    private var formats = NumberFormats()
    private var room = FormExchangeLimits.cells

    init(archive: ZipArchive, file: String, index: WorkbookIndex, parts: PartRelations) {
        self.archive = archive
        self.file = file
        self.index = index
        self.parts = parts
    }

    mutating func readCommonParts() throws(FormFileError) {
        if let part = parts.part(ofType: "sharedStrings"), archive.contains(part) {
            shared = try XLSXReader.parse(part, of: archive, file: file, into: SharedTexts()).texts
        }
        if let part = parts.part(ofType: "styles"), archive.contains(part) {
            formats = try XLSXReader.parse(part, of: archive, file: file, into: NumberFormats())
        }
    }

    mutating func sheet(_ name: String, relation: String) throws(FormFileError) -> Sheet {
        guard let part = parts.part(relation) else { throw FormFileError(.missingPart(relation), file: file) }
        let cells = try XLSXReader.parse(
            part, of: archive, file: file,
            into: SheetCells(
                file: file, name: name, shared: shared, formats: formats, begins1904: index.begins1904, room: room))
        room = cells.room
        return Sheet(name: name, rows: cells.rows)
    }
}
