/// The known name that an author probably meant.
package enum NearName {
    /// The known name with the fewest letters to change; `nil` if it has hardly a letter in common.
    ///
    /// - Parameter changes: how many letters may be wrong; by default, the longer the name the more.
    /// - Complexity: the length of the name times that of all known ones; names beyond `TextLimits.nearName` bytes have
    ///   no neighbours.
    package static func nearest(
        _ name: String, among known: some Sequence<String>, changes: Int? = nil
    ) -> String? {
        let letters = scalars(of: name)
        guard isComparable(letters) else { return nil }
        var nearest: (name: String, distance: Int)?
        for candidate in known {
            let most = Swift.min(changes ?? limit(letters.count), (nearest?.distance ?? .max) - 1)
            if let distance = distance(letters, to: scalars(of: candidate), atMost: most) {
                nearest = (candidate, distance)
            }
        }
        return nearest?.name
    }

    /// The known names that are near, the nearest first, those of the same distance as they come.
    ///
    /// - Parameter count: at most so many.
    package static func near(_ name: String, among known: some Sequence<String>, count: Int) -> [String] {
        let letters = scalars(of: name)
        guard isComparable(letters) else { return [] }
        var found: [(name: String, distance: Int)] = []
        for candidate in known {
            if let distance = distance(letters, to: scalars(of: candidate), atMost: limit(letters.count)) {
                found.append((candidate, distance))
            }
        }
        // `sort` keeps the order of equal ones.
        found.sort { $0.distance < $1.distance }
        return found.prefix(count).map(\.name)
    }

    /// `Did you mean 'cold_temp'?`
    package static func hint(_ name: String, among known: some Sequence<String>) -> String? {
        nearest(name, among: known).map { "Did you mean '\($0)'?" }
    }

    /// How many letters may be wrong.
    private static func limit(_ length: Int) -> Int { length <= 3 ? 1 : length <= 7 ? 2 : 3 }

    private static func isComparable(_ letters: [Unicode.Scalar]) -> Bool {
        !letters.isEmpty && letters.count <= TextLimits.nearName
    }

    private static func scalars(of name: String) -> [Unicode.Scalar] {
        guard name.utf8.count <= 4 * TextLimits.nearName else { return [] }
        return Array(name.lowercased().unicodeScalars)
    }

    /// Letters to add, to leave out, to replace or to swap with their neighbour; `nil` for more than `most`.
    private static func distance(_ left: [Unicode.Scalar], to right: [Unicode.Scalar], atMost most: Int) -> Int? {
        guard !right.isEmpty, abs(right.count - left.count) <= most else { return nil }
        let distance = distance(left, to: right)
        return distance <= most ? distance : nil
    }

    /// Letters to add, to leave out, to replace or to swap with their neighbour.
    private static func distance(_ left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let isSame = left[row - 1] == right[column - 1]
                var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = Swift.min(best, before[column - 2] + 1)
                }
                current.append(best)
            }
            (before, last) = (last, current)
        }
        return last[right.count]
    }
}
