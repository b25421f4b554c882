/// In the modules of this package two texts are equal when their UTF-8 is.
///
/// Swift's own operators compare by canonical equivalence. That takes two names for one, and time that grows with the square
/// of what a client sends: the marks in a row that may be combined with a letter are sorted one by one. A text of 300 KB
/// takes a minute.
extension String {
    package static func == (left: String, right: String) -> Bool { left.isExactly(right) }
    package static func != (left: String, right: String) -> Bool { !left.isExactly(right) }
    /// Where one of them is a literal: the operators of `String?` are then not what the compiler finds.
    package static func == (left: String?, right: String) -> Bool { left.isExactly(right) }
    package static func != (left: String?, right: String) -> Bool { !left.isExactly(right) }

    /// For `switch`.
    package static func ~= (pattern: String, value: String) -> Bool { pattern.isExactly(value) }

    package func hasPrefix(_ prefix: String) -> Bool { hasExactPrefix(prefix) }
    package func hasSuffix(_ suffix: String) -> Bool { hasExactSuffix(suffix) }
}

/// The same of lists: the standard library's take the operators above for none of theirs.
extension Sequence<String> {
    package func contains(_ text: String) -> Bool { contains { $0.isExactly(text) } }
    package func sorted() -> [String] { sorted { $0.isExactlyBefore($1) } }
    package func min() -> String? { self.min { $0.isExactlyBefore($1) } }
    package func max() -> String? { self.max { $0.isExactlyBefore($1) } }
    package func elementsEqual(_ other: some Sequence<String>) -> Bool { elementsEqual(other) { $0.isExactly($1) } }
}

extension Collection<String> {
    package func firstIndex(of text: String) -> Index? { firstIndex { $0.isExactly(text) } }
}

extension [String] {
    package static func == (left: [String], right: [String]) -> Bool { left.elementsEqual(right) }
    package static func != (left: [String], right: [String]) -> Bool { !left.elementsEqual(right) }
}

extension String {
    /// Whether a person reads the same: accents may come in one code point or two. For texts that somebody types.
    package func readsLike(_ other: String) -> Bool { streamSafe.elementsEqual(other.streamSafe) }

    /// The same of the beginning.
    package func readsLike(beginning: String) -> Bool { streamSafe.starts(with: beginning.streamSafe) }
}

extension String? {
    package static func == (left: String?, right: String?) -> Bool { left.isExactly(right) }
    package static func != (left: String?, right: String?) -> Bool { !left.isExactly(right) }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
    /// The case of a text from elsewhere. `init(rawValue:)` compares by canonical equivalence.
    package init?(exactly text: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue.isExactly(text) }) else { return nil }
        self = found
    }
}
