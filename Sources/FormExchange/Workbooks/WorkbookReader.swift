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
        case "ods": return try ODSReader.read(bytes, file: file, isWanted: isWanted)
        default: throw FormFileError(.unknownKind, file: file)
        }
    }

    /// Whether it has a stream called `EncryptedPackage`, in UTF-16.
    private static func isSealed(_ bytes: [UInt8]) -> Bool {
        let name = "EncryptedPackage".utf8.reduce(into: [UInt8]()) { $0 += [$1, 0] }
        var start = bytes[...]
        while let found = start.firstIndex(of: name[0]) {
            if bytes[found...].starts(with: name) { return true }
            start = bytes[(found + 1)...]
        }
        return false
    }

    private static func ending(of file: String) -> String {
        file.split(atByte: ".").last.map { $0.lowercased() } ?? ""
    }
}
