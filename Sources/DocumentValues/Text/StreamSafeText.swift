extension StringProtocol {
    /// The text with at most 30 combining marks in a row, as in Unicode's Stream-Safe Text Format (UAX #15, section 13).
    ///
    /// No language needs more, and functions that sort marks (to compose or compare text) take time with the square of
    /// a run's length.
    public var streamSafe: String {
        guard utf8.count > StreamSafe.marks, !utf8.allSatisfy({ $0 < 0x80 }) else { return String(self) }
        var kept = String.UnicodeScalarView()
        var run = 0
        for scalar in unicodeScalars {
            run = StreamSafe.isMark(scalar) ? run + 1 : 0
            if run <= StreamSafe.marks { kept.append(scalar) }
        }
        return String(kept)
    }
}

private enum StreamSafe {
    static let marks = 30

    /// Whether the scalar is a mark that is sorted among its neighbours; there are none before the combining accents.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
    }
}
