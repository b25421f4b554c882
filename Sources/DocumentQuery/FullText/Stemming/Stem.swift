/// A word while its endings are removed.
///
/// It has the regions of the algorithms: `r1` begins behind the first consonant that follows a vowel, `r2` behind the first
/// such consonant in `r1`; each Romance language has its own rule for `rv`.
struct Stem {
    typealias Letter = Unicode.Scalar

    var letters: [Letter]
    let vowels: Set<Letter>
    var r1: Int
    var r2: Int
    var rv: Int

    init(_ letters: [Letter], vowels: Set<Letter>) {
        self.letters = letters
        self.vowels = vowels
        (r1, r2, rv) = (letters.count, letters.count, letters.count)
    }

    var count: Int { letters.count }

    func isVowel(_ index: Int) -> Bool { letters.indices.contains(index) && vowels.contains(letters[index]) }

    /// Whether there is a letter at the index that is not a vowel.
    func isConsonant(_ index: Int) -> Bool { letters.indices.contains(index) && !vowels.contains(letters[index]) }

    // MARK: Regions

    mutating func markRegions() {
        r1 = behindVowelAndConsonant(from: 0)
        r2 = behindVowelAndConsonant(from: r1)
    }

    func behindVowelAndConsonant(from start: Int) -> Int {
        var index = start
        while index < count, !isVowel(index) { index += 1 }
        while index < count, isVowel(index) { index += 1 }
        return min(index + 1, count)
    }

    /// As Spanish, Italian and Portuguese have it.
    mutating func markRomanceRegion() {
        guard count >= 2 else { return }
        var index = 2
        if isConsonant(1) {
            while index < count, !isVowel(index) { index += 1 }
        } else if isVowel(0) {
            while index < count, isVowel(index) { index += 1 }
        }
        rv = min(index + 1, count)
    }

    // MARK: Endings

    func ends(_ ending: Ending, in region: Int = 0) -> Bool {
        letters.count - ending.letters.count >= region && letters.ends(with: ending.letters)
    }

    /// Whether the letters before the last `length` ones end so, with the ending in the region.
    func ends(_ ending: Ending, before length: Int, in region: Int = 0) -> Bool {
        let end = letters.count - length
        return end - ending.letters.count >= region && letters[..<end].ends(with: ending.letters)
    }

    /// The longest of the endings that the word has, in any region.
    func longest(_ endings: [Ending]) -> Ending? { endings.first { ends($0) } }

    /// The longest of the endings that is all in the region.
    func longest(_ endings: [Ending], in region: Int) -> Ending? { endings.first { ends($0, in: region) } }

    mutating func remove(_ ending: Ending) { letters.removeLast(ending.letters.count) }

    mutating func replace(_ ending: Ending, with other: String) {
        remove(ending)
        letters += other.unicodeScalars
    }

    /// Removes an ending that is here and in the region.
    @discardableResult
    mutating func removeIf(_ ending: Ending, in region: Int) -> Bool {
        guard ends(ending, in: region) else { return false }
        remove(ending)
        return true
    }

    /// Removes the longest of the endings if that is in the region.
    @discardableResult
    mutating func removeLongest(_ endings: [Ending], in region: Int) -> Bool {
        guard let ending = longest(endings) else { return false }
        return removeIf(ending, in: region)
    }

    mutating func replace(_ letter: Letter, with other: Letter) {
        for index in letters.indices where letters[index] == letter { letters[index] = other }
    }

    /// Marks vowels that are used as consonants, by capital letters.
    mutating func capitalize(_ letter: Letter, where isConsonant: (Stem, Int) -> Bool) {
        guard let capital = letter.properties.uppercaseMapping.unicodeScalars.first else { return }
        for index in letters.indices where letters[index] == letter && isConsonant(self, index) {
            letters[index] = capital
        }
    }

    func isBetweenVowels(_ index: Int) -> Bool { isVowel(index - 1) && isVowel(index + 1) }

    mutating func lowercaseMarks(_ marks: [(Letter, Letter)]) {
        for (capital, letter) in marks { replace(capital, with: letter) }
    }
}

/// The end of words.
struct Ending: Sendable {
    let letters: [Unicode.Scalar]

    /// Endings by their length, the longest first, so that the first one that fits is the longest.
    static func list(_ text: String) -> [Ending] {
        text.split(separator: " ").map { Ending(letters: Array($0.unicodeScalars)) }
            .sorted { $0.letters.count > $1.letters.count }
    }
}

extension Ending: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { letters = Array(text.unicodeScalars) }
}

extension Ending: Equatable {}

extension Collection where Element == Unicode.Scalar, Self: BidirectionalCollection {
    fileprivate func ends(with other: [Unicode.Scalar]) -> Bool {
        guard count >= other.count else { return false }
        return suffix(other.count).elementsEqual(other)
    }
}

extension Set<Unicode.Scalar> {
    static func letters(_ text: String) -> Set<Unicode.Scalar> { Set(text.unicodeScalars) }
}
