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
}

extension UInt64 {
    /// The high bit of each byte that is no plain text; above the lowest one that is set there may be false ones.
    fileprivate var endsOfPlainText: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = self ^ ones &* UInt64(UInt8(ascii: "\""))
        let backslashes = self ^ ones &* UInt64(UInt8(ascii: "\\"))
        // A subtraction borrows from the next byte where a byte is smaller than what is taken away.
        let isZero = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        let isControl = (self &- ones &* 0x20) & ~self
        return (isZero | isControl | self) & (ones &* 0x80)
    }
}
