import Crypto
import DocumentValues

extension Form {
    /// The whole definition, with its digest.
    package var definition: JSONObject {
        var object = body
        object["digest"] = .string(digest)
        return object
    }

    /// `sha256-` and 64 hexadecimal digits: of the canonical JSON without the envelope, the digest itself, and what only
    /// says where the form comes from (`source`, `source_row`), so that an imported copy of an export has the same.
    package var digest: String {
        let content = body.filter { !Self.envelope.contains(Name($0)) && !$0.hasPrefix("_") }
        let plain = Self.withoutSource(.object(content)).objectValue ?? [:]
        return "sha256-" + Hexadecimal.encode(SHA256.hash(data: Self.canonical(plain)))
    }

    /// Members sorted by their bytes, numbers in one spelling, no white space.
    package static func canonical(_ object: JSONObject) -> [UInt8] {
        JSONWriter(sortsKeys: true).bytes(withCanonicalNumbers(.object(object)))
    }

    /// Members of every document, which say nothing about the form.
    private static let envelope: Set<Name> = [
        "type", "schema", "channels", "createdBy", "createdAt", "changedBy", "changedAt", "district", "device",
    ]

    private var body: JSONObject {
        var writer = MemberWriter()
        writer.add("type", text: Self.type)
        writer.add("schema", value: .int(Self.schema))
        writer.add("form", name: id)
        writer.add("version", text: version)
        writer.add("title", formText: title)
        writer.add("root", name: root)
        writer.add("languages", objects: languages.map { ["code": .string($0.code.text), "name": .string($0.name)] })
        writer.add("default_language", name: defaultLanguage)
        writer.add("instance_name", text: instanceName)
        writer.add("settings", objectIfAny: settings.object)
        writer.add("record", value: record.json)
        writer.add("lists", members: lists.map { .init(key: $0.name.text, value: $0.json) })
        writer.add("files", members: files.map { .init(key: $0.name.text, value: $0.json) })
        writer.add("texts", members: texts.map { .init(key: $0.id.text, value: $0.text.json) })
        writer.add("nodes", objects: nodes.map(\.object))
        writer.add("entities", objects: entities.map(\.object))
        writer.add("source", value: source.map { .object($0) })
        return writer.object(with: rest)
    }

    private static func withCanonicalNumbers(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .string: value
        case .number(let number): (try? JSONValue(parsing: FormNumberText.canonical(number))) ?? value
        case .array(let elements): .array(elements.map { withCanonicalNumbers($0) })
        case .object(let object):
            .object(JSONObject(members: object.map { .init(key: $0.key, value: withCanonicalNumbers($0.value)) }))
        }
    }

    private static func withoutSource(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .string, .number: value
        case .array(let elements): .array(elements.map { withoutSource($0) })
        case .object(let object):
            .object(
                JSONObject(
                    members: object.filter { $0 != "source" && $0 != "source_row" }
                        .map { .init(key: $0.key, value: withoutSource($0.value)) }))
        }
    }
}

extension MemberWriter {
    fileprivate mutating func add(_ key: String, objectIfAny object: JSONObject) {
        if !object.isEmpty { add(key, value: .object(object)) }
    }

    fileprivate mutating func add(_ key: String, members: [JSONObject.Member]) {
        add(key, objectIfAny: JSONObject(members: members))
    }
}

extension FormSettings {
    fileprivate var object: JSONObject {
        var writer = MemberWriter()
        if clientEditable { writer.add("client_editable", value: true) }
        if allowChoiceDuplicates { writer.add("allow_choice_duplicates", value: true) }
        if omitInstanceID { writer.add("omit_instance_id", value: true) }
        writer.add("style", text: style)
        return writer.object(with: rest)
    }
}

extension RecordBinding {
    fileprivate var json: JSONValue? {
        switch self {
        case .response: nil
        case .inspection(let bound):
            [
                "inspection": .object(
                    JSONObject(members: bound.map { .init(key: $0.name.text, value: .string($0.text)) }))
            ]
        }
    }
}

extension FormEntity {
    fileprivate var object: JSONObject {
        var writer = MemberWriter()
        writer.add("list_name", name: listName)
        writer.add("label", text: label)
        writer.add("entity_id", text: entityID)
        writer.add("create_if", text: createIf)
        writer.add("update_if", text: updateIf)
        writer.add("repeat", name: `repeat`)
        writer.add("source_row", row: sourceRow)
        return writer.object(with: rest)
    }
}
