/// The replacement for matches of a regular expression, parsed once: `$1`, `$&`, `$0`, `$$`, and for the text in front of the
/// match and behind it a dollar sign with a grave accent and one with an apostrophe; any other dollar sign is plain.
struct ReplacementTemplate {
    private enum Part {
        case text([UInt8])
        case match
        /// All of the text in front of the match.
        case before
        /// All of the text behind it.
        case behind
        /// The text that a group matched, by its index.
        case group(Int)
    }

    private var parts: [Part] = []

    /// - Parameter groups: how many the expression has; a higher number is an empty text.
    init(_ template: String, groups: Int) {
        let bytes = Array(template.utf8)
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "$"), index + 1 < bytes.count else {
                text.append(bytes[index])
                index += 1
                continue
            }
            let next = bytes[index + 1]
            switch next {
            case UInt8(ascii: "$"): text.append(next)
            case UInt8(ascii: "&"), UInt8(ascii: "0"): add(.match, behind: &text)
            case UInt8(ascii: "`"): add(.before, behind: &text)
            case UInt8(ascii: "'"): add(.behind, behind: &text)
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                let group = Int(next - 0x30) - 1
                if group < groups { add(.group(group), behind: &text) }
            default: text += [UInt8(ascii: "$"), next]
            }
            index += 2
        }
        if !text.isEmpty { parts.append(.text(text)) }
    }

    private mutating func add(_ part: Part, behind text: inout [UInt8]) {
        if !text.isEmpty { parts.append(.text(text)) }
        text = []
        parts.append(part)
    }

    /// How many steps of a search one match takes.
    var steps: Int { parts.count }

    /// Appends the replacement of a match, unless the text becomes too long.
    func append(_ match: BytePattern.Match, text: [UInt8], to result: inout [UInt8]) throws {
        for part in parts {
            switch part {
            case .text(let bytes): try result.append(bytes[...])
            case .match: try result.append(text[match.range])
            case .before: try result.append(text[..<match.range.lowerBound])
            case .behind: try result.append(text[match.range.upperBound...])
            case .group(let index):
                guard let range = match.captures[index] else { continue }
                try result.append(text[range])
            }
        }
    }
}

extension [UInt8] {
    /// Throws if the text would be longer than a function may return.
    mutating func append(_ part: ArraySlice<UInt8>) throws {
        guard count + part.count <= QueryLimits.resultText else { throw FunctionError.textTooLarge }
        self += part
    }
}
