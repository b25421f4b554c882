import DocumentValues
import FormLogic
import Testing

/// Findings as lines for people and for programs.
@Suite struct FindingLinesTests {
    private static let findings = [
        FormFinding(
            .unknownReference, at: .text(line: 29, column: 19),
            message: "relevant of 'a': no question is called 'cold_tmp'.",
            hint: "Did you mean 'cold_temp'?"),
        FormFinding(.unparsable, at: .cell(sheet: "survey", row: 14, column: 33), message: "'/' is no division"),
        FormFinding(.comparedByDay, at: .row(sheet: "survey", row: 14, heading: "relevant"), message: "By day."),
        FormFinding(.badStructure, at: .file, message: "No \u{1B}[1m questions."),
    ]

    @Test func linesNameFileAndPosition() {
        #expect(
            FindingLines(file: "f.yaml", findings: Self.findings).lines == [
                "f.yaml:29:19: error F110: relevant of 'a': no question is called 'cold_tmp'. Did you mean 'cold_temp'?",
                "f.yaml: survey!AG14: error F112: '/' is no division",
                "f.yaml: survey row 14, relevant: warning W202: By day.",
                "f.yaml: error F124: No ?[1m questions.",
            ])
    }

    @Test func jsonHasAMemberForEachPart() {
        #expect(
            FindingLines(file: "f.yaml", findings: Self.findings).jsonLines == [
                #"{"file":"f.yaml","line":29,"column":19,"severity":"error","code":"F110","#
                    + #""message":"relevant of 'a': no question is called 'cold_tmp'.","hint":"Did you mean 'cold_temp'?"}"#,
                #"{"file":"f.yaml","line":14,"sheet":"survey","cell":"AG14","severity":"error","code":"F112","#
                    + #""message":"'/' is no division"}"#,
                #"{"file":"f.yaml","line":14,"column":"relevant","sheet":"survey","severity":"warning","code":"W202","#
                    + #""message":"By day."}"#,
                #"{"file":"f.yaml","severity":"error","code":"F124","message":"No \u001b[1m questions."}"#,
            ])
    }

    @Test func findingsAreCounted() {
        var findings = FormFindings()
        for finding in Self.findings + Self.findings { findings.add(finding) }
        #expect((findings.errors, findings.warnings) == (3, 1))
        #expect(
            findings.shown.map(\.position)
                == [Self.findings[3], Self.findings[1], Self.findings[2], Self.findings[0]].map(\.position).sorted())
        var count = FindingCount()
        count.add(findings)
        #expect(count.line == "1 file read, 3 errors, 1 warning.")
        count.add(FormFindings())
        #expect(count.line == "2 files read, 3 errors, 1 warning.")
        #expect(FindingCount().line == "no files read, no errors, no warnings.")
    }

    @Test func onlyTheFirstAreShown() {
        var findings = FormFindings()
        for line in (1...1_000).reversed() {
            findings.add(FormFinding(.badName, at: .text(line: line, column: 1), message: "bad"))
        }
        #expect(findings.errors == 1_000)
        #expect(findings.shown.map(\.position.line) == Array(1...CheckLimits.findings))
    }

    /// Of a form with many warnings an author sees first what keeps it from being taken in.
    @Test func warningsTakeNoRoomFromErrors() {
        var findings = FormFindings()
        for line in 1...(CheckLimits.gathered + 1) {
            findings.add(FormFinding(.missingLabel, at: .text(line: line, column: 1), message: "bare"))
        }
        #expect(findings.hidden == FindingTally(errors: 0, warnings: CheckLimits.gathered + 1 - CheckLimits.findings))
        for line in [20_000, 3, 20_001] {
            findings.add(FormFinding(.badName, at: .text(line: line, column: 2), message: "bad"))
        }
        var merged = FormFindings()
        merged.merge(findings)
        for findings in [findings, merged] {
            let shown = findings.shown
            #expect(shown.count == CheckLimits.findings)
            #expect(shown.filter { $0.severity == .error }.map(\.position.line) == [3, 20_000, 20_001])
            #expect(shown.map(\.position) == shown.map(\.position).sorted())
            #expect(findings.hidden.errors == 0 && findings.hidden.warnings == CheckLimits.gathered - 96)
        }
        #expect(FindingTally(errors: 0, warnings: 0).text == nil)
        #expect(FindingTally(errors: 1, warnings: 20).text == "1 more error and 20 more warnings")
        #expect(FindingTally(errors: 0, warnings: 1).text == "1 more warning")
    }

    @Test(arguments: [(1, "A"), (26, "Z"), (27, "AA"), (52, "AZ"), (702, "ZZ"), (703, "AAA")])
    func columnsHaveLetters(column: Int, letters: String) {
        #expect(SourcePosition.letters(ofColumn: column) == letters)
    }
}
