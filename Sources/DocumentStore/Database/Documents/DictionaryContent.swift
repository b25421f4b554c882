import DocumentValues

/// The members of a dictionary: the JSON that they came in, as long as nobody changes one or holds a container of them.
///
/// Most documents are saved as they were made, or have a few members looked at: that takes no more than their text.
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

    /// The JSON, where it is still that.
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

    /// Looks up a member. The text of many is taken apart for it, lest each look passes over all of them.
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
        // Nobody else may hold them: each change would copy all.
        self = .members(OrderedMembers())
        body(&members)
        self = .members(members)
    }
}
