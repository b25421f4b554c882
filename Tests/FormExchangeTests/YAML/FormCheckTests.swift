import DocumentValues
import FormLogic
import Testing

@testable import FormExchange

/// What the checker finds in forms, a smallest form for each code.
@Suite struct FormCheckTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let code: String
        let form: String
        /// `line:column message`, with the hint.
        let finding: String

        init(_ code: String, form: String, finding: String) {
            self.code = code
            self.form = form
            self.finding = finding
        }

        var testDescription: String { "\(code) \(finding)" }
    }

    @Test(arguments: Case.all)
    func findingsAreReported(test: Case) throws {
        let findings = FormChecker.findings(of: FormYAML.read(test.form)).shown
        let lines = findings.map { finding -> String in
            guard case .text(let line, let column) = finding.position else { return "? \(finding.text)" }
            return "\(finding.code.rawValue) \(line):\(column) \(finding.text)"
        }
        #expect(lines == ["\(test.code) \(test.finding)"])
    }

    @Test func everyCodeHasACase() {
        // Those of sheets and XForms, and what is warned only in them.
        let others: Set<FindingCode> = [.badColumn, .ignored, .missingLabel]
        let covered = Set(Case.all.compactMap { FindingCode(rawValue: $0.code) })
        #expect(Set(FindingCode.allCases).subtracting(others).subtracting(covered) == [])
    }
}
