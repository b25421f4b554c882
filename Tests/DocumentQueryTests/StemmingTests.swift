import DocumentQuery
import Testing

/// Words that are the same but for their endings become the same.
struct StemmingTests {
    private func stem(_ word: String, language: SearchLanguage) -> String {
        var result = ""
        result.unicodeScalars.append(contentsOf: language.stem(Array(word.unicodeScalars)))
        return result
    }

    @Test(arguments: [
        ("caresses", "caress"), ("ponies", "poni"), ("cries", "cri"), ("ties", "tie"), ("gas", "gas"), ("gaps", "gap"),
        ("kiwis", "kiwi"), ("agreed", "agre"), ("feed", "feed"), ("hopping", "hop"), ("hoped", "hope"),
        ("luxuriated", "luxuri"), ("dying", "die"), ("skies", "sky"), ("news", "news"), ("herrings", "herring"),
        ("consistency", "consist"), ("knightly", "knight"), ("generously", "generous"), ("communication", "communic"),
        ("inspections", "inspect"), ("leaking", "leak"), ("leaked", "leak"), ("valves", "valv"), ("valve", "valv"),
        ("running", "run"), ("by", "by"), ("say", "say"), ("cry", "cri"), ("enjoy", "enjoy"), ("analogi", "analog"),
        ("rational", "ration"), ("relativity", "relat"), ("controlled", "control"), ("sky", "sky"),
    ])
    func english(word: String, stem expected: String) { #expect(stem(word, language: .english) == expected) }

    @Test(arguments: [
        (SearchLanguage.german, ["häuser", "haus", "hauses", "häusern"]),
        (.german, ["aufeinanderfolge", "aufeinanderfolgende"]), (.german, ["straße", "straßen"]),
        (.french, ["continuellement", "continuelle", "continuel"]), (.french, ["café", "cafe"]),
        (.french, ["majestueusement", "majestueuse"]), (.french, ["inspection", "inspections"]),
        (.spanish, ["inspección", "inspecciones"]), (.spanish, ["chicas", "chica"]),
        (.italian, ["abbandonata", "abbandonate", "abbandonato"]), (.portuguese, ["quilômetro", "quilômetros"]),
        (.swedish, ["jaktkarlarne", "jaktkarlar", "jaktkarlens"]),
        (.norwegian, ["havnedistrikt", "havnedistrikter", "havnedistrikts"]),
        (.danish, ["undersøgelse", "undersøgelser"]),
    ])
    func families(language: SearchLanguage, family: [String]) {
        let stems = Set(family.map { stem($0, language: language) })
        #expect(stems.count == 1, "\(stems)")
    }

    /// Whatever the word, something is left, and no index is out of bounds.
    @Test(arguments: SearchLanguage.allCases) func anyWord(language: SearchLanguage) {
        var texts: [String] = ["", "y", "qu", "gu", "ement", "aux", "ions", "niss", "s", "ss", "ing", "~", "ß"]
        let letters = Array("aeiouysntbqgÀéßçã")
        for first in letters {
            for second in letters { for third in letters { texts.append("\(first)\(second)\(third)") } }
        }
        for word in texts where word.count > 2 { #expect(!stem(word, language: language).isEmpty, "\(word)") }
        for word in texts { _ = stem(word + word + "s", language: language) }
    }

    @Test func languagesByCodeAndName() {
        #expect(WordSettings(language: "english", ignoresAccents: false).language == .english)
        #expect(WordSettings(language: "sv", ignoresAccents: false).language == .swedish)
        for unknown in ["EN", "xx", "ja", ""] {
            #expect(WordSettings(language: unknown, ignoresAccents: true).language == nil)
        }
        let settings = WordSettings(language: "de", ignoresAccents: true)
        #expect(WordSettings(text: settings.text) == settings)
    }
}
