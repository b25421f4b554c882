extension UnsafeBufferPointer<UInt8> {
    /// Where the plain text of a JSON string ends: at a quotation mark, a backslash, a control character or a byte that
    /// is not ASCII, or at the end. Eight bytes at once, since most bytes of a document are in strings.
    func endOfPlainText(from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(self)
        var index = start
        while index &+ 8 <= count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let ends = word.endsOfPlainText
            if ends != 0 { return index &+ ends.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, UInt64(self[index]).endsOfPlainText & 0x80 == 0 { index &+= 1 }
        return index
    }

    /// The position of an ASCII character, from an index on; the end if there is none.
    func next(_ scalar: Unicode.Scalar, from start: Int) -> Int { next(UInt8(ascii: scalar), from: start) }

    /// The same for a byte. Eight bytes at once.
    func next(_ byte: UInt8, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(self)
        var index = start
        while index &+ 8 <= count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found = word.matches(byte) & (UInt64.ones &* 0x80)
            if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, self[index] != byte { index &+= 1 }
        return Swift.max(index, start)
    }

    /// The position, from an index on, of a byte that another one follows at a distance; the end if there is none. Eight bytes
    /// at once, which is much faster than looking behind each place of a byte that is frequent. It may be a wrong position:
    /// the caller compares the bytes there.
    package func next(_ byte: UInt8, followedBy other: UInt8, at distance: Int, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(self)
        var index = start
        while index &+ distance &+ 8 <= count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let behind = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index &+ distance, as: UInt64.self))
            let found = word.matches(byte) & behind.matches(other) & (UInt64.ones &* 0x80)
            if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index &+ distance < count {
            if self[index] == byte, self[index &+ distance] == other { return index }
            index &+= 1
        }
        return count
    }

    /// Whether all of it is plain text without characters that Go escapes: `<`, `>` and `&`.
    var isPlainEverywhere: Bool {
        let raw = UnsafeRawBufferPointer(self)
        var index = 0
        while index &+ 8 <= count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            guard word.endsOfPlainText | word.marksOfMarkup == 0 else { return false }
            index &+= 8
        }
        while index < count {
            let word = UInt64(self[index])
            guard (word.endsOfPlainText | word.marksOfMarkup) & 0x80 == 0 else { return false }
            index &+= 1
        }
        return true
    }
}

extension UInt64 {
    fileprivate static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// The high bit of each byte that is `scalar`; above the lowest one that is set there may be false ones.
    fileprivate func matches(_ scalar: Unicode.Scalar) -> UInt64 { matches(UInt8(ascii: scalar)) }

    fileprivate func matches(_ byte: UInt8) -> UInt64 {
        // A subtraction borrows from the next byte if a byte is smaller than the subtracted one.
        let difference = self ^ Self.ones &* UInt64(byte)
        return (difference &- Self.ones) & ~difference
    }

    /// The high bit of each byte that HTML reads as more than text; above the lowest there may be false ones.
    fileprivate var marksOfMarkup: UInt64 { (matches("<") | matches(">") | matches("&")) & (Self.ones &* 0x80) }

    /// The high bit of each byte that is no plain text; above the lowest one that is set there may be false ones.
    fileprivate var endsOfPlainText: UInt64 {
        let isControl = (self &- Self.ones &* 0x20) & ~self
        return (matches("\"") | matches("\\") | isControl | self) & (Self.ones &* 0x80)
    }
}
