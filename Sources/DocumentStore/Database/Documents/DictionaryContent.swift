import DocumentValues

/// The members of a dictionary: the JSON in which they came, until a member is changed or a container in them is
/// requested.
///
/// Most documents are only saved, or have a few members read: for that the text is enough.
enum DictionaryContent: Sendable {
    case text(ObjectText)
    case members(OrderedMembers)

    init(_ object: JSONObject = JSONObject()) { self = .members(Self.members(of: object)) }

    private static func members(of object: JSONObject) -> OrderedMembers {
        OrderedMembers(object.members.lazy.map { ($0.key, .json($0.value)) })
    }

    var members: OrderedMembers {
        switch self {
        case .text(let text): Self.members(of: text.object)
        case .members(let members): members
        }
    }

    /// The JSON, if no member has been taken out of it.
    var text: ObjectText? {
        switch self {
        case .text(let text): text
        case .members: nil
        }
    }

    var keys: [String] {
        switch self {
        case .text(let text): text.keys
        case .members(let members): members.keys
        }
    }

    var containers: [NodeValue] {
        switch self {
        case .text: []
        case .members(let members): members.all.map(\.value).filter { $0.container != nil }
        }
    }

    /// Looks up a member. A text with many members is parsed for it, so that not every look passes over all of them.
    mutating func value(forKey key: String) -> NodeValue? {
        if case .text(let text) = self {
            guard text.count > ObjectText.fewMembers else { return text[key].map(NodeValue.json) }
            self = .members(members)
        }
        return members[key]
    }

    mutating func set(_ value: NodeValue, forKey key: String) { change { $0.set(value, forKey: key) } }

    mutating func remove(_ key: String) { change { $0.remove(key) } }

    private mutating func change(_ body: (inout OrderedMembers) -> Void) {
        var members = members
        // The local must be the only reference to the members: otherwise each change would copy all of them.
        self = .members(OrderedMembers())
        body(&members)
        self = .members(members)
    }
}
