import DocumentValues

/// The form of a user's mail address: a name and a host of letters, digits and a few signs, as in Sync Gateway.
package enum MailAddress {
    /// Checks scalars: a regular expression of Swift works on characters with all their combining marks, and takes time with
    /// the square of these.
    package static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= GatewayLimits.mailAddress else { return false }
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].count > 1, let first = parts[1].first else { return false }
        return parts[0].allSatisfy { isPartOfWord($0) || $0 == "-" || $0 == "." || $0 == "+" }
            && isPartOfWord(first) && parts[1].allSatisfy { isPartOfWord($0) || $0 == "-" || $0 == "." }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation: true
        default: scalar.properties.isAlphabetic
        }
    }
}
