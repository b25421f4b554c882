/// Writes values as compact UTF-8 JSON.
public struct JSONWriter: Sendable {
    /// Writes members by the bytes of their keys instead of in their order.
    public var sortsKeys: Bool
    /// Escapes `<`, `>`, `&`, U+2028 and U+2029 as Go's `encoding/json` does; revision digests depend on it.
    public var escapesLikeGo: Bool

    public init(sortsKeys: Bool = false, escapesLikeGo: Bool = false) {
        self.sortsKeys = sortsKeys
        self.escapesLikeGo = escapesLikeGo
    }

    public func bytes(_ value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        append(value, to: &output)
        return output
    }

    /// Not by recursion, as in reading: see `JSONReader.readValue`.
    public func append(_ value: JSONValue, to output: inout [UInt8]) {
        guard var current = begin(value, output: &output) else { return }
        var outer: [Rest] = []
        while true {
            guard let child = current.next(self, output: &output) else {
                output.append(current.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                guard let container = outer.popLast() else { return }
                current = container
                continue
            }
            if let inner = begin(child, output: &output) {
                outer.append(current)
                current = inner
            }
        }
    }

    /// Writes a whole scalar, or the opening bracket of a container.
    private func begin(_ value: JSONValue, output: inout [UInt8]) -> Rest? {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let bool): output.append(contentsOf: (bool ? "true" : "false").utf8)
        case .number(let number): output.append(contentsOf: number.text.utf8)
        case .string(let string): Self.appendString(string, escapesLikeGo: escapesLikeGo, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            return Rest(elements: elements)
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            return Rest(
                members: sortsKeys
                    ? object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } : object.members)
        }
        return nil
    }

    /// The part of a container that is still to be written.
    private struct Rest {
        let isObject: Bool
        private let members: [JSONObject.Member]
        private let elements: [JSONValue]
        private var next = 0

        init(members: [JSONObject.Member]) {
            isObject = true
            self.members = members
            elements = []
        }

        init(elements: [JSONValue]) {
            isObject = false
            members = []
            self.elements = elements
        }

        /// The next value, after its comma and its name were written.
        mutating func next(_ writer: JSONWriter, output: inout [UInt8]) -> JSONValue? {
            guard next < (isObject ? members.count : elements.count) else { return nil }
            if next > 0 { output.append(UInt8(ascii: ",")) }
            defer { next += 1 }
            guard isObject else { return elements[next] }
            JSONWriter.appendString(members[next].key, escapesLikeGo: writer.escapesLikeGo, to: &output)
            output.append(UInt8(ascii: ":"))
            return members[next].value
        }
    }

    /// Appends a string with its quotation marks.
    public static func appendString(_ string: String, escapesLikeGo: Bool = false, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        if !appendPlain(string, to: &output) {
            if escapesLikeGo {
                appendGoText(string, to: &output)
            } else {
                for byte in string.utf8 { appendByte(byte, to: &output) }
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Appends ASCII text that needs no escapes, as most does, in one piece; otherwise appends nothing.
    private static func appendPlain(_ string: String, to output: inout [UInt8]) -> Bool {
        var string = string
        return string.withUTF8 { bytes in
            guard bytes.isPlainEverywhere else { return false }
            output.append(contentsOf: bytes)
            return true
        }
    }

    private static func appendByte(_ byte: UInt8, to output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): output.append(contentsOf: #"\""#.utf8)
        case UInt8(ascii: "\\"): output.append(contentsOf: #"\\"#.utf8)
        case 0x08: output.append(contentsOf: #"\b"#.utf8)
        case 0x0C: output.append(contentsOf: #"\f"#.utf8)
        case 0x0A: output.append(contentsOf: #"\n"#.utf8)
        case 0x0D: output.append(contentsOf: #"\r"#.utf8)
        case 0x09: output.append(contentsOf: #"\t"#.utf8)
        case 0..<0x20: appendUnicodeEscape(UInt16(byte), to: &output)
        default: output.append(byte)
        }
    }

    private static func appendGoText(_ string: String, to output: inout [UInt8]) {
        for scalar in string.unicodeScalars {
            switch scalar {
            case "<", ">", "&", "\u{2028}", "\u{2029}": appendUnicodeEscape(UInt16(scalar.value), to: &output)
            default: for byte in String(Character(scalar)).utf8 { appendByte(byte, to: &output) }
            }
        }
    }

    private static func appendUnicodeEscape(_ unit: UInt16, to output: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        output.append(contentsOf: #"\u"#.utf8)
        for shift in [12, 8, 4, 0] { output.append(digits[Int(unit >> UInt16(shift)) & 0xF]) }
    }
}

extension JSONValue: CustomStringConvertible {
    /// Compact JSON, members in their order.
    public var bytes: [UInt8] { JSONWriter().bytes(self) }

    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONObject: CustomStringConvertible {
    public var bytes: [UInt8] { JSONValue.object(self).bytes }

    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
