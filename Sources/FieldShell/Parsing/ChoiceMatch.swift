import DocumentValues

/// Finds the choice that a person meant: one of a few, or a beginning that only one of them has.
///
/// Only here names are text: a typed name may differ in case, and an accent may come in one code point or two, since no
/// keyboard shows which. So commands, sides of a conflict, districts, fields and labels are found loosely, but a name
/// with exactly the typed bytes always goes first, and if several names fit otherwise, none is chosen. Names that come
/// from records, settings and the gateway are compared by their bytes everywhere.
enum ChoiceMatch {
    enum Outcome: Equatable {
        case found(String)
        case ambiguous([String])
        case unknown(nearest: [String])
    }

    static func find(_ text: String, among choices: [String]) -> Outcome {
        if let exact = choices.first(where: { $0.isExactly(text) }) { return .found(exact) }
        let same = choices.filter { means(text, choice: $0) }
        if let first = same.first {
            return same.allSatisfy { $0.isExactly(first) } ? .found(first) : .ambiguous(same)
        }
        let lowercased = text.lowercased()
        let beginnings = choices.filter { $0.lowercased().readsLike(beginning: lowercased) }
        if !text.isEmpty, beginnings.count == 1 { return .found(beginnings[0]) }
        if !text.isEmpty, beginnings.count > 1 { return .ambiguous(beginnings) }
        return .unknown(nearest: nearest(to: lowercased, among: choices))
    }

    /// Whether this typed text can mean the choice: case and the form of accents do not matter.
    static func means(_ typed: String, choice: String) -> Bool { typed.lowercased().readsLike(choice.lowercased()) }

    /// Which of the choices is meant; `nil` for none or several.
    static func index(of text: String, among choices: [String]) -> Int? {
        guard case .found(let choice) = find(text, among: choices) else { return nil }
        return choices.firstIndex { $0.isExactly(choice) }
    }

    /// Choices that differ by few letters, the nearest first.
    static func nearest(to text: String, among choices: [String]) -> [String] {
        let limit = text.count <= 4 ? 1 : 2
        let typed = Array(text.streamSafe)
        let near = choices.compactMap { choice -> (choice: String, distance: Int)? in
            let letters = Array(choice.streamSafe.lowercased())
            // Each letter more or less is a difference: a name may be as long as a record.
            guard abs(letters.count - typed.count) <= limit else { return nil }
            let distance = distance(typed, and: letters)
            return distance <= limit ? (choice, distance) : nil
        }
        return near.sorted { ($0.distance, $0.choice) < ($1.distance, $1.choice) }.prefix(3).map(\.choice)
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
