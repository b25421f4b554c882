/// A name, or names, that callers read as `String`, in a value whose own equality and hash are to be those of the UTF-8:
/// `@Exact var documentID: String`.
///
/// The equality that the compiler makes of plain `String` members takes look-alike names for one. What is only a key or
/// an element of a set is a `Name`.
@propertyWrapper
public struct Exact<Value: ComparedExactly>: Sendable, Hashable {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public static func == (left: Exact, right: Exact) -> Bool { left.wrappedValue.isExactly(right.wrappedValue) }

    public func hash(into hasher: inout Hasher) { wrappedValue.hashExactly(into: &hasher) }
}

/// A text, perhaps a missing one, or a list of texts.
public protocol ComparedExactly: Sendable {
    func isExactly(_ other: Self) -> Bool
    func hashExactly(into hasher: inout Hasher)
}

extension String: ComparedExactly {
    public func hashExactly(into hasher: inout Hasher) { hasher.combine(Name(self)) }
}

extension Optional: ComparedExactly where Wrapped: ComparedExactly {
    public func isExactly(_ other: Wrapped?) -> Bool {
        switch (self, other) {
        case (let left?, let right?): left.isExactly(right)
        case (nil, nil): true
        case (nil, _?), (_?, nil): false
        }
    }

    public func hashExactly(into hasher: inout Hasher) {
        hasher.combine(self == nil)
        self?.hashExactly(into: &hasher)
    }
}

extension Array: ComparedExactly where Element: ComparedExactly {
    public func isExactly(_ other: [Element]) -> Bool { elementsEqual(other) { $0.isExactly($1) } }

    public func hashExactly(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { element.hashExactly(into: &hasher) }
    }
}

extension Sequence<String> {
    /// Whether one of them has the same UTF-8; `contains` takes a look-alike for it.
    package func containsExactly(_ name: String) -> Bool { contains { $0.isExactly(name) } }
}
