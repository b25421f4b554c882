/// A name, or names, that callers read as `String`, in a value whose equality and hash must be those of the UTF-8:
/// `@Exact var documentID: String`.
///
/// The compiler's equality of plain `String` members takes look-alike names for one. Use `Name` for keys and elements
/// of sets.
@propertyWrapper
public struct Exact<Value: ComparedExactly>: Sendable, Hashable {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public static func == (left: Exact, right: Exact) -> Bool { left.wrappedValue.isExactly(right.wrappedValue) }

    public func hash(into hasher: inout Hasher) { wrappedValue.hashExactly(into: &hasher) }
}

/// A text, an optional text, or a list of texts.
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
