import DocumentValues

/// What an object has encoded: a value, or what is filled as long as somebody holds its container.
enum EncodedPart {
    case value(JSONValue)
    case members(EncodedMembers)
    case elements(EncodedElements)
    case slot(EncodedSlot)

    var json: JSONValue {
        switch self {
        case .value(let value): value
        case .members(let members): .object(members.json)
        case .elements(let elements): .array(elements.parts.map(\.json))
        // As Foundation has it where nothing was encoded.
        case .slot(let slot): slot.part?.json ?? .object([:])
        }
    }
}

/// What one encoder has encoded. An object and the one that it inherits from may ask for the same container.
final class EncodedSlot {
    /// `nil` until something is.
    var part: EncodedPart?

    func members() -> EncodedMembers {
        if case .members(let members)? = part { return members }
        let members = EncodedMembers()
        part = .members(members)
        return members
    }

    func elements() -> EncodedElements {
        if case .elements(let elements)? = part { return elements }
        let elements = EncodedElements()
        part = .elements(elements)
        return elements
    }
}

final class EncodedMembers {
    private var members: [(key: String, part: EncodedPart)] = []
    /// Of containers that were asked for: who asks again gets the same.
    private var slots: [Name: EncodedSlot] = [:]

    /// Of two of one name the later counts.
    func set(_ part: EncodedPart, forKey key: String) { members.append((key, part)) }

    func slot(forKey key: String) -> EncodedSlot {
        if let slot = slots[Name(key)] { return slot }
        let slot = EncodedSlot()
        slots[Name(key)] = slot
        members.append((key, .slot(slot)))
        return slot
    }

    var json: JSONObject { JSONObject(members: members.map { JSONObject.Member(key: $0.key, value: $0.part.json) }) }
}

final class EncodedElements {
    var parts: [EncodedPart] = []
}
