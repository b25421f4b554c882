extension String {
    /// The text of the bytes; `nil` if they are no UTF-8.
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
        var index = 0
        while index + 8 <= bytes.count {
            union |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        var rest: UInt8 = 0
        while index < bytes.count {
            rest |= bytes[index]
            index += 1
        }
        return union & 0x8080_8080_8080_8080 == 0 && rest < 0x80
    }
}
