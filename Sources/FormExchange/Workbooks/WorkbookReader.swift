import DocumentValues

/// Reads the sheets of a file by its kind: its name's ending, and for workbooks its first bytes.
package enum WorkbookReader {
    /// - Throws: `FormFileError` where the file holds no sheets, is damaged or exceeds a limit.
    package static func read(
        _ bytes: [UInt8], file: String, isWanted: (String) -> Bool = { _ in true }
    ) throws(FormFileError) -> Workbook {
        // The compound files of older programs, which are also those with a password.
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            throw FormFileError(isSealed(bytes) ? .sealedArchive : .oldWorkbook, file: file)
        }
        switch ending(of: file) {
        case "xlsx", "xlsm": return try XLSXReader.read(bytes, file: file, isWanted: isWanted)
        case "csv": return try TableReader.csv(bytes, file: file)
        case "md": return try TableReader.markdown(bytes, file: file)
        case "xls": throw FormFileError(.oldWorkbook, file: file)
        case "ods": throw FormFileError(.openDocument, file: file)
        default: throw FormFileError(.unknownKind, file: file)
        }
    }

    /// Whether it has a stream called `EncryptedPackage`, in UTF-16.
    private static func isSealed(_ bytes: [UInt8]) -> Bool {
        let name = "EncryptedPackage".utf8.flatMap { [$0, 0] }
        let directory = String(decoding: bytes.map { $0 == 0 || $0 > 0x7F ? 0x20 : $0 }, as: UTF8.self)
        return directory.containsBytes(of: String(decoding: name.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self))
    }

    private static func ending(of file: String) -> String {
        file.split(atByte: ".").last.map { $0.lowercased() } ?? ""
    }
}
