/// Finds a text in another in a time that grows with their length, whatever they are.
enum TextSearch {
    static func contains(_ part: String, in text: String) -> Bool { offset(of: part, in: text) != nil }

    /// The first occurrence, in bytes.
    static func offset(of part: String, in text: String) -> Int? {
        let (part, text) = (Array(part.utf8), Array(text.utf8))
        guard !part.isEmpty else { return 0 }
        guard part.count <= text.count else { return nil }
        let borders = borders(of: part)
        var matched = 0
        for (index, byte) in text.enumerated() {
            while matched > 0, part[matched] != byte { matched = borders[matched - 1] }
            if part[matched] == byte { matched += 1 }
            if matched == part.count { return index + 1 - matched }
        }
        return nil
    }

    /// For each beginning of the part how much of it is its end, too.
    private static func borders(of part: [UInt8]) -> [Int] {
        var borders = [0]
        var matched = 0
        for byte in part.dropFirst() {
            while matched > 0, part[matched] != byte { matched = borders[matched - 1] }
            if part[matched] == byte { matched += 1 }
            borders.append(matched)
        }
        return borders
    }
}
