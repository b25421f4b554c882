/// Portuguese words without their endings.
enum PortugueseStemmer {
    private static let vowels = Set<Unicode.Scalar>.letters("aeiouáéíóúâêô")
    private static let vowelEndings = Ending.list("os a i o á í ó")
    private static let rests = Ending.list("e é ê")
    private static let adverbs = Ending.list("ante avel ível")

    static func stem(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        // A nasal vowel counts as a vowel and a consonant, which makes it nasal.
        let letters = word.flatMap { $0 == "ã" ? ["a", "~"] : $0 == "õ" ? ["o", "~"] : [$0] } as [Unicode.Scalar]
        var stem = Stem(letters, vowels: vowels)
        stem.markRegions()
        stem.markRomanceRegion()
        var isAltered = takeStandard(&stem)
        if !isAltered, let ending = stem.longest(verbs, in: stem.rv) {
            stem.remove(ending)
            isAltered = true
        }
        if isAltered {
            if stem.ends("ci"), stem.ends("i", in: stem.rv) { stem.letters.removeLast() }
        } else if let ending = stem.longest(vowelEndings, in: stem.rv) {
            stem.remove(ending)
        }
        takeRest(&stem)
        return withNasalVowels(stem.letters)
    }

    private static func withNasalVowels(_ letters: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        for letter in letters {
            switch (letter, result.last) {
            case ("~", "a"): result[result.count - 1] = "ã"
            case ("~", "o"): result[result.count - 1] = "õ"
            default: result.append(letter)
            }
        }
        return result
    }

    private static let nouns = Ending.list(
        """
        eza ezas ico ica icos icas ismo ismos ável ível ista istas oso osa osos osas amento amentos imento imentos \
        adora ador aça~o adoras adores aço~es ante antes ância logia logias uça~o uço~es ência ências amente mente \
        idade idades iva ivo ivas ivos ira iras
        """)

    private static func takeStandard(_ stem: inout Stem) -> Bool {
        guard let ending = stem.longest(nouns) else { return false }
        let before = stem.letters
        switch String(ending.letters) {
        case "logia", "logias": if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "log") }
        case "uça~o", "uço~es": if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "u") }
        case "ência", "ências": if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "ente") }
        case "ira", "iras":
            if stem.ends(ending, in: stem.rv), stem.ends("e", before: ending.letters.count) {
                stem.replace(ending, with: "ir")
            }
        default: if !stem.takeIberian(ending, adverbs: adverbs) { stem.removeIf(ending, in: stem.r2) }
        }
        return stem.letters != before
    }

    private static let verbs = Ending.list(
        """
        ada ida ia aria eria iria ará ara erá era irá ava asse esse isse aste este iste ei arei erei irei am iam ariam \
        eriam iriam aram eram iram avam em arem erem irem assem essem issem ado ido ando endo indo ara~o era~o ira~o ar \
        er ir as adas idas ias arias erias irias arás aras erás eras irás avas es ardes erdes irdes ares eres ires \
        asses esses isses astes estes istes is ais eis íeis aríeis eríeis iríeis áreis areis éreis ereis íreis ireis \
        ásseis ésseis ísseis áveis ados idos ámos amos íamos aríamos eríamos iríamos áramos éramos íramos ávamos emos \
        aremos eremos iremos ássemos êssemos íssemos imos armos ermos irmos eu iu ou ira iras
        """)

    private static func takeRest(_ stem: inout Stem) {
        if stem.ends("ç") {
            stem.letters[stem.count - 1] = "c"
        } else if let ending = stem.longest(rests, in: stem.rv) {
            stem.remove(ending)
            if stem.ends("gu"), stem.ends("u", in: stem.rv) {
                stem.letters.removeLast()
            } else if stem.ends("ci"), stem.ends("i", in: stem.rv) {
                stem.letters.removeLast()
            }
        }
    }
}
