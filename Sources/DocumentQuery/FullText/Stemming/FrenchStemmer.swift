/// French words without their endings.
enum FrenchStemmer {
    private static let vowels = Set<Unicode.Scalar>.letters("aeiouyâàëéêèïîôûù")
    private static let doubles = Ending.list("enn onn ett ell eill")
    private static let beforeS = Set<Unicode.Scalar>.letters("aiouès")
    private static let rests = Ending.list("ion ier ière Ier Ière e ë")

    static func stem(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var stem = Stem(word, vowels: vowels)
        stem.capitalize("u") { stem, index in
            stem.isBetweenVowels(index) || index > 0 && stem.letters[index - 1] == "q"
        }
        stem.capitalize("i") { $0.isBetweenVowels($1) }
        stem.capitalize("y") { $0.isVowel($1 - 1) || $0.isVowel($1 + 1) }
        stem.markRegions()
        markRegion(&stem)
        let before = stem.letters
        let goesOn = takeStandard(&stem)
        if goesOn, !takeVerbInI(&stem) { takeVerb(&stem) }
        if stem.letters != before {
            if stem.ends("Y") { stem.letters[stem.count - 1] = "i" }
            if stem.ends("ç") { stem.letters[stem.count - 1] = "c" }
        } else {
            takeRest(&stem)
        }
        if doubles.contains(where: { stem.ends($0) }) { stem.letters.removeLast() }
        removeAccent(&stem)
        stem.lowercaseMarks([("U", "u"), ("I", "i"), ("Y", "y")])
        return stem.letters
    }

    private static func markRegion(_ stem: inout Stem) {
        let beginning = String(Array(stem.letters.prefix(3)))
        if stem.count > 2, stem.isVowel(0) && stem.isVowel(1) || ["par", "col", "tap"].contains(beginning) {
            stem.rv = 3
        } else if let vowel = stem.letters.indices.dropFirst().first(where: { stem.isVowel($0) }) {
            stem.rv = vowel + 1
        }
    }

    // MARK: Nouns

    private static let nouns = Ending.list(
        """
        ance iqUe isme able iste eux ances iqUes ismes ables istes atrice ateur ation atrices ateurs ations logie \
        logies usion ution usions utions ence ences ement ements ité ités if ive ifs ives eaux aux euse euses \
        issement issements amment emment ment ments
        """)

    /// - Returns: whether endings of verbs are to be removed, too.
    private static func takeStandard(_ stem: inout Stem) -> Bool {
        guard let ending = stem.longest(nouns) else { return true }
        let before = stem.letters
        switch String(ending.letters) {
        case "atrice", "ateur", "ation", "atrices", "ateurs", "ations":
            if stem.removeIf(ending, in: stem.r2) { takeIc(&stem) }
        case "logie", "logies": if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "log") }
        case "usion", "ution", "usions", "utions":
            if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "u") }
        case "ence", "ences": if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "ent") }
        case "ement", "ements": if stem.removeIf(ending, in: stem.rv) { takeBeforeEment(&stem) }
        case "ité", "ités": if stem.removeIf(ending, in: stem.r2) { takeBeforeIte(&stem) }
        case "if", "ive", "ifs", "ives":
            if stem.removeIf(ending, in: stem.r2), stem.removeIf("at", in: stem.r2) { takeIc(&stem) }
        case "eaux": stem.letters.removeLast()
        case "aux": if stem.ends(ending, in: stem.r1) { stem.replace(ending, with: "al") }
        case "euse", "euses":
            if !stem.removeIf(ending, in: stem.r2), stem.ends(ending, in: stem.r1) {
                stem.replace(ending, with: "eux")
            }
        case "issement", "issements":
            if stem.isConsonant(stem.count - ending.letters.count - 1) { stem.removeIf(ending, in: stem.r1) }
        case "amment":
            if stem.ends(ending, in: stem.rv) { stem.replace(ending, with: "ant") }
            return true
        case "emment":
            if stem.ends(ending, in: stem.rv) { stem.replace(ending, with: "ent") }
            return true
        case "ment", "ments":
            let vowel = stem.count - ending.letters.count - 1
            if vowel >= stem.rv, stem.isVowel(vowel) { stem.remove(ending) }
            return true
        default: stem.removeIf(ending, in: stem.r2)
        }
        return stem.letters == before
    }

    private static func takeIc(_ stem: inout Stem) {
        guard stem.ends("ic") else { return }
        if !stem.removeIf("ic", in: stem.r2) { stem.replace("ic", with: "iqU") }
    }

    private static func takeBeforeEment(_ stem: inout Stem) {
        if stem.ends("iv") {
            if stem.removeIf("iv", in: stem.r2) { stem.removeIf("at", in: stem.r2) }
        } else if stem.ends("eus") {
            if !stem.removeIf("eus", in: stem.r2), stem.ends("eus", in: stem.r1) { stem.replace("eus", with: "eux") }
        } else if stem.ends("abl") || stem.ends("iqU") {
            stem.removeIf(stem.ends("abl") ? "abl" : "iqU", in: stem.r2)
        } else if stem.ends("ièr", in: stem.rv) || stem.ends("Ièr", in: stem.rv) {
            stem.replace("ièr", with: "i")
        }
    }

    private static func takeBeforeIte(_ stem: inout Stem) {
        if stem.ends("abil") {
            if !stem.removeIf("abil", in: stem.r2) { stem.replace("abil", with: "abl") }
        } else if stem.ends("ic") {
            takeIc(&stem)
        } else {
            stem.removeIf("iv", in: stem.r2)
        }
    }

    // MARK: Verbs

    private static let verbsInI = Ending.list(
        """
        îmes ît îtes i ie ies ir ira irai iraIent irais irait iras irent irez iriez irions irons iront is issaIent \
        issais issait issant issante issantes issants isse issent isses issez issiez issions issons it
        """)

    private static func takeVerbInI(_ stem: inout Stem) -> Bool {
        guard let ending = stem.longest(verbsInI, in: stem.rv) else { return false }
        let before = stem.count - ending.letters.count - 1
        guard before >= stem.rv, stem.isConsonant(before) else { return false }
        stem.remove(ending)
        return true
    }

    private static let verbs = Ending.list(
        """
        ions é ée ées és èrent er era erai eraIent erais erait eras erez eriez erions erons eront ez iez âmes ât \
        âtes a ai aIent ais ait ant ante antes ants as asse assent asses assiez assions
        """)
    private static let verbsBehindE = Ending.list(
        "âmes ât âtes a ai aIent ais ait ant ante antes ants as asse assent asses assiez assions")

    private static func takeVerb(_ stem: inout Stem) {
        guard let ending = stem.longest(verbs, in: stem.rv) else { return }
        if ending == "ions" {
            stem.removeIf(ending, in: stem.r2)
            return
        }
        stem.remove(ending)
        if verbsBehindE.contains(ending) { stem.removeIf("e", in: stem.rv) }
    }

    private static func takeRest(_ stem: inout Stem) {
        if stem.ends("s"), stem.count > 1, !beforeS.contains(stem.letters[stem.count - 2]) { stem.letters.removeLast() }
        guard let ending = stem.longest(rests, in: stem.rv) else { return }
        switch ending {
        case "ion":
            if stem.ends("s", before: 3, in: stem.rv) || stem.ends("t", before: 3, in: stem.rv) {
                stem.removeIf(ending, in: stem.r2)
            }
        case "e": stem.letters.removeLast()
        case "ë": if stem.ends("gu", before: 1) { stem.letters.removeLast() }
        default: stem.replace(ending, with: "i")
        }
    }

    /// Of an `é` or `è` with consonants behind it.
    private static func removeAccent(_ stem: inout Stem) {
        var index = stem.count - 1
        while index >= 0, stem.isConsonant(index) { index -= 1 }
        guard index >= 0, index < stem.count - 1, ["é", "è"].contains(stem.letters[index]) else { return }
        stem.letters[index] = "e"
    }
}
