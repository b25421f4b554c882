import DocumentValues

/// Which of two values is current where two people gave a field different ones.
///
/// The one that says more: something before nothing, then by the sort of value (a list before a text, a text before a
/// number, a number before yes or no), the greater number, yes before no, the longer text, and among equally long ones
/// the later in the order of its bytes. Nothing else counts, neither person, device nor time: so a wrong clock neither
/// wins nor loses, and every laptop decides alike.
enum ValueOrder {
    /// The same bytes for the same value, whatever the order of its members; none for an absent one and for `null`.
    static func key(_ value: JSONValue?) -> [UInt8] {
        switch value {
        case nil, .null?: []
        case let value?: JSONWriter(sortsKeys: true).bytes(spelledAlike(value))
        }
    }

    /// `4` and `4.0` are one number, also within a list or an object.
    private static func spelledAlike(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .string: value
        case .number(let number): .number(spelledAlike(number))
        case .array(let elements): .array(elements.map(spelledAlike))
        case .object(let object):
            .object(
                JSONObject(
                    members: object.members.map { JSONObject.Member(key: $0.key, value: spelledAlike($0.value)) }))
        }
    }

    private static func spelledAlike(_ number: JSONNumber) -> JSONNumber {
        if let whole = number.int64 { return JSONNumber(whole) }
        return number.uint64.map { JSONNumber($0) } ?? JSONNumber(number.double)
    }

    /// The value, or nothing for `null`.
    static func present(_ value: JSONValue?) -> JSONValue? {
        guard let value, !value.isNull else { return nil }
        return value
    }

    static func isSame(_ left: JSONValue?, and right: JSONValue?) -> Bool { key(left) == key(right) }

    static func isSame(_ left: JSONObject, and right: JSONObject) -> Bool { isSame(.object(left), and: .object(right)) }

    /// The more informative of two values; of two spellings of one value always the same one.
    static func greater(_ left: JSONValue?, and right: JSONValue?) -> JSONValue? {
        precedes(left, over: right) ? right : left
    }

    /// - Parameter ranks: texts with an order of their own, the greatest last.
    static func precedes(_ left: JSONValue?, over right: JSONValue?, ranks: [String]) -> Bool {
        func index(_ value: JSONValue?) -> Int? {
            value?.stringValue.flatMap { text in ranks.firstIndex { $0.isExactly(text) } }
        }
        guard let left = index(left), let right = index(right) else { return precedes(left, over: right) }
        return left < right
    }

    static func precedes(_ left: JSONValue?, over right: JSONValue?) -> Bool {
        let ranks = (rank(left), rank(right))
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
        if case (.number(let left)?, .number(let right)?) = (left, right), left.double != right.double {
            return left.double < right.double
        }
        return isShorterOrEarlier(bytes(left), than: bytes(right))
    }

    private static func rank(_ value: JSONValue?) -> Int {
        switch value {
        case nil, .null?: 0
        case .string(let text)? where text.utf8.isEmpty: 1
        case .bool?: 2
        case .number?: 3
        case .string?: 4
        case .array?: 5
        case .object?: 6
        }
    }

    /// `f` of `false` is before `t` of `true`, so the longer text would say less.
    private static func bytes(_ value: JSONValue?) -> [UInt8] {
        switch value {
        case .bool(let bool)?: [bool ? 1 : 0]
        case let value?: JSONWriter(sortsKeys: true).bytes(value)
        case nil: []
        }
    }

    static func isShorterOrEarlier(_ left: [UInt8], than right: [UInt8]) -> Bool {
        left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
}
