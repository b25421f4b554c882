/// The findings about one form.
package struct FormFindings: Sendable {
    private var gathered: [FormFinding] = []
    private var seen: Set<FormFinding> = []
    /// Of all findings, also of those beyond the limit.
    package private(set) var errors = 0
    package private(set) var warnings = 0

    package init() {}

    /// Adds a finding unless the same is there already.
    package mutating func add(_ finding: FormFinding) {
        guard seen.count < CheckLimits.gathered else { return count(finding) }
        guard seen.insert(finding).inserted else { return }
        count(finding)
        gathered.append(finding)
    }

    package mutating func add(contentsOf findings: some Sequence<FormFinding>) {
        for finding in findings { add(finding) }
    }

    /// Adds all of another reader's findings.
    package mutating func merge(_ others: FormFindings) {
        for finding in others.gathered { add(finding) }
        errors += others.errors - others.gathered.count { $0.severity == .error }
        warnings += others.warnings - others.gathered.count { $0.severity == .warning }
    }

    private mutating func count(_ finding: FormFinding) {
        switch finding.severity {
        case .error: errors += 1
        case .warning: warnings += 1
        }
    }

    /// The first `CheckLimits.findings`, in the order of their positions.
    package var shown: [FormFinding] {
        let sorted = gathered.enumerated().sorted {
            ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
        }
        return sorted.prefix(CheckLimits.findings).map(\.element)
    }

    package var isEmpty: Bool { errors + warnings == 0 }
    package var hasErrors: Bool { errors > 0 }
}
