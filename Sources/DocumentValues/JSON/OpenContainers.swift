/// An object or an array of which a part was read.
struct OpenContainer {
    let isObject: Bool
    /// The name of the member whose value comes next.
    var key = ""
    private var members: [JSONObject.Member] = []
    private var elements: [JSONValue] = []

    init(isObject: Bool) { self.isObject = isObject }

    var closing: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    var value: JSONValue { isObject ? .object(JSONObject(members: members)) : .array(elements) }

    mutating func append(_ value: JSONValue) {
        if isObject {
            members.append(JSONObject.Member(key: key, value: value))
        } else {
            elements.append(value)
        }
    }
}

/// Which of the containers around a position are objects, one bit each; allocates memory only for more than 64.
struct ContainerKinds {
    private var bits: UInt64 = 0
    private var count = 0
    private var outer: [UInt64] = []

    /// Whether the innermost is an object.
    var last: Bool { bits & 1 == 1 }

    mutating func append(_ isObject: Bool) {
        if count > 0, count.isMultiple(of: 64) { outer.append(bits) }
        bits = bits << 1 | (isObject ? 1 : 0)
        count += 1
    }

    mutating func removeLast() {
        count -= 1
        bits >>= 1
        if count > 0, count.isMultiple(of: 64) { bits = outer.removeLast() }
    }
}
