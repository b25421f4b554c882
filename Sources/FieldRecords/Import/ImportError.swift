/// Why a file cannot be imported at all.
public struct ImportError: Error, Sendable, CustomStringConvertible {
    public enum Code: Sendable, Hashable {
        case emptyFile
        case missingColumns([String], present: [String])
        case unknownTable(columns: [String])
        case unreadable(String)
        case tooLarge
        case noText
        /// A file of JSON lines whose name is no collection's.
        case unknownLines
        /// With the files that were passed over, and why.
        case nothingToImport([String])
    }

    public let code: Code
    public let file: String

    public init(_ code: Code, file: String) {
        self.code = code
        self.file = file
    }

    public var description: String {
        switch code {
        case .emptyFile, .unknownTable, .noText, .unknownLines, .tooLarge: "\(file) \(reason)"
        case .missingColumns:
            "\(file) \(reason). Name the columns in the first row, then import again. Nothing was imported."
        case .unreadable: "\(file) \(reason). Nothing was imported."
        case .nothingToImport(let passedOver):
            (["Nothing in \(file) can be imported."] + passedOver).joined(separator: "\n")
        }
    }

    /// What stands in the way, to be read after the file's name.
    var reason: String {
        switch code {
        case .emptyFile: "is empty: it needs a first row with the names of its columns."
        case .missingColumns(let missing, let present):
            "has no column \(missing.joined(separator: ", no column ")); it has \(list(present))"
        case .unknownTable(let columns):
            "is no table that can be imported; its columns are \(list(columns)). "
                + "A table of sites needs \(list(SiteTable.columns)), one of inspections "
                + "\(list(InspectionTable.columns)), one of findings \(list(FindingTable.columns))."
        case .noText: "is no text: save it as CSV in UTF-8, then import it again."
        case .unknownLines: "is named for no collection: lines of JSON are in files such as sites.jsonl."
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .tooLarge: "is too large: at most \(FieldRecordsLimits.importFile >> 20) MB can be imported at once."
        case .nothingToImport: "has no .csv or .jsonl file"
        }
    }

    private func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.map(\.shortened).joined(separator: ", ")
    }
}
