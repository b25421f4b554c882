import DocumentValues

/// A consent, in the languages of the months' names.
enum YesOrNo {
    case yes, no

    /// `nil` for another text.
    ///
    /// - Parameter folded: as `FoldedText` gives it.
    init?(_ folded: String) {
        if Self.consents.contains(where: { $0.isExactly(folded) }) {
            self = .yes
        } else if Self.refusals.contains(where: { $0.isExactly(folded) }) {
            self = .no
        } else {
            return nil
        }
    }

    private static let consents = ["y", "yes", "ok", "j", "ja", "oui", "si", "sim"]
    private static let refusals = ["n", "no", "nein", "non", "nao", "nee"]
}
