import DocumentValues

/// Takes the members of an object one by one. What cannot be read stays in `rest`, with a problem, so that nothing of a
/// definition is lost when it is written again.
struct MemberReader {
    private let object: JSONObject
    private let path: String
    private var taken: Set<Name> = []
    private(set) var problems: [FormProblem] = []

    init(_ object: JSONObject, path: String) {
        self.object = object
        self.path = path
    }

    /// All members that were not taken.
    var rest: JSONObject { object.filter { !taken.contains(Name($0)) } }

    func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    mutating func report(_ message: String, at key: String) {
        problems.append(FormProblem(path: path(of: key), message: message))
    }

    mutating func add(_ others: [FormProblem]) { problems += others }

    /// The value of a member; `nil` where it is missing, and where `read` cannot take it: then it stays, with the message.
    mutating func take<Value>(_ key: String, or message: String, read: (JSONValue) -> Value?) -> Value? {
        guard let value = object[key] else { return nil }
        guard let result = read(value) else {
            report(message, at: key)
            return nil
        }
        taken.insert(Name(key))
        return result
    }

    mutating func text(_ key: String) -> String? {
        take(key, or: "must be a text") { $0.stringValue }
    }

    mutating func name(_ key: String) -> Name? { text(key).map { Name($0) } }

    mutating func flag(_ key: String) -> Bool? {
        take(key, or: "must be true or false") { $0.boolValue }
    }

    mutating func row(_ key: String) -> Int? {
        take(key, or: "must be a whole number") { $0.integerValue.flatMap { Int(exactly: $0) } }
    }

    mutating func texts(_ key: String) -> [String]? {
        take(key, or: "must be a list of texts") { $0.texts }
    }

    mutating func formText(_ key: String) -> FormText? {
        take(key, or: "must be a text, or an object with a text for each language") { FormText($0) }
    }

    mutating func namedTexts(_ key: String) -> [NamedText]? {
        take(key, or: "must be an object of texts") { $0.namedTexts }
    }

    mutating func media(_ key: String) -> FormMedia? {
        take(key, or: "must be an object whose members are image, big-image, audio or video") { FormMedia($0) }
    }

    /// The elements of an array, each an object.
    mutating func objects(_ key: String) -> [JSONObject]? {
        take(key, or: "must be a list of objects") { $0.objects }
    }
}

extension JSONValue {
    var texts: [String]? {
        guard let elements = arrayValue else { return nil }
        let texts = elements.compactMap(\.stringValue)
        return texts.count == elements.count ? texts : nil
    }

    var objects: [JSONObject]? {
        guard let elements = arrayValue else { return nil }
        let objects = elements.compactMap(\.objectValue)
        return objects.count == elements.count ? objects : nil
    }

    var namedTexts: [NamedText]? {
        guard let object = objectValue else { return nil }
        let texts = object.members.compactMap { member in
            member.value.stringValue.map { NamedText(name: Name(member.key), text: $0) }
        }
        return texts.count == object.count ? texts : nil
    }
}

extension FormText {
    /// `nil` for another value than a text or an object of texts.
    package init?(_ value: JSONValue) {
        if let text = value.stringValue {
            self = .plain(text)
        } else if let texts = value.namedTexts {
            self = .translated(texts.map { Translation(language: $0.name, text: $0.text) })
        } else {
            return nil
        }
    }

    package var json: JSONValue {
        switch self {
        case .plain(let text): .string(text)
        case .translated(let translations):
            .object(JSONObject(members: translations.map { .init(key: $0.language.text, value: .string($0.text)) }))
        }
    }
}

extension FormMedia {
    init?(_ value: JSONValue) {
        guard let object = value.objectValue else { return nil }
        let items = object.members.compactMap { member -> Item? in
            guard let kind = Kind(exactly: member.key), let file = FormText(member.value) else { return nil }
            return Item(kind: kind, file: file)
        }
        guard items.count == object.count else { return nil }
        self.init(items: items)
    }

    var json: JSONValue {
        .object(JSONObject(members: items.map { .init(key: $0.kind.rawValue, value: $0.file.json) }))
    }
}
