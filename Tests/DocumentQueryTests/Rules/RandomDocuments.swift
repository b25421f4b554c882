import DocumentValues
import SeededRandom

/// Values that expressions and documents are made of: those at limits, and texts that look like something else.
enum RandomValues {
    static let whole = [
        "0", "1", "2", "3", "-1", "-7", "42", "100", "2047", "2048", "-2049", "65536", "9007199254740992",
        "9007199254740993", "9223372036854775807", "9223372036854775806", "-9223372036854775808",
    ]

    static let doubles = [
        "0.0", "-0.0", "1.0", "2.0", "0.5", "-0.5", "1.5", "2.5", "-2.5", "2.45", "0.1", "1e308", "-1e308", "5e-324",
        "9007199254740992.0", "9.223372036854776e18", "-9.223372036854776e18", "1e15", "1e16", "1e20", "0.0001",
        "1.25e-7",
    ]

    static let texts = [
        "", " ", "a", "A", "ab", "aB", "abc", "b", "z", " a ", "é", "É", "e\u{301}", "straße", "ΟΔΟΣ ΑΣ", "日本", "😀",
        "it's",
        "\"q\"",
        "%", "_", "a%", "%b%", "a_c", "\\%", "a\\", "1", "0", "42", "-1.5e2", "0x1F", "3abc", "1e3", "1e3x", ".5", "5.",
        "1.e2", "007", " 7", "\t8 ", "+9", "-", "1e", "9223372036854775807", "9223372036854775808", "Infinity", "true",
        "null", "NULL", "[1]", "{}", "1.0", "\u{3000}x", "\u{A0}x ", "a\nb", "object",
    ]

    static func number(_ text: String) -> JSONValue {
        guard let number = try? JSONValue(parsing: text) else { preconditionFailure("\(text) is no number") }
        return number
    }
}

/// Documents whose members have mostly the kind that their names say, and now and then another, or are not there.
struct RandomDocuments {
    static let wholeNames = ["i", "j"]
    static let doubleNames = ["d", "f"]
    static let textNames = ["s", "t"]
    static let arrayNames = ["a", "l"]
    static let objectNames = ["o", "p"]
    static let anyNames = ["m", "k", "b", "n"]
    static let names = wholeNames + doubleNames + textNames + arrayNames + objectNames + anyNames

    private var random: SimulationRandom

    init(seed: UInt64) { random = SimulationRandom(seed: seed) }

    mutating func next() -> JSONObject { JSONObject(members: members(depth: 3)) }

    private mutating func members(depth: Int) -> [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        for name in Self.names where random.chance(depth == 3 ? 92 : depth == 2 ? 40 : 20) {
            let value = random.chance(75) ? value(of: name, depth: depth) : anything(depth: depth)
            members.append(JSONObject.Member(key: name, value: value))
        }
        return members
    }

    private mutating func value(of name: String, depth: Int) -> JSONValue {
        if Self.wholeNames.contains(name) { return number(RandomValues.whole) }
        if Self.doubleNames.contains(name) { return number(RandomValues.doubles) }
        if Self.textNames.contains(name) { return text() }
        if Self.arrayNames.contains(name) { return array(depth: depth) }
        if Self.objectNames.contains(name) { return .object(JSONObject(members: members(depth: depth - 1))) }
        if name == "b" { return .bool(random.chance(50)) }
        return name == "n" ? .null : anything(depth: depth)
    }

    private mutating func anything(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: .null
        case 1: .bool(random.chance(50))
        case 2: number(RandomValues.whole)
        case 3: number(RandomValues.doubles)
        case 4: text()
        case 5: array(depth: depth)
        default: .object(JSONObject(members: members(depth: depth - 1)))
        }
    }

    private mutating func number(_ texts: [String]) -> JSONValue { RandomValues.number(random.pick(texts) ?? "0") }

    /// Only texts of documents have a NUL: no query has one.
    private mutating func text() -> JSONValue { .string(random.pick(RandomValues.texts + ["a\u{0}b"]) ?? "") }

    /// Empty, of one kind, or of several.
    private mutating func array(depth: Int) -> JSONValue {
        let count = Int.random(in: 0...4, using: &random)
        let isOfNumbers = random.chance(40)
        return .array((0..<count).map { _ in isOfNumbers ? number(RandomValues.whole) : anything(depth: depth - 1) })
    }
}
