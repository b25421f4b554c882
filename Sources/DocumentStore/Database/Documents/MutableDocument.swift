import DocumentValues

/// A document that can be changed and then saved.
public final class MutableDocument: Document, MutableDictionaryProtocol, @unchecked Sendable {
    /// A new document with a generated id.
    public convenience init() { self.init(id: nil) }

    /// A new document; with `nil` it gets a generated id.
    public init(id: String?) {
        super.init(id: id ?? Self.generatedID(), version: Version())
    }

    /// A new document with these members and a generated id.
    public convenience init(data: [String: Any]) { self.init(id: nil, data: data) }

    /// A new document with these members; with `nil` it gets a generated id.
    public convenience init(id: String?, data: [String: Any]) {
        self.init(id: id)
        setData(data)
    }

    /// A new document with the members of a JSON object and a generated id.
    ///
    /// - Throws: ``StoreError`` `.invalidParameter` for any other text.
    public convenience init(json: String) throws { try self.init(id: nil, json: json) }

    /// A new document with the members of a JSON object; with `nil` it gets a generated id.
    ///
    /// - Throws: ``StoreError`` `.invalidParameter` for any other text.
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

    /// The member, which can be changed.
    public override subscript(key: String) -> MutableFragment { MutableFragment(node, key: key) }

    /// The array, which can be changed; `nil` where there is none.
    public override func array(forKey key: String) -> MutableArrayObject? {
        MutableFragment(node, key: key).array
    }

    /// The dictionary, which can be changed; `nil` where there is none.
    public override func dictionary(forKey key: String) -> MutableDictionaryObject? {
        MutableFragment(node, key: key).dictionary
    }

    /// Stores a value: `nil` and `NSNull` as null, a `Date` as an ISO 8601 text. A value that no document can hold is
    /// refused when the document is saved.
    @discardableResult public func setValue(_ value: Any?, forKey key: String) -> Self {
        node.set(ValueConversion.node(value, origin: node.origin), forKey: key)
        return self
    }

    /// Removes the member; where there is none, nothing happens.
    @discardableResult public func removeValue(forKey key: String) -> Self {
        node.remove(key)
        return self
    }

    /// Replaces all members.
    @discardableResult public func setData(_ data: [String: Any]) -> Self {
        node.replaceAll(with: ValueConversion.members(data, origin: node.origin))
        return self
    }

    /// Replaces all members by those of a JSON object.
    ///
    /// - Throws: ``StoreError`` `.invalidParameter` for any other text; then nothing is replaced.
    @discardableResult public func setJSON(_ json: String) throws -> Self {
        node.replaceAll(with: try ObjectText(userText: json))
        return self
    }
}

/// The document of an id, or its absence: `collection["id"]["name"].string`.
public final class DocumentFragment {
    /// The document; `nil` where there is none.
    public let document: Document?

    init(_ document: Document?) { self.document = document }

    /// Whether there is a document of that id.
    public var exists: Bool { document != nil }

    /// The member of the document, or its absence.
    public subscript(key: String) -> Fragment { document?[key] ?? Fragment(nil) }
}
