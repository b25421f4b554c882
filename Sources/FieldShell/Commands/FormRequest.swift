import DocumentValues

/// An action on forms of questions.
public enum FormRequest: Sendable, Hashable {
    case importFile(FormFileRequest)
    /// `paths` are files, or folders with `survey.csv`.
    case check(paths: [String], FormFileRequest)
    /// A name, or `name@version`; as a text that can be taken in again, or for a person.
    case show(form: String, asYAML: Bool = false)
    case list
    case export(FormExportRequest)
    case evaluate(EvaluationRequest)
    /// Fills a form, or its file, without saving.
    case attempt(FillRequest)
}

/// A file with a form, and how it is read.
public struct FormFileRequest: Sendable, Hashable {
    @Exact public private(set) var path: String
    /// Instead of the version and the id in the file.
    @Exact public internal(set) var version: String?
    @Exact public internal(set) var formID: String?
    /// The folder of the files that the form names.
    @Exact public internal(set) var media: String?
    public internal(set) var skipsUnsupported = false
    public internal(set) var ignoresEncryption = false
    /// Only look what would be taken in.
    public internal(set) var isTrial = false

    init(path: String) { self.path = path }
}

/// A form that is written as a file.
public struct FormExportRequest: Sendable, Hashable {
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case xlsx
        case yaml
        case csv
        case xml
    }

    @Exact public private(set) var form: String
    public let format: Format
    /// `nil` for the standard output.
    @Exact public private(set) var output: String?

    init(form: String, format: Format, output: String?) {
        self.form = form
        self.format = format
        self.output = output
    }
}
