/// Removes the endings of English words by Porter's second algorithm.
enum EnglishStemmer {
    private static let vowels = Set<Unicode.Scalar>.letters("aeiouy")
    private static let wholes: [String: String] = [
        "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl",
        "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky",
        "news": "news", "howe": "howe", "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
    ]
    private static let unchanged: Set<String> = [
        "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed",
    ]
    private static let beginnings = ["gener", "commun", "arsen"].map { Array($0.unicodeScalars) }

    static func stem(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard word.count > 2 else { return word }
        if word.count <= 7, let whole = wholes[String(word)] { return Array(whole.unicodeScalars) }
        var stem = Stem(word, vowels: vowels)
        stem.capitalize("y") { stem, index in index == 0 || stem.isVowel(index - 1) }
        markRegions(&stem)
        takePlural(&stem)
        guard !(stem.count == 6 || stem.count == 7) || !unchanged.contains(String(stem.letters)) else {
            return stem.letters
        }
        takePast(&stem)
        turnY(&stem)
        takeSecond(&stem)
        takeThird(&stem)
        takeFourth(&stem)
        takeLast(&stem)
        stem.lowercaseMarks([("Y", "y")])
        return stem.letters
    }

    private static func markRegions(_ stem: inout Stem) {
        stem.markRegions()
        if let beginning = beginnings.first(where: { stem.letters.starts(with: $0) }) {
            stem.r1 = beginning.count
            stem.r2 = stem.behindVowelAndConsonant(from: stem.r1)
        }
    }

    /// A vowel between consonants, of which the last is none of w, x and y; or a vowel and a consonant alone.
    private static func endsShort(_ stem: Stem) -> Bool {
        let last = stem.count - 1
        guard last >= 1, stem.isConsonant(last), stem.isVowel(last - 1) else { return false }
        if last == 1 { return true }
        return stem.isConsonant(last - 2) && !["w", "x", "Y"].contains(stem.letters[last])
    }

    // MARK: Steps

    private static func takePlural(_ stem: inout Stem) {
        if stem.ends("sses") {
            stem.letters.removeLast(2)
        } else if stem.ends("ied") || stem.ends("ies") {
            stem.letters.removeLast(stem.count > 4 ? 2 : 1)
        } else if stem.ends("s"), !stem.ends("us"), !stem.ends("ss"),
            stem.letters.dropLast(2).contains(where: vowels.contains)
        {
            stem.letters.removeLast()
        }
    }

    private static let pasts = Ending.list("eed eedly ed edly ing ingly")

    private static func takePast(_ stem: inout Stem) {
        guard let ending = stem.longest(pasts) else { return }
        if ending == "eed" || ending == "eedly" {
            if stem.ends(ending, in: stem.r1) { stem.replace(ending, with: "ee") }
            return
        }
        guard stem.letters.dropLast(ending.letters.count).contains(where: vowels.contains) else { return }
        stem.remove(ending)
        if stem.ends("at") || stem.ends("bl") || stem.ends("iz") {
            stem.letters.append("e")
        } else if doubles.contains(where: { stem.ends($0) }) {
            stem.letters.removeLast()
        } else if stem.r1 >= stem.count, endsShort(stem) {
            stem.letters.append("e")
        }
    }

    private static let doubles = Ending.list("bb dd ff gg mm nn pp rr tt")

    private static func turnY(_ stem: inout Stem) {
        let last = stem.count - 1
        guard last >= 2, ["y", "Y"].contains(stem.letters[last]), stem.isConsonant(last - 1) else { return }
        stem.letters[last] = "i"
    }

    private static let seconds: [(Ending, String)] = table(
        """
        tional tion enci ence anci ance abli able entli ent izer ize ization ize ational ate ation ate ator ate \
        alism al aliti al alli al fulness ful ousli ous ousness ous iveness ive iviti ive biliti ble bli ble \
        fulli ful lessli less
        """)

    private static let beforeLi = Set<Unicode.Scalar>.letters("cdeghkmnrt")

    private static func takeSecond(_ stem: inout Stem) {
        if let (ending, other) = seconds.first(where: { stem.ends($0.0) }) {
            if stem.ends(ending, in: stem.r1) { stem.replace(ending, with: other) }
        } else if stem.ends("ogi") {
            if stem.ends("ogi", in: stem.r1), stem.ends("l", before: 3) { stem.letters.removeLast() }
        } else if stem.ends("li", in: stem.r1), stem.count > 2, beforeLi.contains(stem.letters[stem.count - 3]) {
            stem.letters.removeLast(2)
        }
    }

    private static let thirds = table("tional tion ational ate alize al icate ic iciti ic ical ic")
    private static let thirdsRemoved = Ending.list("ful ness")

    private static func takeThird(_ stem: inout Stem) {
        if let (ending, other) = thirds.first(where: { stem.ends($0.0) }) {
            if stem.ends(ending, in: stem.r1) { stem.replace(ending, with: other) }
        } else if stem.ends("ative") {
            stem.removeIf("ative", in: stem.r2)
        } else {
            stem.removeLongest(thirdsRemoved, in: stem.r1)
        }
    }

    private static let fourths = Ending.list(
        "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion")

    private static func takeFourth(_ stem: inout Stem) {
        guard let ending = stem.longest(fourths), stem.ends(ending, in: stem.r2) else { return }
        if ending == "ion", !stem.ends("s", before: 3), !stem.ends("t", before: 3) { return }
        stem.remove(ending)
    }

    private static func takeLast(_ stem: inout Stem) {
        if stem.ends("e") {
            var rest = stem
            rest.letters.removeLast()
            if stem.ends("e", in: stem.r2) || stem.ends("e", in: stem.r1) && !endsShort(rest) { stem = rest }
        } else if stem.ends("ll"), stem.ends("l", in: stem.r2) {
            stem.letters.removeLast()
        }
    }

    /// Endings and their replacements, the longest first.
    private static func table(_ text: String) -> [(Ending, String)] {
        let parts = text.split(separator: " ").map(String.init)
        return stride(from: 0, to: parts.count - 1, by: 2)
            .map { (Ending(stringLiteral: parts[$0]), parts[$0 + 1]) }
            .sorted { $0.0.letters.count > $1.0.letters.count }
    }
}

extension String {
    init(_ letters: [Unicode.Scalar]) {
        self.init()
        unicodeScalars.append(contentsOf: letters)
    }
}
