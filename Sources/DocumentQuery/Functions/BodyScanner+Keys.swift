/// Looking for a key among the members of an object.
extension BodyScanner {
    /// Comes to the value of a key.
    mutating func enter(_ key: SoughtKey, of target: Target, hints: UnsafeMutablePointer<KeyHint>?) -> Bool {
        guard take(UInt8(ascii: "{")), !take(UInt8(ascii: "}")) else { return false }
        var ordinal = 0
        repeat {
            skipSpace()
            let start = position
            let hint = ordinal < KeyHint.count ? hints.map { $0 + ordinal } : nil
            guard let found = passKey(key, of: target, hint: hint) else { return false }
            let end = position
            guard take(UInt8(ascii: ":")) else { return false }
            let isWanted =
                switch found {
                case .wanted: true
                case .other: false
                case .escaped: isEscaped(key, of: target, at: start..<end)
                }
            if isWanted {
                skipSpace()
                return true
            }
            guard skipValue() else { return false }
            ordinal &+= 1
        } while take(UInt8(ascii: ","))
        return false
    }

    private enum FoundKey {
        case wanted, other
        /// Only the text says which one it is.
        case escaped
    }

    /// Passes over a key; `nil` where there is none.
    @inline(__always) private mutating func passKey(
        _ key: SoughtKey, of target: Target, hint: UnsafeMutablePointer<KeyHint>?
    ) -> FoundKey? {
        let start = position &+ 1
        guard start &+ KeyBytes.longest <= count else { return passLastKey(key, of: target) }
        guard byte(position) == UInt8(ascii: "\"") else { return nil }
        if key.isShort {
            if differences(key.quoted, at: start) == 0 {
                position = start &+ key.count &+ 1
                return .wanted
            }
            if let hint, differences(hint.pointee.bytes, at: start) == 0 {
                position = start &+ hint.pointee.length
                return .other
            }
        } else if isKey(key, of: target, at: start) {
            position = start &+ key.count &+ 1
            return .wanted
        }
        guard let hasEscapes = skipString() else { return nil }
        if hasEscapes { return .escaped }
        hint?.pointee = KeyHint(bytes(start..<position))
        return .other
    }

    /// The same where the document ends soon.
    private mutating func passLastKey(_ key: SoughtKey, of target: Target) -> FoundKey? {
        let start = position &+ 1
        guard let hasEscapes = skipString() else { return nil }
        if hasEscapes { return .escaped }
        return isKey(key, of: target, at: start) ? .wanted : .other
    }

    /// Whether the key is there as it is, with the quotation mark behind it.
    private func isKey(_ key: SoughtKey, of target: Target, at start: Int) -> Bool {
        guard key.isPlain, start &+ key.count < count, byte(start &+ key.count) == UInt8(ascii: "\"") else {
            return false
        }
        for offset in 0..<key.count where byte(start &+ offset) != target.keyBytes[key.start &+ offset] { return false }
        return true
    }

    @inline(__always) private func differences(_ expected: KeyBytes, at start: Int) -> UInt64 {
        (word(start) ^ expected.first) & expected.firstMask | (word(start &+ 8) ^ expected.second) & expected.secondMask
    }

    private func isEscaped(_ key: SoughtKey, of target: Target, at range: Range<Int>) -> Bool {
        BodyText.string(bytes(range)).map {
            $0.utf8.elementsEqual(target.keyBytes[key.start..<key.start + key.count])
        } ?? false
    }
}
