import DocumentValues
import FormLogic

/// Writes the paths of an XForm for the references of an expression, as pyxform does: with a space on both sides.
struct ReferenceWriter {
    private let paths: ExportPaths
    private let context: XFormPath
    private let bytes: [UInt8]
    private var position = 0
    private var result: [UInt8] = []
    private var open: [Bracket] = []
    private var quote: UInt8?

    private struct Bracket {
        let isPredicate: Bool
        let function: String
        var argument = 1
    }

    static func written(_ text: String, context: XFormPath, paths: ExportPaths) -> String {
        guard text.containsBytes(of: "${") else { return text }
        var writer = ReferenceWriter(text, context: context, paths: paths)
        return writer.run()
    }

    private init(_ text: String, context: XFormPath, paths: ExportPaths) {
        bytes = Array(text.utf8)
        self.context = context
        self.paths = paths
    }

    private mutating func run() -> String {
        while position < bytes.count {
            if let (name, end) = reference() {
                result += Array(" \(path(of: name)) ".utf8)
                position = end
            } else {
                note(bytes[position])
                result.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func reference() -> (name: String, end: Int)? {
        guard bytes[position...].starts(with: "${".utf8),
            let end = bytes[position...].firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        return (String(decoding: bytes[(position + 2)..<end], as: UTF8.self).trimmingSpaces, end + 1)
    }

    private func path(of name: String) -> String {
        if let last = name.droppingExactPrefix("last-saved#") {
            guard let path = paths.path(Name(last)) else { return "${\(name)}" }
            return "instance('__last-saved')\(path.text)"
        }
        let isInPredicate = open.contains(where: \.isPredicate)
        return paths.reference(Name(name), context: context, isAbsolute: isAbsolute, isInPredicate: isInPredicate)
            ?? "${\(name)}"
    }

    /// Arguments that are looked up from the root.
    private var isAbsolute: Bool {
        guard let call = open.last(where: { !$0.function.isEmpty }) else { return false }
        switch call.function {
        case "indexed-repeat": return [1, 2, 4, 6].contains(call.argument)
        case "jr:choice-name": return quote != nil
        default: return false
        }
    }

    private mutating func note(_ byte: UInt8) {
        if let mark = quote {
            if byte == mark { quote = nil }
            return
        }
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
        case UInt8(ascii: "("): open.append(Bracket(isPredicate: false, function: function()))
        case UInt8(ascii: "["): open.append(Bracket(isPredicate: true, function: ""))
        case UInt8(ascii: ")"), UInt8(ascii: "]"): _ = open.popLast()
        case UInt8(ascii: ",") where !open.isEmpty: open[open.count - 1].argument += 1
        default: break
        }
    }

    /// The name in front of a parenthesis.
    private func function() -> String {
        let name = bytes[..<position].reversed().prefix { XFormPath.isName($0) || $0 == UInt8(ascii: ":") }
        return String(decoding: name.reversed(), as: UTF8.self)
    }
}
