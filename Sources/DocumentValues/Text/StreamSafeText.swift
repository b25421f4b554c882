extension StringProtocol {
    /// The text with at most 30 combining marks in a row, as in Unicode's Stream-Safe Text Format (UAX #15, section 13).
    ///
    /// No language writes more, and whatever orders marks (composing, comparing as people read) takes the square of a
    /// longer run.
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

    /// Something that is ordered among its neighbours of the same kind; there are none before the combining accents.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
    }
}
