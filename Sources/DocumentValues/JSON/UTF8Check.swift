extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are well-formed UTF-8, without making a text of them.
    var isUTF8: Bool {
        var index = 0
        while index < count {
            guard let length = characterLength(at: index) else { return false }
            index += length
        }
        return true
    }

    /// How many bytes the character has that begins at `index`; `nil` where none does. By table 3-7 of the Unicode standard:
    /// overlong forms, surrogates and values above U+10FFFF are no characters.
    private func characterLength(at index: Int) -> Int? {
        switch self[index] {
        case ..<0x80: 1
        case 0xC2...0xDF: hasRest(1, at: index, second: 0x80...0xBF) ? 2 : nil
        case 0xE0: hasRest(2, at: index, second: 0xA0...0xBF) ? 3 : nil
        case 0xED: hasRest(2, at: index, second: 0x80...0x9F) ? 3 : nil
        case 0xE1...0xEF: hasRest(2, at: index, second: 0x80...0xBF) ? 3 : nil
        case 0xF0: hasRest(3, at: index, second: 0x90...0xBF) ? 4 : nil
        case 0xF1...0xF3: hasRest(3, at: index, second: 0x80...0xBF) ? 4 : nil
        case 0xF4: hasRest(3, at: index, second: 0x80...0x8F) ? 4 : nil
        default: nil
        }
    }

    private func hasRest(_ length: Int, at index: Int, second: ClosedRange<UInt8>) -> Bool {
        guard index + length < count, second.contains(self[index + 1]) else { return false }
        for offset in 1...length where self[index + offset] & 0xC0 != 0x80 { return false }
        return true
    }
}
