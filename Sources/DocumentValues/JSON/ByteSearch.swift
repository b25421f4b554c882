extension [UInt8] {
    /// Whether `part` is somewhere among the bytes; true for an empty one. The standard library's `contains` with a
    /// collection takes a hundred times as long.
    package func hasPart(_ part: [UInt8]) -> Bool {
        guard let first = part.first, let last = part.last else { return true }
        return withUnsafeBufferPointer { buffer in
            var index = buffer.next(first, followedBy: last, at: part.count - 1, from: 0)
            while index <= buffer.count - part.count {
                if part.indices.allSatisfy({ buffer[index + $0] == part[$0] }) { return true }
                index = buffer.next(first, followedBy: last, at: part.count - 1, from: index + 1)
            }
            return false
        }
    }
}
