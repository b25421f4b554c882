import NIOCore

/// The beginning of each message: its properties, preceded by their length.
package enum PropertyBlock {
    /// With more properties than this, a set is used to find repeated names: a hostile block has fifty thousand.
    private static let fewProperties = 16

    /// The block with its length in front.
    static func encode(_ properties: BLIPProperties, limit: Int) throws(BLIPError) -> ByteBuffer {
        let length = properties.byteCount
        guard length <= limit else {
            throw BLIPError(
                .badProperties, detail: "\(length) bytes of properties are more than the \(limit) a peer takes")
        }
        var block = ByteBuffer()
        block.reserveCapacity(length + 3)
        block.writeVarint(UInt64(length))
        let start = block.writerIndex
        for property in properties {
            block.writeString(property.key)
            block.writeInteger(UInt8(0))
            block.writeString(property.value)
            block.writeInteger(UInt8(0))
        }
        let zeros = block.readableBytesView[start...].reduce(0) { $0 + ($1 == 0 ? 1 : 0) }
        guard zeros == properties.count * 2 else {
            throw BLIPError(.badProperties, detail: "a property to be sent contains a NUL")
        }
        return block
    }

    /// Takes the block from the front of a message; `nil` (nothing taken) when it is not there in full.
    package static func decode(from message: inout ByteBuffer, limit: Int) throws(BLIPError) -> BLIPProperties? {
        let start = message.readerIndex
        guard let length = message.readVarint() else {
            guard message.readableBytes < 10 else {
                throw BLIPError(.badProperties, detail: "their length is no varint")
            }
            return nil
        }
        guard length <= limit else {
            throw BLIPError(.badProperties, detail: "\(length) bytes of properties are more than \(limit)")
        }
        guard let block = message.readSlice(length: Int(length)) else {
            message.moveReaderIndex(to: start)
            return nil
        }
        return try parse(block)
    }

    private static func parse(_ block: ByteBuffer) throws(BLIPError) -> BLIPProperties {
        let texts = try splitTexts(block)
        guard texts.count.isMultiple(of: 2) else { throw BLIPError(.badProperties, detail: "a property has no value") }
        var properties = BLIPProperties()
        properties.reserveCapacity(texts.count / 2)
        for index in stride(from: 0, to: texts.count, by: 2) {
            properties.append(texts[index], value: texts[index + 1])
        }
        guard !hasDuplicates(properties) else { throw BLIPError(.badProperties, detail: "a property is there twice") }
        return properties
    }

    private static func splitTexts(_ block: ByteBuffer) throws(BLIPError) -> [String] {
        var texts: [String] = []
        var isValid = true
        let isTerminated = block.withUnsafeReadableBytes { bytes -> Bool in
            var start = 0
            for index in bytes.indices where bytes[index] == 0 {
                let text = Self.text(of: UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
                isValid = isValid && text != nil
                texts.append(text ?? "")
                start = index + 1
            }
            return start == bytes.count
        }
        guard isTerminated else { throw BLIPError(.badProperties, detail: "they do not end with NUL") }
        guard isValid else { throw BLIPError(.badProperties, detail: "a property is not UTF-8") }
        return texts
    }

    /// Validation looks up its generic types at run time, which costs more than making the text. ASCII, which nearly
    /// all properties are, needs none.
    private static func text(of bytes: UnsafeRawBufferPointer) -> String? {
        let isASCII = bytes.reduce(0) { $0 | $1 } < 0x80
        return isASCII ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }

    private static func hasDuplicates(_ properties: BLIPProperties) -> Bool {
        let elements = properties.elements
        guard elements.count <= fewProperties else {
            return Set(elements.map { Array($0.key.utf8) }).count < elements.count
        }
        for index in elements.indices.dropFirst() {
            for earlier in 0..<index where BLIPProperties.isSame(elements[earlier].key, as: elements[index].key) {
                return true
            }
        }
        return false
    }
}
