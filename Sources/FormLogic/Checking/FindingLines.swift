import DocumentValues

/// The findings about one file as lines for people and for programs.
package struct FindingLines: Sendable {
    /// The file as the person named it.
    package let file: String
    package let findings: [FormFinding]

    package init(file: String, findings: [FormFinding]) {
        self.file = file
        self.findings = findings
    }

    /// `kitchen.yaml:29:19: error F110: …`, `water.xlsx: survey!G14: error F110: …`,
    /// `water.csv: survey row 14, relevant: error F110: …`, each safe to print.
    package var lines: [String] { findings.map { line(of: $0) } }

    /// An object a line with `file`, `line`, `column`, `sheet`, `cell`, `severity`, `code`, `message` and `hint`; members
    /// without a value are left out. `column` is a number in a text, and the heading of a column in a CSV file.
    package var jsonLines: [String] { findings.map { object(of: $0).description.printableJSON } }

    private func line(of finding: FormFinding) -> String {
        let rest = "\(finding.severity.rawValue) \(finding.code.rawValue): \(finding.text)"
        let line =
            switch finding.position {
            case .file: "\(file): \(rest)"
            case .text(let line, let column): "\(file):\(line):\(column): \(rest)"
            case .cell(let sheet, _, _): "\(file): \(sheet.text)!\(finding.position.cellName ?? ""): \(rest)"
            case .row(let sheet, let row, let heading?): "\(file): \(sheet.text) row \(row), \(heading.text): \(rest)"
            case .row(let sheet, let row, nil): "\(file): \(sheet.text) row \(row): \(rest)"
            }
        return line.printableLine
    }

    private func object(of finding: FormFinding) -> JSONObject {
        var members: [(String, JSONValue?)] = [("file", .string(file))]
        switch finding.position {
        case .file: break
        case .text(let line, let column): members += [("line", .int(line)), ("column", .int(column))]
        case .cell(let sheet, let row, _):
            members += [("line", .int(row)), ("sheet", .string(sheet.text))]
            members.append(("cell", finding.position.cellName.map { .string($0) }))
        case .row(let sheet, let row, let heading):
            members += [("line", .int(row)), ("column", heading.map { .string($0.text) })]
            members.append(("sheet", .string(sheet.text)))
        }
        members += [
            ("severity", .string(finding.severity.rawValue)), ("code", .string(finding.code.rawValue)),
            ("message", .string(finding.message)), ("hint", finding.hint.map { .string($0) }),
        ]
        return JSONObject(
            members: members.compactMap { key, value in value.map { JSONObject.Member(key: key, value: $0) } })
    }
}

/// How many findings there were in all files: the last line of a check.
package struct FindingCount: Sendable, Hashable {
    package var files = 0
    package var errors = 0
    package var warnings = 0

    package init() {}

    package mutating func add(_ findings: FormFindings) {
        files += 1
        errors += findings.errors
        warnings += findings.warnings
    }

    /// `2 files read, 4 errors, 1 warning.`
    package var line: String {
        [
            Self.counted(files, noun: "file") + " read", Self.counted(errors, noun: "error"),
            Self.counted(warnings, noun: "warning"),
        ].joined(separator: ", ") + "."
    }

    private static func counted(_ count: Int, noun: String) -> String {
        "\(count == 0 ? "no" : String(count)) \(noun)\(count == 1 ? "" : "s")"
    }
}
