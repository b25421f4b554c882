import DocumentValues

/// Reads the sheets of a workbook in the OpenDocument format (.ods): texts, results of formulas, dates.
package enum ODSReader {
    private static let content = "content.xml"
    private static let manifest = "META-INF/manifest.xml"

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
        // Its parts are encrypted, and not the archive.
        if archive.contains(manifest), try isSealed(archive.read(manifest)) {
            throw FormFileError(.sealedArchive, file: file)
        }
        let cells = try MarkupReader.read(
            archive.read(content), file: file, part: content, limit: FormExchangeLimits.part,
            into: OpenDocumentCells(file: file))
        var book = Workbook(layout: .spreadsheet, sheets: [])
        for sheet in cells.sheets {
            if cells.sheets.count == 1 || isWanted(sheet.name) {
                book.sheets.append(sheet)
            } else {
                book.others.append(sheet.name)
            }
        }
        return book
    }

    private static func isSealed(_ manifest: [UInt8]) -> Bool {
        String(decoding: manifest, as: UTF8.self).containsBytes(of: "encryption-data")
    }
}
