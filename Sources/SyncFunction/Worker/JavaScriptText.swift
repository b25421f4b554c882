/// Text on its way into the script engine and out of it.
///
/// The engine keeps text as UTF-16 units, each written like a character of UTF-8 (CESU-8). A character beyond U+FFFF is
/// four bytes outside and two times three inside; copied unchanged, it would not equal the same character written with
/// `\u` escapes, and a channel could be missed.
enum JavaScriptText {
    /// UTF-8 to the engine's form.
    static func inside(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0xF0 }) else { return bytes }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + bytes.count / 2)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            guard scalar.value > 0xFFFF else {
                output.append(contentsOf: UTF8.encode(scalar)!)
                continue
            }
            for unit in UTF16.encode(scalar)! {
                output.append(0xE0 | UInt8(truncatingIfNeeded: unit >> 12))
                output.append(0x80 | UInt8(truncatingIfNeeded: unit >> 6 & 0x3F))
                output.append(0x80 | UInt8(truncatingIfNeeded: unit & 0x3F))
            }
        }
        return output
    }

    /// The engine's form to UTF-8; half of a pair becomes U+FFFD.
    static func outside(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        guard hasSurrogate(bytes) else { return Array(bytes) }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let (unit, length) = unit(bytes, index: index)
            units.append(unit)
            index += length
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func hasSurrogate(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index + 1 < bytes.count {
            if bytes[index] == 0xED, bytes[index + 1] >= 0xA0 { return true }
            index += 1
        }
        return false
    }

    private static func unit(_ bytes: UnsafeRawBufferPointer, index: Int) -> (UInt16, length: Int) {
        func low(_ offset: Int) -> UInt16 {
            index + offset < bytes.count ? UInt16(bytes[index + offset] & 0x3F) : 0
        }
        let first = UInt16(bytes[index])
        if first < 0x80 { return (first, 1) }
        if first < 0xE0 { return ((first & 0x1F) << 6 | low(1), 2) }
        return ((first & 0x0F) << 12 | low(1) << 6 | low(2), 3)
    }
}
