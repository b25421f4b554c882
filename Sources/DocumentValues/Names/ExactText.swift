/// In the modules of this package two texts are equal when their UTF-8 is.
///
/// Swift's own operators compare by canonical equivalence. That takes two names for one, and its time grows with the square
/// of a client's text: combining marks in a row are sorted one by one. A text of 300 KB takes a minute.
extension String {
    package static func == (left: String, right: String) -> Bool { left.isExactly(right) }
    package static func != (left: String, right: String) -> Bool { !left.isExactly(right) }
    /// For comparisons with a literal, for which the compiler does not find the operators of `String?`.
    package static func == (left: String?, right: String) -> Bool { left.isExactly(right) }
    package static func != (left: String?, right: String) -> Bool { !left.isExactly(right) }

    /// For `switch`.
    package static func ~= (pattern: String, value: String) -> Bool { pattern.isExactly(value) }

    package func hasPrefix(_ prefix: String) -> Bool { hasExactPrefix(prefix) }
    package func hasSuffix(_ suffix: String) -> Bool { hasExactSuffix(suffix) }
}

/// The same for lists: the standard library's functions do not use the operators above.
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

/// A letter with all marks behind it is one `Character`, however many these are.
extension Character {
    package static func == (left: Character, right: Character) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }
    package static func != (left: Character, right: Character) -> Bool { !(left == right) }
    package static func ~= (pattern: Character, value: Character) -> Bool { pattern == value }
}

/// Searches compare bytes: a separator is found even if a combining mark follows it.
extension StringProtocol {
    package func contains(_ separator: Character) -> Bool { firstIndex(of: separator) != nil }

    /// Whether it has these bytes in succession. The standard library compares whole characters, and a text of combining
    /// marks may be a single one.
    package func containsBytes(of part: some StringProtocol) -> Bool { utf8.exactRange(of: part.utf8) != nil }

    package func firstIndex(of separator: Character) -> Index? {
        utf8.exactRange(of: separator.utf8)?.lowerBound
    }

    package func split(
        separator: Character, maxSplits: Int = .max, omittingEmptySubsequences omitsEmpty: Bool = true
    ) -> [SubSequence] {
        var parts: [SubSequence] = []
        var rest = self[...]
        while parts.count < maxSplits, let found = rest.utf8.exactRange(of: separator.utf8) {
            if !omitsEmpty || found.lowerBound > rest.startIndex { parts.append(rest[..<found.lowerBound]) }
            rest = rest[found.upperBound...]
        }
        if !omitsEmpty || !rest.isEmpty { parts.append(rest) }
        return parts
    }

    package func replacing(_ text: String, with replacement: String) -> String {
        guard !text.isEmpty else { return String(self) }
        var result = ""
        var rest = self[...]
        while let found = rest.utf8.exactRange(of: text.utf8) {
            result += rest[..<found.lowerBound]
            result += replacement
            rest = rest[found.upperBound...]
        }
        return result + rest
    }
}

extension Collection<UInt8> {
    /// The first position of these bytes. The standard library's `firstRange` takes a hundred times as long.
    fileprivate func exactRange(of part: some Collection<UInt8>) -> Range<Index>? {
        guard let first = part.first else { return nil }
        var start = startIndex
        while let found = self[start...].firstIndex(of: first) {
            var (here, there) = (found, part.startIndex)
            while here < endIndex, there < part.endIndex, self[here] == part[there] {
                formIndex(after: &here)
                part.formIndex(after: &there)
            }
            if there == part.endIndex { return found..<here }
            start = index(after: found)
        }
        return nil
    }
}

extension String {
    /// Whether a person reads the same: accents may come in one code point or two. For texts that a person types.
    package func readsLike(_ other: String) -> Bool { streamSafe.elementsEqual(other.streamSafe) }

    /// The same for the beginning.
    package func readsLike(beginning: String) -> Bool { streamSafe.starts(with: beginning.streamSafe) }
}

extension String? {
    package static func == (left: String?, right: String?) -> Bool { left.isExactly(right) }
    package static func != (left: String?, right: String?) -> Bool { !left.isExactly(right) }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
    /// The case of a text from outside. `init(rawValue:)` compares by canonical equivalence.
    package init?(exactly text: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue.isExactly(text) }) else { return nil }
        self = found
    }
}
