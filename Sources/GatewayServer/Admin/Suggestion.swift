/// The name that a person probably meant instead of a mistyped one.
package enum Suggestion {
    /// The one of `known` that takes the fewest changed letters, at most a third of the name; `nil` if none is near.
    package static func nearest(to name: String, among known: [String]) -> String? {
        let limit = max(1, name.unicodeScalars.count / 3)
        return known.map { (name: $0, distance: distance(name, and: $0)) }
            .filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?.name
    }

    /// ` (did you mean supervisor?)`, or nothing.
    package static func text(for name: String, among known: [String]) -> String {
        nearest(to: name, among: known).map { " (did you mean \($0)?)" } ?? ""
    }

    /// Letters to insert, remove or replace.
    private static func distance(_ one: String, and other: String) -> Int {
        let longest = GatewayServerLimits.suggestedName
        let (one, other) = (Array(one.unicodeScalars.prefix(longest)), Array(other.unicodeScalars.prefix(longest)))
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, otherLetter) in other.enumerated() {
                let replaced = diagonal + (letter == otherLetter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
