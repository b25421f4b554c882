import DocumentValues

/// Why a file cannot be read as a form at all; faults in the form itself are findings.
package struct FormFileError: UserFacingError {
    package let file: String
    package let cause: Cause

    package enum Cause: Sendable {
        /// The workbook of a spreadsheet before 2007, in a format of its own.
        case oldWorkbook
        case unknownKind
        case damagedArchive(String)
        case sealedArchive
        case missingPart(String)
        case damagedPart(String, String)
        case damagedMarkup(line: Int, String)
        case typeDefinition
        case encoding(String)
        case tooLarge(String, limit: String)
        case noSheet([String])
        case notAForm(String)
    }

    package init(_ cause: Cause, file: String) {
        self.cause = cause
        self.file = file
    }

    /// The line of a text at which its reading ends.
    package var line: Int? { if case .damagedMarkup(let line, _) = cause { line } else { nil } }

    package var description: String { Sentences.joined("\(file.printableLine): \(reason)", hint: remedy) }

    private var reason: String {
        switch cause {
        case .oldWorkbook: "this is a workbook of the format before 2007"
        case .unknownKind: "this is no kind of file that holds a form"
        case .damagedArchive(let detail): "the workbook's archive is damaged: \(detail.printableLine)"
        case .sealedArchive: "the workbook is protected by a password"
        case .missingPart(let part): "the workbook has no part '\(part.printableLine)'"
        case .damagedPart(let part, let detail):
            "the workbook's part '\(part.printableLine)' is damaged: \(detail.printableLine)"
        case .damagedMarkup(let line, let detail): "line \(line): this is no well-formed XML: \(detail.printableLine)"
        case .typeDefinition: "it begins with a document type (DTD), which may refer to other files"
        case .encoding(let name): "its text is encoded as '\(name.printableLine)'"
        case .tooLarge(let part, let limit): "\(part.printableLine) is larger than the limit of \(limit)"
        case .noSheet(let names): "it has no sheet 'survey'\(Self.listing(names))"
        case .notAForm(let detail): "this is no form: \(detail.printableLine)"
        }
    }

    private static func listing(_ names: [String]) -> String {
        names.isEmpty
            ? ""
            : ", only \(names.prefix(5).map { "'\($0.printableLine.shortened(toScalars: 40))'" }.joined(separator: ", "))"
    }

    private var remedy: String? {
        switch cause {
        case .oldWorkbook:
            "Save it as .xlsx, or run: soffice --headless --convert-to xlsx '\(file.printableLine)'"
        case .unknownKind: "A form is an .xlsx, .ods, .csv, .md, .xml or .yaml file, or a folder with survey.csv"
        case .damagedArchive, .missingPart, .damagedPart: "Open it in a spreadsheet and save it again"
        case .sealedArchive: "Save it without the password"
        case .damagedMarkup: "Convert the form to XML again"
        case .typeDefinition: "Remove the line that begins with <!DOCTYPE"
        case .encoding: "Save it as UTF-8"
        case .tooLarge: "Long lists of choices are better kept in a CSV file beside the form"
        case .noSheet: "Name the sheet with the questions 'survey'"
        case .notAForm: nil
        }
    }
}
