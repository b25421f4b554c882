/// German words without their endings.
enum GermanStemmer {
    private static let vowels = Set<Unicode.Scalar>.letters("aeiouyäöü")
    private static let beforeS = Set<Unicode.Scalar>.letters("bdfghklmnrt")
    private static let beforeST = Set<Unicode.Scalar>.letters("bdfghklmnt")

    static func stem(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var stem = Stem(word.flatMap { $0 == "ß" ? ["s", "s"] : [$0] }, vowels: vowels)
        stem.capitalize("u") { $0.isBetweenVowels($1) }
        stem.capitalize("y") { $0.isBetweenVowels($1) }
        stem.markRegions()
        stem.r1 = max(stem.r1, min(3, stem.count))
        takeFirst(&stem)
        takeSecond(&stem)
        takeThird(&stem)
        stem.lowercaseMarks([("U", "u"), ("Y", "y"), ("ä", "a"), ("ö", "o"), ("ü", "u")])
        return stem.letters
    }

    private static let firsts = Ending.list("em ern er e en es s")

    private static func takeFirst(_ stem: inout Stem) {
        guard let ending = stem.longest(firsts), stem.ends(ending, in: stem.r1) else { return }
        if ending == "s" {
            if stem.count > 1, beforeS.contains(stem.letters[stem.count - 2]) { stem.letters.removeLast() }
            return
        }
        stem.remove(ending)
        if ending == "e" || ending == "en" || ending == "es", stem.ends("niss") { stem.letters.removeLast() }
    }

    private static let seconds = Ending.list("en er est st")

    private static func takeSecond(_ stem: inout Stem) {
        guard let ending = stem.longest(seconds), stem.ends(ending, in: stem.r1) else { return }
        if ending == "st" {
            guard stem.count > 5, beforeST.contains(stem.letters[stem.count - 3]) else { return }
        }
        stem.remove(ending)
    }

    private static let thirds = Ending.list("end ung ig ik isch lich heit keit")

    private static func takeThird(_ stem: inout Stem) {
        guard let ending = stem.longest(thirds), stem.ends(ending, in: stem.r2) else { return }
        switch ending {
        case "end", "ung":
            stem.remove(ending)
            if stem.ends("ig", in: stem.r2), !stem.ends("e", before: 2) { stem.remove("ig") }
        case "lich", "heit":
            stem.remove(ending)
            if !stem.removeIf("er", in: stem.r1) { stem.removeIf("en", in: stem.r1) }
        case "keit":
            stem.remove(ending)
            if !stem.removeIf("lich", in: stem.r2) { stem.removeIf("ig", in: stem.r2) }
        default: if !stem.ends("e", before: ending.letters.count) { stem.remove(ending) }
        }
    }
}
