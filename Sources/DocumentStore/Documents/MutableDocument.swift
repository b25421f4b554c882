import DocumentValues

/// A document that can be changed and then saved.
public final class MutableDocument: Document, MutableDictionaryProtocol, @unchecked Sendable {
    /// A new document with an id of its own making.
    public convenience init() { self.init(id: nil) }

    /// A new document; with `nil` it gets an id of its own making.
    public init(id: String?) {
        super.init(id: id ?? Self.generatedID(), body: JSONObject(), version: Version())
    }

    public convenience init(data: [String: Any]) { self.init(id: nil, data: data) }

    public convenience init(id: String?, data: [String: Any]) {
        self.init(id: id)
        setData(data)
    }

    public convenience init(json: String) throws { try self.init(id: nil, json: json) }

    public convenience init(id: String?, json: String) throws {
        self.init(id: id)
        try setJSON(json)
    }

    package convenience init(id: String?, body: JSONObject) {
        self.init(id: id)
        node.replaceAll(with: body)
    }

    override init(copying other: Document) { super.init(copying: other) }

    private static func generatedID() -> String {
        var generator = SystemRandomNumberGenerator()
        return DocumentIDRules.generated(from: (0..<16).map { _ in .random(in: .min ... .max, using: &generator) })
    }

    /// Replaces all members.
    package func setBody(_ body: JSONObject) { node.replaceAll(with: body) }

    public override subscript(key: String) -> MutableFragment { MutableFragment(node, key: key) }

    public override func array(forKey key: String) -> MutableArrayObject? {
        MutableFragment(node, key: key).array as? MutableArrayObject
    }

    public override func dictionary(forKey key: String) -> MutableDictionaryObject? {
        MutableFragment(node, key: key).dictionary as? MutableDictionaryObject
    }

    @discardableResult public func setValue(_ value: Any?, forKey key: String) -> Self {
        node.set(ValueConversion.node(value, origin: node.origin), forKey: key)
        return self
    }

    @discardableResult public func removeValue(forKey key: String) -> Self {
        node.remove(key)
        return self
    }

    @discardableResult public func setData(_ data: [String: Any]) -> Self {
        node.replaceAll(with: ValueConversion.members(data, origin: node.origin))
        return self
    }

    @discardableResult public func setJSON(_ json: String) throws -> Self {
        node.replaceAll(with: try JSONObject(userText: json))
        return self
    }
}

/// The document of an id, or its absence: `collection["id"]["name"].string`.
public final class DocumentFragment {
    public let document: Document?

    init(_ document: Document?) { self.document = document }

    public var exists: Bool { document != nil }

    public subscript(key: String) -> Fragment { document?[key] ?? Fragment(nil) }
}
