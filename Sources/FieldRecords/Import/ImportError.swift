/// Why a file cannot be imported at all.
public struct ImportError: Error, Sendable, CustomStringConvertible {
    public enum Code: Sendable, Hashable {
        case emptyFile
        case missingColumns([String], present: [String])
        case unknownTable(columns: [String])
        case unreadable(String)
        case tooLarge
        case nothingToImport
    }

    public let code: Code
    public let file: String

    public init(_ code: Code, file: String) {
        self.code = code
        self.file = file
    }

    public var description: String {
        switch code {
        case .emptyFile: "\(file) is empty: it needs a first row with the names of its columns."
        case .missingColumns(let missing, let present):
            "\(file) has no column \(missing.joined(separator: ", no column ")); it has \(list(present)). "
                + "Name the columns in the first row, then import again. Nothing was imported."
        case .unknownTable(let columns):
            "\(file) is no table that can be imported; its columns are \(list(columns)). "
                + "A table of sites needs \(list(SiteTable.columns)), one of inspections "
                + "\(list(InspectionTable.columns)), one of findings \(list(FindingTable.columns))."
        case .unreadable(let reason): "\(file) cannot be read: \(reason). Nothing was imported."
        case .tooLarge: "\(file) is too large: at most 512 MB can be imported at once."
        case .nothingToImport: "There is no .csv or .jsonl file in \(file)."
        }
    }

    private func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}
