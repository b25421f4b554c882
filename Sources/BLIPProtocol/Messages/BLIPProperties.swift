/// A message's properties: short texts by name, in the order in which they are written.
///
/// A name is there at most once. The order has no meaning; it is kept so that messages can be compared byte by byte.
public struct BLIPProperties: Sendable, Hashable {
    public struct Element: Sendable, Hashable {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    public private(set) var elements: [Element]

    public init() { elements = [] }

    public var isEmpty: Bool { elements.isEmpty }
    public var count: Int { elements.count }
    /// In a message, without the length in front: each name and each value ends with a NUL.
    package var byteCount: Int { elements.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 2 } }

    /// Reads, replaces (in place), adds (at the end) or, with `nil`, removes a property.
    ///
    /// A property that is there with an empty value reads as `""`; `nonEmpty(_:)` treats it as absent.
    public subscript(key: String) -> String? {
        get { elements.first { Self.isSame($0.key, as: key) }?.value }
        set {
            let index = elements.firstIndex { Self.isSame($0.key, as: key) }
            switch (index, newValue) {
            case (let index?, let value?): elements[index].value = value
            case (let index?, nil): elements.remove(at: index)
            case (nil, let value?): elements.append(Element(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// By their bytes: Swift's `==` sorts the combining marks of a text, which takes time with the square of their number.
    /// Each property of a message is compared with several keys, most of which have another length.
    static func isSame(_ key: String, as other: String) -> Bool {
        guard key.utf8.count == other.utf8.count else { return false }
        let areSame = key.utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { left.elementsEqual($0) }
        }
        return (areSame ?? nil) ?? key.utf8.elementsEqual(other.utf8)
    }

    /// The value, unless it is absent or empty; the protocol makes no difference between the two.
    public func nonEmpty(_ key: String) -> String? {
        guard let value = self[key], !value.isEmpty else { return nil }
        return value
    }

    /// Adds a property without checking whether it exists: for writing a list of known, different names.
    public mutating func append(_ key: String, value: String) {
        elements.append(Element(key: key, value: value))
    }

    public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }

    /// The kind of the request.
    public var profile: String? {
        get { self[Self.profileKey] }
        set { self[Self.profileKey] = newValue }
    }

    public static let profileKey = "Profile"
    public static let errorDomainKey = "Error-Domain"
    public static let errorCodeKey = "Error-Code"
    public static let contentTypeKey = "Content-Type"
}

extension BLIPProperties: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        self.elements = elements.map { Element(key: $0.0, value: $0.1) }
    }
}

extension BLIPProperties: Sequence {
    public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }
}
