import DocumentValues

/// Why a file cannot be imported at all.
public struct ImportError: UserFacingError, Sendable {
    public enum Code: Sendable, Hashable {
        case emptyFile
        case missingColumns([String], present: [String])
        /// A person said which column is which, and no table has such a column.
        case unknownField(String)
        /// A person named a column, and no file has it.
        case unknownColumn(String, present: [String])
        /// Nothing was to be imported unless everything could be.
        case leftOut(Int, first: [String])
        case unknownTable(columns: [String])
        /// A table of forms names its fields only.
        case formTable
        case unreadable(String)
        case tooLarge
        case noText
        /// A byte that no text has.
        case controlCharacter(UInt8, line: Int)
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
        case .emptyFile, .unknownTable, .noText, .controlCharacter, .unknownLines, .tooLarge, .formTable:
            "\(file) \(reason)"
        case .missingColumns:
            "\(file) \(reason). Say which columns they are: \(advice). Nothing was imported."
        case .unknownField, .unknownColumn, .leftOut: "\(reason) Nothing was imported."
        case .unreadable: "\(file) \(reason). Nothing was imported."
        case .nothingToImport(let passedOver):
            (["Nothing in \(file) can be imported."] + passedOver).joined(separator: "\n")
        }
    }

    /// The reason, as text after the file's name.
    var reason: String {
        switch code {
        case .emptyFile: "is empty: it needs a first row with the names of its columns."
        case .missingColumns(let missing, let present):
            "has no column \(missing.joined(separator: ", no column ")); it has \(list(present))"
        case .unknownTable(let columns):
            "is no table that can be imported; its columns are \(list(columns)). "
                + "A table of sites needs \(list(SiteTable.columns)), one of inspections "
                + "\(list(InspectionTable.columns)), one of findings \(list(FindingTable.columns)). "
                + "If they have other names, say which they are: --as sites --map business_id=NAME"
        case .noText: "is no text: save it as CSV in UTF-8, then import it again."
        case .controlCharacter(let byte, let line):
            "has the control character \(byte) in line \(line), which no text has: remove it there, then import the file again."
        case .unknownLines: "is named for no collection: lines of JSON are in files such as sites.jsonl."
        case .unknownField(let field):
            "There is no column '\(field)' to be mapped. A table of sites has \(list(ImportTable.sites.known)), one of "
                + "inspections \(list(ImportTable.inspections.known)), one of findings "
                + "\(list(ImportTable.findings.known))."
        case .unknownColumn(let column, let present):
            "No file has a column '\(column)'; there are \(list(present))."
        case .leftOut(let count, let first):
            ([count == 1 ? "No record could be made of 1 row:" : "No record could be made of \(count) rows:"]
                + first.map { "  " + $0 } + ["Correct them, or import the others without --strict."])
                .joined(separator: "\n")
        case .formTable: "names the fields of forms only: import forms.jsonl, which has complete forms."
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .tooLarge: "is too large: at most \(FieldRecordsLimits.importFile >> 20) MB can be imported at once."
        case .nothingToImport: "has no .csv or .jsonl file"
        }
    }

    /// `--map address="COLUMN", or --map address= where there is none`.
    private var advice: String {
        guard case .missingColumns(let missing, _) = code, let first = missing.first else { return "" }
        return "--map \(first)=\"COLUMN\", or --map \(first)= where there is none"
    }

    private func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.map(\.shortened).joined(separator: ", ")
    }
}
