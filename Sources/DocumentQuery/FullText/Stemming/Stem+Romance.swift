/// Rules that several Romance languages share.
extension Stem {
    private static let adjectives = Ending.list("os ic ad")
    private static let qualities = Ending.list("abil ic iv")

    /// As Spanish and Portuguese have them: adverbs, nouns of a quality (`idad`, `idade`) and adjectives in `ivo`.
    ///
    /// - Parameter adverbs: endings before `mente`.
    /// - Returns: whether the ending is one of these, removed or not.
    mutating func takeIberian(_ ending: Ending, adverbs: [Ending]) -> Bool {
        switch String(ending.letters) {
        case "amente": if removeIf(ending, in: r1) { takeBeforeAmente(Self.adjectives) }
        case "mente": if removeIf(ending, in: r2) { removeLongest(adverbs, in: r2) }
        case "idad", "idade", "idades": takeQuality(ending)
        case "iva", "ivo", "ivas", "ivos": if removeIf(ending, in: r2) { removeIf("at", in: r2) }
        default: return false
        }
        return true
    }

    /// `idad`, `idade`, `ità`.
    mutating func takeQuality(_ ending: Ending) {
        if removeIf(ending, in: r2) { removeLongest(Self.qualities, in: r2) }
    }

    /// - Parameter adjectives: endings, of which one is removed if there is neither `ativ` nor `iv`.
    mutating func takeBeforeAmente(_ adjectives: [Ending]) {
        if ends("iv") {
            if removeIf("iv", in: r2) { removeIf("at", in: r2) }
        } else {
            removeLongest(adjectives, in: r2)
        }
    }
}
