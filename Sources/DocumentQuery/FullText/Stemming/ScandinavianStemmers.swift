/// Swedish words without their endings.
enum SwedishStemmer {
    private static let vowels = Set<Unicode.Scalar>.letters("aeiouyäåö")
    private static let beforeS = Set<Unicode.Scalar>.letters("bcdfghjklmnoprtvy")
    private static let firsts = Ending.list(
        """
        a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter or as arnas ernas \
        ornas es ades andes ens arens hetens erns at andet het ast s
        """)
    private static let doubles = Ending.list("dd gd nn dt gt kt tt")
    private static let lasts = Ending.list("lig ig els löst fullt")

    static func stem(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var stem = Stem(scandinavian: word, vowels: vowels)
        if let ending = stem.longest(firsts, in: stem.r1), ending != "s" || stem.isBeforeLast(in: beforeS) {
            stem.remove(ending)
        }
        if stem.longest(doubles, in: stem.r1) != nil { stem.letters.removeLast() }
        switch stem.longest(lasts, in: stem.r1) {
        case nil: break
        case "löst", "fullt": stem.letters.removeLast()
        case let ending?: stem.remove(ending)
        }
        return stem.letters
    }
}

/// Norwegian words without their endings.
enum NorwegianStemmer {
    private static let vowels = Set<Unicode.Scalar>.letters("aeiouyæåø")
    private static let beforeS = Set<Unicode.Scalar>.letters("bcdfghjlmnoprtvyz")
    private static let firsts = Ending.list(
        """
        a e ede ande ende ane ene hetene en heten ar er heter as es edes endes enes hetenes ens hetens ers ets et het \
        ast s erte ert
        """)
    private static let doubles = Ending.list("dt vt")
    private static let lasts = Ending.list("leg eleg ig eig lig elig els lov elov slov hetslov")

    static func stem(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var stem = Stem(scandinavian: word, vowels: vowels)
        switch stem.longest(firsts, in: stem.r1) {
        case nil: break
        case "s":
            let isBehindK = stem.ends("k", before: 1) && stem.isConsonant(stem.count - 3)
            if isBehindK || stem.isBeforeLast(in: beforeS) { stem.letters.removeLast() }
        case "erte", "ert": stem.replace(stem.ends("e") ? "erte" : "ert", with: "er")
        case let ending?: stem.remove(ending)
        }
        if stem.longest(doubles, in: stem.r1) != nil { stem.letters.removeLast() }
        if let ending = stem.longest(lasts, in: stem.r1) { stem.remove(ending) }
        return stem.letters
    }
}

/// Danish words without their endings.
enum DanishStemmer {
    private static let vowels = Set<Unicode.Scalar>.letters("aeiouyæåø")
    private static let beforeS = Set<Unicode.Scalar>.letters("abcdfghjklmnoprtvyzå")
    private static let firsts = Ending.list(
        """
        hed ethed ered e erede ende erende ene erne ere en heden eren er heder erer heds es endes erendes enes ernes \
        eres ens hedens erens ers ets erets et eret s
        """)
    private static let doubles = Ending.list("gd dt gt kt")
    private static let lasts = Ending.list("ig lig elig els løst")

    static func stem(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var stem = Stem(scandinavian: word, vowels: vowels)
        if let ending = stem.longest(firsts, in: stem.r1), ending != "s" || stem.isBeforeLast(in: beforeS) {
            stem.remove(ending)
        }
        if stem.longest(doubles, in: stem.r1) != nil { stem.letters.removeLast() }
        if stem.ends("igst") { stem.letters.removeLast(2) }
        switch stem.longest(lasts, in: stem.r1) {
        case nil: break
        case "løst": stem.letters.removeLast()
        case let ending?:
            stem.remove(ending)
            if stem.longest(doubles, in: stem.r1) != nil { stem.letters.removeLast() }
        }
        let last = stem.count - 1
        if last >= stem.r1, last > 0, stem.isConsonant(last), stem.letters[last] == stem.letters[last - 1] {
            stem.letters.removeLast()
        }
        return stem.letters
    }
}

extension Stem {
    /// The first region begins behind at least three letters.
    fileprivate init(scandinavian word: [Letter], vowels: Set<Letter>) {
        self.init(word, vowels: vowels)
        r1 = max(behindVowelAndConsonant(from: 0), min(3, count))
    }

    /// Whether the letter before the last one is one of those.
    fileprivate func isBeforeLast(in letters: Set<Letter>) -> Bool {
        count > 1 && letters.contains(self.letters[count - 2])
    }
}
