/// Puts the bytes of a keystroke together, one at a time.
struct KeyDecoder {
    enum Step: Equatable {
        case incomplete
        case scalar(Unicode.Scalar)
        /// The bytes up to here are no UTF-8. The last byte belongs to it, unless it can be the first of another
        /// character.
        case malformed(isFirstOfNext: Bool)
    }

    private var bytes: [UInt8] = []

    mutating func take(_ byte: UInt8) -> Step {
        let isContinuation = (0x80...0xBF).contains(byte)
        guard isContinuation != bytes.isEmpty else { return .malformed(isFirstOfNext: !isContinuation) }
        bytes.append(byte)
        if let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first { return .scalar(scalar) }
        return bytes.count < Self.length(announcedBy: bytes[0]) ? .incomplete : .malformed(isFirstOfNext: false)
    }

    /// How many bytes a character has that begins with this one; 1 where none does.
    private static func length(announcedBy first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }
}
