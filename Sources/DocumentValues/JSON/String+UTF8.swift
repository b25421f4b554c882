extension String {
    /// The text that the bytes are; `nil` if they are no UTF-8.
    ///
    /// `String(validating:as:)` looks up its generic types at run time, which costs more than the text itself. Nearly
    /// all that is read here is ASCII, which needs no validation.
    package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.isASCII {
            self.init(decoding: bytes, as: UTF8.self)
        } else {
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            self = text
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether no byte has its highest bit set; eight are looked at in one step.
    fileprivate var isASCII: Bool {
        let bytes = UnsafeRawBufferPointer(self)
        var union: UInt64 = 0
        var place = 0
        while place + 8 <= bytes.count {
            union |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            place += 8
        }
        var rest: UInt8 = 0
        while place < bytes.count {
            rest |= bytes[place]
            place += 1
        }
        return union & 0x8080_8080_8080_8080 == 0 && rest < 0x80
    }
}
