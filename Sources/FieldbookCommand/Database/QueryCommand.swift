import ArgumentParser
import DocumentValues
import Fieldbook
import FieldShell

/// `fieldbook db query`
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Runs a query in SQL++.",
        discussion: """
            For example: fieldbook db query DIR 'SELECT name FROM field.sites WHERE region = $r' --param 'r="north"'

            In a terminal the rows come page by page. --csv has texts as they are, even those that a spreadsheet would run \
            as a formula; with --spreadsheet these have an apostrophe in front.

            With --lines each line of standard input is an object {"id": …, "text": "SELECT …", "parameters": {…}}, and \
            its answer one of standard output: {"id": …, "columns": […], "rows": [[…]], "missing": [[row, column]]} or \
            {"id": …, "error": {…}}. "language": "json" means the JSON form of queries; "explain": true adds the \
            indexes that are used.
            """)

    @OptionGroup var folder: DatabaseOptions

    @Argument(help: "The query; not with --lines.")
    var text: String?

    @Option(
        name: .customLong("param"),
        help: ArgumentHelp(
            "The value of a parameter, as JSON; may be given several times.", valueName: "name=json"),
        transform: ParameterArgument.init(parsing:))
    var parameters: [ParameterArgument] = []

    @Flag(help: "One object a line, of the columns by their names.")
    var json = false

    @Flag(help: "Comma-separated values, the columns' names first.")
    var csv = false

    @Flag(help: "With --csv: an apostrophe in front of texts that a spreadsheet would run.")
    var spreadsheet = false

    @Flag(help: "How the query runs instead of its results: SQL, plan and indexes.")
    var explain = false

    @Flag(help: "Queries and answers as lines of JSON.")
    var lines = false

    @Option(
        help: ArgumentHelp(
            "How long a query may look for its rows; with --lines 60 unless given, otherwise as long as it takes.",
            valueName: "seconds"))
    var timeLimit: Double?

    func validate() throws {
        if lines, text != nil || json || csv || spreadsheet || explain || !parameters.isEmpty {
            throw ValidationError("--lines goes with --time-limit alone: each line says what it wants.")
        }
        if !lines, text == nil { throw ValidationError("Give a query, or --lines.") }
        if let timeLimit, !(timeLimit > 0 && timeLimit < 1e9) {
            throw ValidationError("--time-limit is a number of seconds above 0.")
        }
        if json, csv { throw ValidationError("Choose --json or --csv.") }
        if spreadsheet, !csv { throw ValidationError("--spreadsheet goes with --csv.") }
    }

    func run() throws { try folder.use { try run(in: $0) } }

    private func run(in database: Database) throws {
        guard let text else {
            let limit = timeLimit ?? DatabaseCommandLimits.secondsOfLine
            return try QueryLines(database: database, timeLimit: limit).run()
        }
        let query = try compiled(text, in: database)
        query.timeLimit = timeLimit.map { .seconds($0) }
        let values = Parameters()
        for parameter in parameters { values.setValue(parameter.value, forName: parameter.name) }
        query.parameters = values
        if explain { return StandardOutput.line(try query.explain().printable) }
        let results = try query.execute()
        writer.write(results)
        if let error = results.error { throw error }
    }

    private func compiled(_ text: String, in database: Database) throws -> Query {
        do { return try database.createQuery(text) } catch let error as StoreError {
            if let fault = QueryFault(error, in: text) { throw fault }
            throw error
        }
    }

    private var writer: any ResultWriter {
        if json { return JSONResultWriter() }
        return csv ? CSVResultWriter(isForSpreadsheet: spreadsheet) as any ResultWriter : TextResultWriter()
    }
}

/// `name=json`
struct ParameterArgument {
    let name: String
    let value: JSONValue

    init(parsing argument: String) throws {
        guard let sign = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            throw ValidationError("A parameter has an equals sign behind its name: --param 'name=\"Hull\"'.")
        }
        name = String(argument[..<sign])
        let text = String(argument[argument.utf8.index(after: sign)...])
        do { value = try JSONValue(parsing: Array(text.utf8), halves: .refused) } catch {
            throw ValidationError(
                "The value must be JSON, where a text has quotation marks: --param \(Self.quoted(name, text: text)).")
        }
    }

    /// As a shell takes it.
    private static func quoted(_ name: String, text: String) -> String {
        let argument = "\(name)=\(JSONValue.string(text))".printableLine
        let parts = argument.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false).map { String($0) }
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}
