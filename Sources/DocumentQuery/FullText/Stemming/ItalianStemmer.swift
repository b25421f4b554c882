/// Italian words without their endings.
enum ItalianStemmer {
    private static let vowels = Set<Unicode.Scalar>.letters("aeiouàèìòù")
    private static let adjectives = Ending.list("os ic abil")
    private static let vowelEndings = Ending.list("a e i o à è ì ò")
    private static let participles = Ending.list("ando endo")
    private static let infinitives = Ending.list("ar er ir")

    static func stem(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var stem = Stem(word, vowels: vowels)
        stem.lowercaseMarks([("á", "à"), ("é", "è"), ("í", "ì"), ("ó", "ò"), ("ú", "ù")])
        stem.capitalize("u") { stem, index in
            stem.isBetweenVowels(index) || index > 0 && stem.letters[index - 1] == "q"
        }
        stem.capitalize("i") { $0.isBetweenVowels($1) }
        stem.markRegions()
        stem.markRomanceRegion()
        takePronoun(&stem)
        if !takeStandard(&stem), let ending = stem.longest(verbs, in: stem.rv) { stem.remove(ending) }
        takeRest(&stem)
        stem.lowercaseMarks([("U", "u"), ("I", "i")])
        return stem.letters
    }

    private static let pronouns = Ending.list(
        """
        ci gli la le li lo mi ne si ti vi sene gliela gliele glieli glielo gliene mela mele meli melo mene tela tele \
        teli telo tene cela cele celi celo cene vela vele veli velo vene
        """)

    private static func takePronoun(_ stem: inout Stem) {
        guard let pronoun = stem.longest(pronouns) else { return }
        let length = pronoun.letters.count
        if participles.contains(where: { stem.ends($0, before: length, in: stem.rv) }) {
            stem.remove(pronoun)
        } else if infinitives.contains(where: { stem.ends($0, before: length, in: stem.rv) }) {
            stem.replace(pronoun, with: "e")
        }
    }

    private static let nouns = Ending.list(
        """
        anza anze ico ici ica ice iche ichi ismo ismi abile abili ibile ibili ista iste isti istà istè istì oso osi \
        osa ose mente atrice atrici ante anti azione azioni atore atori logia logie uzione uzioni usione usioni enza \
        enze amento amenti imento imenti amente ità ivo ivi iva ive
        """)

    private static func takeStandard(_ stem: inout Stem) -> Bool {
        guard let ending = stem.longest(nouns) else { return false }
        let before = stem.letters
        switch String(ending.letters) {
        case "azione", "azioni", "atore", "atori":
            if stem.removeIf(ending, in: stem.r2) { stem.removeIf("ic", in: stem.r2) }
        case "logia", "logie": if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "log") }
        case "uzione", "uzioni", "usione", "usioni":
            if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "u") }
        case "enza", "enze": if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "ente") }
        case "amento", "amenti", "imento", "imenti": stem.removeIf(ending, in: stem.rv)
        case "amente": if stem.removeIf(ending, in: stem.r1) { stem.takeBeforeAmente(adjectives) }
        case "ità": stem.takeQuality(ending)
        case "ivo", "ivi", "iva", "ive":
            if stem.removeIf(ending, in: stem.r2), stem.removeIf("at", in: stem.r2) {
                stem.removeIf("ic", in: stem.r2)
            }
        default: stem.removeIf(ending, in: stem.r2)
        }
        return stem.letters != before
    }

    private static let verbs = Ending.list(
        """
        ammo ando ano are arono asse assero assi assimo ata ate ati ato ava avamo avano avate avi avo emmo enda ende \
        endi endo erà erai eranno ere erebbe erebbero erei eremmo eremo ereste eresti erete erò erono essero ete eva \
        evamo evano evate evi evo Yamo iamo immo irà irai iranno ire irebbe irebbero irei iremmo iremo ireste iresti \
        irete irò irono isca iscano isce isci isco iscono issero ita ite iti ito iva ivamo ivano ivate ivi ivo ono uta \
        ute uti uto ar ir
        """)

    private static func takeRest(_ stem: inout Stem) {
        if let ending = stem.longest(vowelEndings, in: stem.rv) {
            stem.remove(ending)
            stem.removeIf("i", in: stem.rv)
        }
        if stem.ends("ch", in: stem.rv) || stem.ends("gh", in: stem.rv) { stem.letters.removeLast() }
    }
}
