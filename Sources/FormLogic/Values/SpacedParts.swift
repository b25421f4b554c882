extension StringProtocol {
    /// The parts between white space, none of them empty.
    package var spacedParts: [String] {
        unicodeScalars.split { $0.properties.isWhitespace }.map { String(String.UnicodeScalarView($0)) }
    }
}
