import DocumentValues

extension JSONDelta {
    /// - Parameter delta: from any client; an invalid one is refused, and never guessed at.
    package static func apply(_ delta: JSONValue, to old: JSONObject) throws(Mismatch) -> JSONObject {
        switch delta {
        case .object(let changes): return try apply(changes, to: old, level: 0)
        case .array(let elements):
            guard elements.count == 1, let whole = elements[0].objectValue else {
                throw Mismatch(reason: "The whole document becomes no object")
            }
            return whole
        case .null, .bool, .number, .string: throw Mismatch(reason: "The delta is neither an object nor an array")
        }
    }

    private static func apply(
        _ changes: JSONObject, to old: JSONObject, level: Int
    ) throws(Mismatch) -> JSONObject {
        var open = changes.byKey
        var members: [JSONObject.Member] = []
        members.reserveCapacity(old.count + changes.count)
        for member in old.members {
            guard let change = open.removeValue(forKey: Name(member.key)) else {
                members.append(member)
                continue
            }
            guard let value = try value(of: change, over: member.value, level: level + 1) else { continue }
            members.append(JSONObject.Member(key: member.key, value: value))
        }
        for change in changes.members where open[Name(change.key)] != nil {
            guard let value = try value(of: change.value, over: nil, level: level + 1) else { continue }
            members.append(JSONObject.Member(key: change.key, value: value))
        }
        return JSONObject(members: members)
    }

    /// The value after a change; `nil` if the change removes it.
    private static func value(
        of change: JSONValue, over old: JSONValue?, level: Int
    ) throws(Mismatch) -> JSONValue? {
        switch change {
        case .null, .bool, .number, .string: return change
        case .array(let elements): return try value(of: elements, over: old)
        case .object(let changes):
            if changes.isEmpty { return old }
            guard level < deepest else { throw Mismatch(reason: "A difference of more than \(deepest) levels") }
            switch old {
            case .object(let old): return .object(try apply(changes, to: old, level: level))
            case .array(let old): return .array(try apply(changes, to: old, level: level))
            case nil, .null, .bool, .number, .string:
                throw Mismatch(reason: "A difference inside something that has no inside")
            }
        }
    }

    private static func value(of elements: [JSONValue], over old: JSONValue?) throws(Mismatch) -> JSONValue? {
        switch elements.count {
        case 0:
            guard old != nil else { throw Mismatch(reason: "Something is deleted that is not there") }
            return nil
        case 1: return elements[0]
        case 2: return elements[1]
        case 3: return try marked(elements, over: old)
        default: throw Mismatch(reason: "A change of \(elements.count) elements")
        }
    }

    private static func marked(_ elements: [JSONValue], over old: JSONValue?) throws(Mismatch) -> JSONValue? {
        guard elements[1].integerValue == 0 else { throw Mismatch(reason: "A change of an unknown kind") }
        switch elements[2].integerValue {
        case Marker.deletion:
            guard old != nil else { throw Mismatch(reason: "Something is deleted that is not there") }
            return nil
        case Marker.text:
            guard let patch = elements[0].stringValue, let old = old?.stringValue else {
                throw Mismatch(reason: "A text is changed that is none")
            }
            return .string(try TextPatch.apply(patch, to: old))
        default: throw Mismatch(reason: "A change of an unknown kind")
        }
    }

    private static func apply(
        _ changes: JSONObject, to old: [JSONValue], level: Int
    ) throws(Mismatch) -> [JSONValue] {
        var result = old
        var tail: (start: Int, elements: [JSONValue])?
        for change in changes.members {
            if change.key.utf8.last == UInt8(ascii: "-") {
                guard tail == nil, let start = index(change.key.dropLast()), start <= old.count,
                    let elements = change.value.arrayValue
                else { throw Mismatch(reason: "'\(change.key)' is no index of an array of \(old.count)") }
                tail = (start, elements)
            } else {
                guard let index = index(change.key[...]), index < old.count,
                    let element = try value(of: change.value, over: old[index], level: level + 1)
                else { throw Mismatch(reason: "'\(change.key)' cannot be changed in an array of \(old.count)") }
                result[index] = element
            }
        }
        if let tail { result.replaceSubrange(tail.start..., with: tail.elements) }
        return result
    }

    /// Digits only, since the number parser would also accept `+1`.
    private static func index(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
