/// Spanish words without their endings.
enum SpanishStemmer {
    private static let vowels = Set<Unicode.Scalar>.letters("aeiouáéíóúü")
    private static let accents: [(Unicode.Scalar, Unicode.Scalar)] = [
        ("á", "a"), ("é", "e"), ("í", "i"), ("ó", "o"), ("ú", "u"),
    ]

    private static let adverbs = Ending.list("ante able ible")
    private static let rests = Ending.list("os a o á í ó e é")

    static func stem(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var stem = Stem(word, vowels: vowels)
        stem.markRegions()
        stem.markRomanceRegion()
        takePronoun(&stem)
        if !takeStandard(&stem), !takeVerbInY(&stem) { takeVerb(&stem) }
        takeRest(&stem)
        stem.lowercaseMarks(accents)
        return stem.letters
    }

    private static let pronouns = Ending.list("me se sela selo selas selos la le lo las les los nos")
    private static let beforePronouns = Ending.list("iéndo ándo ár ér ír ando iendo ar er ir yendo")

    private static func takePronoun(_ stem: inout Stem) {
        guard let pronoun = stem.longest(pronouns) else { return }
        let length = pronoun.letters.count
        guard let verb = beforePronouns.first(where: { stem.ends($0, before: length, in: stem.rv) }) else { return }
        if verb == "yendo", !stem.ends("u", before: length + 5) { return }
        stem.remove(pronoun)
        let start = stem.count - verb.letters.count
        for index in start..<stem.count {
            if let (_, plain) = accents.first(where: { $0.0 == stem.letters[index] }) { stem.letters[index] = plain }
        }
    }

    private static let nouns = Ending.list(
        """
        anza anzas ico ica icos icas ismo ismos able ables ible ibles ista istas oso osa osos osas amiento amientos \
        imiento imientos adora ador ación adoras adores aciones ante antes ancia ancias logía logías ución uciones \
        encia encias amente mente idad idades iva ivo ivas ivos
        """)

    private static func takeStandard(_ stem: inout Stem) -> Bool {
        guard let ending = stem.longest(nouns) else { return false }
        let before = stem.letters
        switch String(ending.letters) {
        case "adora", "ador", "ación", "adoras", "adores", "aciones", "ante", "antes", "ancia", "ancias":
            if stem.removeIf(ending, in: stem.r2) { stem.removeIf("ic", in: stem.r2) }
        case "logía", "logías": if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "log") }
        case "ución", "uciones": if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "u") }
        case "encia", "encias": if stem.ends(ending, in: stem.r2) { stem.replace(ending, with: "ente") }
        default: if !stem.takeIberian(ending, adverbs: adverbs) { stem.removeIf(ending, in: stem.r2) }
        }
        return stem.letters != before
    }

    private static let verbsInY = Ending.list("ya ye yan yen yeron yendo yo yó yas yes yais yamos")

    private static func takeVerbInY(_ stem: inout Stem) -> Bool {
        guard let ending = stem.longest(verbsInY, in: stem.rv), stem.ends("u", before: ending.letters.count) else {
            return false
        }
        stem.remove(ending)
        return true
    }

    private static let verbs = Ending.list(
        """
        en es éis emos arían arías arán arás aríais aría aréis aríamos aremos ará aré erían erías erán erás eríais \
        ería eréis eríamos eremos erá eré irían irías irán irás iríais iría iréis iríamos iremos irá iré aba ada ida \
        ía ara iera ad ed id ase iese aste iste an aban ían aran ieran asen iesen aron ieron ado ido ando iendo ió ar \
        er ir as abas adas idas ías aras ieras ases ieses ís áis abais íais arais ierais aseis ieseis asteis isteis \
        ados idos amos ábamos íamos imos áramos iéramos iésemos ásemos
        """)

    private static func takeVerb(_ stem: inout Stem) {
        guard let ending = stem.longest(verbs, in: stem.rv) else { return }
        stem.remove(ending)
        if ["en", "es", "éis", "emos"].contains(ending), stem.ends("gu") { stem.letters.removeLast() }
    }

    private static func takeRest(_ stem: inout Stem) {
        guard let ending = stem.longest(rests, in: stem.rv) else { return }
        stem.remove(ending)
        if ending == "e" || ending == "é", stem.ends("gu"), stem.ends("u", in: stem.rv) { stem.letters.removeLast() }
    }
}
