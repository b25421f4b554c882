/// A collection's full name: `scope.collection`.
public struct CollectionName: Sendable, Hashable, Comparable, CustomStringConvertible {
    public static let defaultScope = "_default"
    public static let defaultCollection = "_default"
    public static let `default` = CollectionName(uncheckedScope: defaultScope, name: defaultCollection)

    public let scope: String
    public let name: String

    private init(uncheckedScope scope: String, name: String) {
        self.scope = scope
        self.name = name
    }

    /// Letters, digits, `_`, `-` and `%`, 1 to 251 characters, not beginning with `_` or `%`; `_default` is allowed,
    /// as a scope with any collection, as a collection in the default scope only.
    public init(scope: String = defaultScope, name: String) throws(NameError) {
        guard scope == Self.defaultScope || Self.isValid(scope) else { throw NameError(kind: .scope, name: scope) }
        let isDefault = name == Self.defaultCollection && scope == Self.defaultScope
        guard isDefault || Self.isValid(name) else { throw NameError(kind: .collection, name: name) }
        self.init(uncheckedScope: scope, name: name)
    }

    /// Reads `scope.collection`, or `collection` of the default scope, as the protocol writes it.
    public init(parsing text: String) throws(NameError) {
        let parts = text.split(atByte: ".", omittingEmptySubsequences: false).map { String($0) }
        switch parts.count {
        case 1: try self.init(name: parts[0])
        case 2: try self.init(scope: parts[0], name: parts[1])
        default: throw NameError(kind: .collection, name: text)
        }
    }

    public var isDefault: Bool { self == .default }

    /// `scope.collection`, the default scope written out.
    public var description: String { "\(scope).\(name)" }

    /// The protocol's form: the default scope is left out.
    public var wireName: String { scope == Self.defaultScope ? name : description }

    public static func < (left: CollectionName, right: CollectionName) -> Bool {
        left.scope.isExactly(right.scope)
            ? left.name.isExactlyBefore(right.name) : left.scope.isExactlyBefore(right.scope)
    }

    private static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 251 else { return false }
        guard first != UInt8(ascii: "_"), first != UInt8(ascii: "%") else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "%"):
                true
            default: false
            }
        }
    }
}

/// A name that a scope or a collection cannot have.
public struct NameError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable { case scope, collection }

    public let kind: Kind
    public let name: String

    public var description: String {
        "'\(name)' is not a \(kind.rawValue) name: use letters, digits, '_', '-' and '%', at most 251, "
            + "not beginning with '_' or '%'"
    }
}
