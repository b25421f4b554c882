import DocumentValues

/// The things that functions use beside their arguments, and those that they leave: reports, spent steps, the next random
/// number.
package struct FunctionState: Sendable {
    package let conversions: Conversions
    /// Milliseconds since 1970, the same during one recomputation.
    package var now: Int64
    /// The language of names of months and days.
    package var language: Name?
    package var random: FormRandom
    /// None twice.
    package private(set) var reports: [Report] = []
    /// Steps that are left; each node that is looked at is one.
    package private(set) var steps: Int

    package init(
        conversions: Conversions, now: Int64, language: Name? = nil, random: FormRandom, steps: Int = FormLimits.steps
    ) {
        self.conversions = conversions
        self.now = now
        self.language = language
        self.random = random
        self.steps = steps
    }

    package mutating func report(_ code: Report.Code, in function: Report.FunctionName) {
        let report = Report(code, in: function)
        if !reports.contains(report), reports.count < FormLimits.reports { reports.append(report) }
    }

    package mutating func takeReports() -> [Report] {
        defer { reports = [] }
        return reports
    }

    /// Whether there are so many steps left; they are spent then.
    package mutating func spend(_ count: Int) -> Bool {
        guard steps >= count else {
            steps = 0
            report(.limit, in: "steps")
            return false
        }
        steps -= count
        return true
    }

    package mutating func refill(_ steps: Int = FormLimits.steps) { self.steps = steps }
}

/// Random numbers from a seed.
package struct FormRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0 up to 1.
    package mutating func fraction() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
