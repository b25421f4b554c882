import DocumentValues

/// A part that an object has encoded: a value, or a slot that its container fills later.
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
        // An empty slot is an empty object, as Foundation's encoder has it.
        case .slot(let slot): slot.part?.json ?? .object([:])
        }
    }
}

/// The output of one encoder. An object and its superclass may request the same container.
final class EncodedSlot {
    /// `nil` until something is encoded.
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
    /// The slots of containers: a second request for the same name gets the same slot.
    private var slots: [Name: EncodedSlot] = [:]

    /// The later of two parts with one name counts.
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
