/// Skips the values that are not searched for.
extension BodyScanner {
    @inline(__always) func byte(_ index: Int) -> UInt8 { base.load(fromByteOffset: index, as: UInt8.self) }

    /// Eight bytes as a number; the first one is the lowest.
    @inline(__always) func word(_ index: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    @inline(__always) mutating func skipSpace() {
        while position < count, byte(position) <= 0x20 { position &+= 1 }
    }

    @inline(__always) mutating func take(_ mark: UInt8) -> Bool {
        if position < count, byte(position) == mark {
            position &+= 1
            return true
        }
        return takeBehindSpace(mark)
    }

    @inline(never) private mutating func takeBehindSpace(_ mark: UInt8) -> Bool {
        skipSpace()
        guard position < count, byte(position) == mark else { return false }
        position &+= 1
        return true
    }

    /// Skips a string, and returns whether it has escapes; `nil` if no string is here.
    @inline(__always) mutating func skipString() -> Bool? {
        guard position < count, byte(position) == UInt8(ascii: "\"") else { return nil }
        var index = position &+ 1
        var hasEscapes = false
        while true {
            index = endOfText(from: index)
            guard index < count else { return nil }
            if byte(index) == UInt8(ascii: "\"") {
                position = index &+ 1
                return hasEscapes
            }
            // Skips the backslash and the character behind it.
            hasEscapes = true
            index &+= 2
        }
    }

    /// The index of the next quotation mark or backslash; `count` or more if there is none. It looks at sixteen bytes at a
    /// time: nearly all names and texts are shorter, and a loop with a different length for each text costs more than both
    /// halves.
    @inline(__always) private func endOfText(from start: Int) -> Int {
        var index = start
        while index &+ 16 <= count {
            let (first, second) = (word(index).endsOfText, word(index &+ 8).endsOfText)
            if first | second != 0 {
                let (inFirst, inSecond) = (first.firstMarked, 8 &+ second.firstMarked)
                return index &+ (first != 0 ? inFirst : inSecond)
            }
            index &+= 16
        }
        while index < count, byte(index) != UInt8(ascii: "\""), byte(index) != UInt8(ascii: "\\") { index &+= 1 }
        return index
    }

    @inline(__always) mutating func skipValue() -> Bool {
        skipSpace()
        guard position < count else { return false }
        switch byte(position) {
        case UInt8(ascii: "\""): return skipString() != nil
        case UInt8(ascii: "{"), UInt8(ascii: "["): return skipContainer()
        default: return skipScalar()
        }
    }

    /// Skips a number or a literal, up to a comma, a closing bracket or a space.
    @inline(__always) private mutating func skipScalar() -> Bool {
        let start = position
        while position &+ 8 <= count {
            let ends = word(position).endsOfScalar
            if ends != 0 {
                position &+= ends.firstMarked
                return position > start
            }
            position &+= 8
        }
        while position < count {
            let byte = byte(position)
            if byte == UInt8(ascii: ",") || byte | 0x20 == UInt8(ascii: "}") || byte <= 0x20 { break }
            position &+= 1
        }
        return position > start
    }

    private mutating func skipContainer() -> Bool {
        var depth = 0
        while position < count {
            // With this bit `[` becomes `{`, and `]` becomes `}`.
            switch byte(position) | 0x20 {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 {
                    position += 1
                    return true
                }
            case UInt8(ascii: "\""):
                // Only 0x02 would look the same with this bit, and it does not occur in JSON.
                guard skipString() != nil else { return false }
                continue
            default: break
            }
            position += 1
        }
        return false
    }
}

/// Eight bytes of a text. The results below have the high bit set in each byte that is searched for. Only the lowest set
/// bit is reliable: above it there may be false ones, since a subtraction borrows from the next byte.
extension UInt64 {
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    fileprivate var endsOfText: UInt64 { (matches("\"") | matches("\\")) & Self.highBits }

    /// With the bit 0x20 `]` becomes `}`.
    fileprivate var endsOfScalar: UInt64 {
        let isSpace = (self &- Self.ones &* 0x21) & ~self
        return (matches(",") | (self | Self.ones &* 0x20).matches("}") | isSpace) & Self.highBits
    }

    private func matches(_ scalar: Unicode.Scalar) -> UInt64 {
        let difference = self ^ Self.ones &* UInt64(UInt8(ascii: scalar))
        return (difference &- Self.ones) & ~difference
    }

    /// The index of the first byte with its high bit set; 8 if there is none.
    fileprivate var firstMarked: Int { trailingZeroBitCount >> 3 }
}
