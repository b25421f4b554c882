import DocumentValues

/// The path of a value in a document: keys of objects and indexes of arrays; negative indexes count from the end.
package struct QueryPath: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case key(Name)
        case index(Int)
    }

    package var steps: [Step]

    package init(_ steps: [Step] = []) { self.steps = steps }

    package init(keys: [String]) { steps = keys.map { .key(Name($0)) } }

    /// The name at the beginning.
    package var firstKey: String? {
        guard case .key(let name)? = steps.first else { return nil }
        return name.text
    }

    /// The name at the end; `nil` behind an index.
    package var lastKey: String? {
        guard case .key(let name)? = steps.last else { return nil }
        return name.text
    }

    package func dropFirst() -> QueryPath { QueryPath(Array(steps.dropFirst())) }

    /// `.a.b[0]`, with a backslash before characters that are not plain. Different paths have different texts.
    package var text: String {
        var result: [UInt8] = []
        for step in steps {
            switch step {
            case .index(let index): result += "[\(index)]".utf8
            case .key(let name):
                result.append(UInt8(ascii: "."))
                for byte in name.utf8 {
                    if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\\") {
                        result.append(UInt8(ascii: "\\"))
                    }
                    result.append(byte)
                }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Parses the form of `text`, and the paths of the JSON form; `nil` for any other text.
    package init?(parsing text: String) {
        steps = []
        var bytes = ArraySlice(text.utf8)
        if let first = bytes.first, first != UInt8(ascii: "."), first != UInt8(ascii: "[") {
            bytes = ArraySlice([UInt8(ascii: ".")] + bytes)
        }
        while let first = bytes.popFirst() {
            switch first {
            case UInt8(ascii: "."):
                var key: [UInt8] = []
                while let byte = bytes.first, byte != UInt8(ascii: "."), byte != UInt8(ascii: "[") {
                    bytes.removeFirst()
                    if byte == UInt8(ascii: "\\"), let escaped = bytes.popFirst() {
                        key.append(escaped)
                    } else {
                        key.append(byte)
                    }
                }
                steps.append(.key(Name(String(decoding: key, as: UTF8.self))))
            case UInt8(ascii: "["):
                guard let end = bytes.firstIndex(of: UInt8(ascii: "]")),
                    let index = Int(String(decoding: bytes[..<end], as: UTF8.self))
                else { return nil }
                steps.append(.index(index))
                bytes = bytes[(end + 1)...]
            default: return nil
            }
        }
    }
}
