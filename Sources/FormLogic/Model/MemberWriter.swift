import DocumentValues

/// Gathers the members of an object in the order in which they are added; those without a value are left out.
struct MemberWriter {
    private var members: [JSONObject.Member] = []

    /// The members, and behind them those that were kept without being known. A kept one replaces one that was added: it
    /// is what could not be read.
    func object(with rest: JSONObject) -> JSONObject { JSONObject(members: members).setting(rest) }

    mutating func add(_ key: String, value: JSONValue?) {
        if let value { members.append(.init(key: key, value: value)) }
    }

    mutating func add(_ key: String, text: String?) { add(key, value: text.map { .string($0) }) }

    mutating func add(_ key: String, name: Name?) { add(key, text: name?.text) }

    mutating func add(_ key: String, formText: FormText?) { add(key, value: formText?.json) }

    mutating func add(_ key: String, row: Int?) { add(key, value: row.map { .int($0) }) }

    /// Left out when there are none.
    mutating func add(_ key: String, texts: [String]) {
        if !texts.isEmpty { add(key, value: .array(texts.map { .string($0) })) }
    }

    mutating func add(_ key: String, named texts: [NamedText]) {
        guard !texts.isEmpty else { return }
        add(key, value: .object(JSONObject(members: texts.map { .init(key: $0.name.text, value: .string($0.text)) })))
    }

    mutating func add(_ key: String, objects: [JSONObject]) {
        if !objects.isEmpty { add(key, value: .array(objects.map { .object($0) })) }
    }

    mutating func add(_ key: String, media: FormMedia) {
        if !media.isEmpty { add(key, value: media.json) }
    }
}
