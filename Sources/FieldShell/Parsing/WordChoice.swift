import DocumentValues

/// Finds what a person meant among a few words: the word itself, or a beginning that only one of them has.
///
/// This is the one place where names are text: what somebody types may differ in case, and an accent may come in one
/// code point or in two, since no keyboard shows which. So commands, sides of a conflict, districts, fields and labels are
/// found loosely, but a name with exactly the typed bytes always goes first, and where several names fit otherwise,
/// nobody guesses. Names that come from records, settings and the gateway are compared by their bytes everywhere.
enum WordChoice {
    enum Outcome: Equatable {
        case found(String)
        case ambiguous([String])
        case unknown(nearest: [String])
    }

    static func find(_ text: String, among words: [String]) -> Outcome {
        if let exact = words.first(where: { $0.isExactly(text) }) { return .found(exact) }
        let same = words.filter { means(text, word: $0) }
        if let first = same.first {
            return same.allSatisfy { $0.isExactly(first) } ? .found(first) : .ambiguous(same)
        }
        let lowercased = text.lowercased()
        let beginnings = words.filter { $0.lowercased().hasPrefix(lowercased) }
        if !text.isEmpty, beginnings.count == 1 { return .found(beginnings[0]) }
        if !text.isEmpty, beginnings.count > 1 { return .ambiguous(beginnings) }
        return .unknown(nearest: nearest(to: lowercased, among: words))
    }

    /// Whether somebody who types this can mean the word: case and the form of accents aside.
    static func means(_ typed: String, word: String) -> Bool { typed.lowercased() == word.lowercased() }

    /// Which of the words is meant; `nil` for none or several.
    static func index(of text: String, among words: [String]) -> Int? {
        guard case .found(let word) = find(text, among: words) else { return nil }
        return words.firstIndex { $0.isExactly(word) }
    }

    /// Words that differ by few letters, the nearest first.
    static func nearest(to text: String, among words: [String]) -> [String] {
        let limit = text.count <= 4 ? 1 : 2
        let near = words.map { (word: $0, distance: distance(Array(text), and: Array($0.lowercased()))) }
            .filter { $0.distance <= limit }
        return near.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }.prefix(3).map(\.word)
    }

    /// Letters to add, leave out, replace or exchange with their neighbour (optimal string alignment).
    static func distance(_ left: [Character], and right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, a) in left.enumerated() {
            var current = [row + 1] + Array(repeating: 0, count: right.count)
            for (column, b) in right.enumerated() {
                let replaced = last[column] + (a == b ? 0 : 1)
                current[column + 1] = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, a == right[column - 1], left[row - 1] == b {
                    current[column + 1] = min(current[column + 1], beforeLast[column - 1] + 1)
                }
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
