/// The findings about one form.
package struct FormFindings: Sendable {
    private var gathered: [FormFinding] = []
    /// Of those gathered.
    private var gatheredErrors = 0
    private var seen: Set<FormFinding> = []
    /// Of all findings, also of those beyond the limit.
    package private(set) var errors = 0
    package private(set) var warnings = 0

    package init() {}

    /// Adds a finding unless the same is there already.
    package mutating func add(_ finding: FormFinding) {
        // Of each severity so many, so that warnings take no room from errors.
        let others = finding.severity == .error ? gatheredErrors : gathered.count - gatheredErrors
        guard others < CheckLimits.gathered else { return count(finding) }
        guard seen.insert(finding).inserted else { return }
        if finding.severity == .error { gatheredErrors += 1 }
        count(finding)
        gathered.append(finding)
    }

    package mutating func add(contentsOf findings: some Sequence<FormFinding>) {
        for finding in findings { add(finding) }
    }

    /// Adds all of another reader's findings.
    package mutating func merge(_ others: FormFindings) {
        for finding in others.gathered { add(finding) }
        errors += others.errors - others.gatheredErrors
        warnings += others.warnings - (others.gathered.count - others.gatheredErrors)
    }

    private mutating func count(_ finding: FormFinding) {
        switch finding.severity {
        case .error: errors += 1
        case .warning: warnings += 1
        }
    }

    /// The first `CheckLimits.findings`, in the order of their positions: errors, and then warnings as far as there is room,
    /// since errors keep a form from being taken in.
    package var shown: [FormFinding] {
        let sorted = gathered.enumerated().sorted {
            ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
        }
        var room = [FindingSeverity.error: min(gatheredErrors, CheckLimits.findings)]
        room[.warning] = CheckLimits.findings - min(gatheredErrors, CheckLimits.findings)
        return sorted.map(\.element).filter { finding in
            guard let left = room[finding.severity], left > 0 else { return false }
            room[finding.severity] = left - 1
            return true
        }
    }

    /// How many are not shown.
    package var hidden: FindingTally {
        let shown = shown
        let shownErrors = shown.count { $0.severity == .error }
        return FindingTally(errors: errors - shownErrors, warnings: warnings - (shown.count - shownErrors))
    }

    package var isEmpty: Bool { errors + warnings == 0 }
    package var hasErrors: Bool { errors > 0 }
}

/// Numbers of findings.
package struct FindingTally: Sendable, Hashable {
    package let errors: Int
    package let warnings: Int

    package init(errors: Int, warnings: Int) {
        self.errors = errors
        self.warnings = warnings
    }

    /// `3 more errors and 120 more warnings`; `nil` for none.
    package var text: String? {
        let parts = [(errors, "more error"), (warnings, "more warning")].filter { $0.0 > 0 }
        guard !parts.isEmpty else { return nil }
        return parts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " and ")
    }
}
