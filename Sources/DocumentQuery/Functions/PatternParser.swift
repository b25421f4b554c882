/// Reads a regular expression.
struct PatternParser {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var groups = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private static let bad = FunctionError("Invalid regular expression")

    mutating func readAll() throws -> [[BytePattern.Node]] {
        let alternatives = try readAlternatives()
        guard position == bytes.count else { throw Self.bad }
        guard !alternatives.contains(where: { hasBadReference($0) }) else { throw Self.bad }
        for nodes in alternatives { _ = try Self.repeats(nodes) }
        return alternatives
    }

    private func hasBadReference(_ nodes: [BytePattern.Node]) -> Bool {
        nodes.contains { node in
            switch node {
            case .back(let group): group > groups
            case .group(_, let inner), .look(_, let inner): inner.contains { hasBadReference($0) }
            case .repeated(let inner, _, _, _): hasBadReference([inner])
            case .byte, .set, .start, .end, .boundary: false
            }
        }
    }

    /// How often the part that is repeated most is repeated, by all counts around it.
    private static func repeats(_ nodes: [BytePattern.Node]) throws -> Int {
        var most = 1
        for node in nodes {
            switch node {
            case .group(_, let inner), .look(_, let inner): most = try inner.reduce(most) { max($0, try repeats($1)) }
            case .repeated(let inner, let least, let limit, _):
                let turns = max(1, limit == .max ? least : limit)
                let inside = try repeats([inner])
                let (product, overflow) = inside.multipliedReportingOverflow(by: turns)
                guard inside == 1 || turns == 1 || !overflow && product <= QueryLimits.patternRepeats else {
                    throw FunctionError(
                        "A regular expression repeats a part more than \(QueryLimits.patternRepeats) times")
                }
                most = max(most, product)
            case .byte, .set, .start, .end, .boundary, .back: break
            }
        }
        return most
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func readAlternatives() throws -> [[BytePattern.Node]] {
        guard depth < QueryLimits.patternNesting else { throw Self.bad }
        depth += 1
        defer { depth -= 1 }
        var alternatives: [[BytePattern.Node]] = [[]]
        while let byte = current, byte != UInt8(ascii: ")") {
            if take(UInt8(ascii: "|")) {
                alternatives.append([])
            } else {
                let node = try readQuantified()
                alternatives[alternatives.count - 1].append(node)
            }
        }
        return alternatives
    }

    private mutating func readQuantified() throws -> BytePattern.Node {
        let node = try readAtom()
        guard let (least, most) = try readCounts() else { return node }
        let isLazy = take(UInt8(ascii: "?"))
        return .repeated(node, least: least, most: most, isLazy: isLazy)
    }

    private mutating func readCounts() throws -> (Int, Int)? {
        if take(UInt8(ascii: "*")) { return (0, .max) }
        if take(UInt8(ascii: "+")) { return (1, .max) }
        if take(UInt8(ascii: "?")) { return (0, 1) }
        guard take(UInt8(ascii: "{")) else { return nil }
        guard let least = readNumber() else { throw Self.bad }
        var most = least
        if take(UInt8(ascii: ",")) { most = readNumber() ?? .max }
        guard take(UInt8(ascii: "}")), most >= least else { throw Self.bad }
        return (least, most)
    }

    /// `nil` where there are no digits. No text is as long as the largest `Int`, so a number beyond means the same.
    private mutating func readNumber() -> Int? {
        let start = position
        while let byte = current, byte >= 0x30, byte <= 0x39 { position += 1 }
        guard position > start else { return nil }
        return Int(String(decoding: bytes[start..<position], as: UTF8.self)) ?? .max
    }

    private mutating func readAtom() throws -> BytePattern.Node {
        guard let byte = current else { throw Self.bad }
        position += 1
        switch byte {
        case UInt8(ascii: "."): return .set(Self.set { $0 != 0x0A && $0 != 0x0D })
        case UInt8(ascii: "^"): return .start
        case UInt8(ascii: "$"): return .end
        case UInt8(ascii: "("): return try readGroup()
        case UInt8(ascii: "["): return .set(try readSet())
        case UInt8(ascii: "\\"): return try readEscape()
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"): throw Self.bad
        default: return .byte(byte)
        }
    }

    private mutating func readGroup() throws -> BytePattern.Node {
        var number: Int?
        var look: Bool?
        if take(UInt8(ascii: "?")) {
            if take(UInt8(ascii: "=")) {
                look = false
            } else if take(UInt8(ascii: "!")) {
                look = true
            } else {
                guard take(UInt8(ascii: ":")) else { throw Self.bad }
            }
        } else {
            guard groups < QueryLimits.patternGroups else {
                throw FunctionError("A regular expression has more than \(QueryLimits.patternGroups) groups")
            }
            groups += 1
            number = groups
        }
        let inner = try readAlternatives()
        guard take(UInt8(ascii: ")")) else { throw Self.bad }
        return look.map { .look(isNegated: $0, inner) } ?? .group(number, inner)
    }

    // MARK: Escapes

    private mutating func readEscape() throws -> BytePattern.Node {
        guard let byte = current else { throw Self.bad }
        switch byte {
        case UInt8(ascii: "b"), UInt8(ascii: "B"):
            position += 1
            return .boundary(isNegated: byte == UInt8(ascii: "B"))
        case UInt8(ascii: "1")...UInt8(ascii: "9"):
            guard let group = readNumber() else { throw Self.bad }
            return .back(group)
        default: return try readMembers()
        }
    }

    /// A class, or one byte, behind a backslash.
    private mutating func readMembers() throws -> BytePattern.Node {
        guard let byte = current else { throw Self.bad }
        position += 1
        if let members = Self.classMembers(byte) { return .set(members) }
        switch byte {
        case UInt8(ascii: "n"): return .byte(0x0A)
        case UInt8(ascii: "r"): return .byte(0x0D)
        case UInt8(ascii: "t"): return .byte(0x09)
        case UInt8(ascii: "v"): return .byte(0x0B)
        case UInt8(ascii: "f"): return .byte(0x0C)
        case UInt8(ascii: "0"): return .byte(0)
        case UInt8(ascii: "x"): return .byte(try readCode(2))
        case UInt8(ascii: "u"): return .byte(try readCode(4))
        case UInt8(ascii: "c"):
            guard let letter = current, Self.isLetter(letter) else { throw Self.bad }
            position += 1
            return .byte(letter & 31)
        default:
            guard !Self.isWord(byte) else { throw Self.bad }
            return .byte(byte)
        }
    }

    private mutating func readCode(_ digits: Int) throws -> UInt8 {
        guard position + digits <= bytes.count else { throw Self.bad }
        let written = bytes[position..<position + digits]
        // Checked first, because a sign would be read as a part of the number.
        guard written.allSatisfy(Self.isHexadecimal),
            let code = UInt32(String(decoding: written, as: UTF8.self), radix: 16), code < 256
        else { throw Self.bad }
        position += digits
        return UInt8(code)
    }

    private static func classMembers(_ byte: UInt8) -> [Bool]? {
        let isNegated = byte & 0x20 == 0
        let members: ((UInt8) -> Bool)? =
            switch byte | 0x20 {
            case UInt8(ascii: "d"): { $0 >= 0x30 && $0 <= 0x39 }
            case UInt8(ascii: "w"): isWord
            case UInt8(ascii: "s"): { $0 == 0x20 || $0 >= 0x09 && $0 <= 0x0D }
            default: nil
            }
        return members.map { members in set { members($0) != isNegated } }
    }

    // MARK: Sets

    private mutating func readSet() throws -> [Bool] {
        let isNegated = take(UInt8(ascii: "^"))
        var members = [Bool](repeating: false, count: 256)
        while !take(UInt8(ascii: "]")) {
            guard current != nil else { throw Self.bad }
            let (low, added) = try readMember()
            for (index, isIn) in added.enumerated() where isIn { members[index] = true }
            guard let low, current == UInt8(ascii: "-"), position + 1 < bytes.count,
                bytes[position + 1] != UInt8(ascii: "]")
            else { continue }
            position += 1
            guard let high = try readMember().byte, high >= low else { throw Self.bad }
            for byte in low...high { members[Int(byte)] = true }
        }
        return isNegated ? members.map { !$0 } : members
    }

    private mutating func readMember() throws -> (byte: UInt8?, members: [Bool]) {
        guard let byte = current else { throw Self.bad }
        position += 1
        if byte == UInt8(ascii: "["), take(UInt8(ascii: ":")) { return (nil, try readNamedClass()) }
        guard byte == UInt8(ascii: "\\") else { return (byte, Self.set { $0 == byte }) }
        if take(UInt8(ascii: "b")) { return (8, Self.set { $0 == 8 }) }
        switch try readMembers() {
        case .byte(let byte): return (byte, Self.set { $0 == byte })
        case .set(let members): return (nil, members)
        case .start, .end, .boundary, .group, .look, .back, .repeated: throw Self.bad
        }
    }

    private mutating func readNamedClass() throws -> [Bool] {
        let start = position
        while let byte = current, Self.isLetter(byte) { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        guard take(UInt8(ascii: ":")), take(UInt8(ascii: "]")) else { throw Self.bad }
        let isDigit: (UInt8) -> Bool = { $0 >= 0x30 && $0 <= 0x39 }
        switch name {
        case "alpha": return Self.set(Self.isLetter)
        case "digit", "d": return Self.set(isDigit)
        case "alnum": return Self.set { Self.isLetter($0) || isDigit($0) }
        case "upper": return Self.set { $0 >= 0x41 && $0 <= 0x5A }
        case "lower": return Self.set { $0 >= 0x61 && $0 <= 0x7A }
        case "space", "s": return Self.set { $0 == 0x20 || $0 >= 9 && $0 <= 13 }
        case "blank": return Self.set { $0 == 0x20 || $0 == 9 }
        case "punct": return Self.set { $0 > 0x20 && $0 < 0x7F && !Self.isLetter($0) && !isDigit($0) }
        case "cntrl": return Self.set { $0 < 0x20 || $0 == 0x7F }
        case "graph": return Self.set { $0 > 0x20 && $0 < 0x7F }
        case "print": return Self.set { $0 >= 0x20 && $0 < 0x7F }
        case "xdigit": return Self.set(Self.isHexadecimal)
        case "w": return Self.set(Self.isWord)
        default: throw Self.bad
        }
    }

    private static func set(_ isIn: (UInt8) -> Bool) -> [Bool] { (0..<256).map { isIn(UInt8($0)) } }

    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66
    }

    static func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || byte == 0x5F || byte >= 0x30 && byte <= 0x39 }
}
