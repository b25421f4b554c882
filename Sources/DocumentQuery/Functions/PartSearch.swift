import DocumentValues

/// Looks for a part of a text: by its first and its last byte, which is the quickest way in nearly all texts; where that
/// compares too many bytes in vain, by Knuth, Morris and Pratt's way, which takes each byte of the text once.
struct PartSearch {
    private let part: [UInt8]
    private var steps: MeteredSteps

    init(_ part: [UInt8], meter: WorkMeter) {
        self.part = part
        steps = MeteredSteps(meter)
    }

    /// Whether the text has the part; true for an empty one.
    ///
    /// - Throws: `WorkEnded`.
    mutating func isIn(_ text: [UInt8]) throws -> Bool {
        guard let first = part.first, let last = part.last else { return true }
        let found = try text.withUnsafeBufferPointer { text in
            var rest = text.count * QueryLimits.comparedInVain
            var index = text.next(first, followedBy: last, at: part.count - 1, from: 0)
            while index <= text.count - part.count {
                let same = part.indices.first { text[index + $0] != part[$0] } ?? part.count
                if same == part.count { return true }
                try steps.count(same + 1)
                rest -= same
                guard rest >= 0 else { return try isIn(text, from: index + 1) }
                index = text.next(first, followedBy: last, at: part.count - 1, from: index + 1)
            }
            return false
        }
        try steps.handOn()
        return found
    }

    private mutating func isIn(_ text: UnsafeBufferPointer<UInt8>, from start: Int) throws -> Bool {
        let borders = try borders()
        var length = 0
        for index in start..<text.count {
            try steps.count()
            while length > 0, text[index] != part[length] { length = Int(borders[length - 1]) }
            if text[index] == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }

    /// For each beginning of the part, how long the longest beginning is with which it ends, too.
    private mutating func borders() throws -> [Int32] {
        var borders = [Int32](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            try steps.count()
            while length > 0, part[index] != part[length] { length = Int(borders[length - 1]) }
            if part[index] == part[length] { length += 1 }
            borders[index] = Int32(length)
        }
        return borders
    }
}
