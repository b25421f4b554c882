/// The name of a channel, a principal, a document, an attachment, a member, a file: a text that is the same as another
/// only when its UTF-8 is.
///
/// Swift's `String` compares by canonical equivalence: `"é"` in one code point equals `"é"` in two, and `"K"` the Kelvin
/// sign. SQLite, JavaScript and the peers compare bytes, so a set or a dictionary of such names under `String` takes two
/// names for one. Equality and hash are those of the UTF-8; the order is that of its bytes, which is SQLite's, too.
public struct Name: Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public init(_ text: Substring) { self.text = String(text) }

    public var utf8: String.UTF8View { text.utf8 }

    public var isEmpty: Bool { text.isEmpty }

    /// Whether its UTF-8 begins with that of `prefix`.
    public func hasPrefix(_ prefix: String) -> Bool { text.hasExactPrefix(prefix) }
}

extension Name: Hashable, Comparable {
    public static func == (left: Name, right: Name) -> Bool { left.text.isExactly(right.text) }

    public static func < (left: Name, right: Name) -> Bool { left.text.isExactlyBefore(right.text) }

    public func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
        // No UTF-8 has this byte: names that follow each other in a key cannot run into each other.
        hasher.combine(0xFF as UInt8)
    }
}

extension Name: ExpressibleByStringInterpolation, CustomStringConvertible {
    public init(stringLiteral text: String) { self.init(text) }

    public var description: String { text }
}

extension String {
    /// Whether both have the same UTF-8. Most strings that differ do so in their length or in their first bytes.
    public func isExactly(_ other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        return withBytes(of: other) { $0.commonPrefix(with: $1) == count } ?? utf8.elementsEqual(other.utf8)
    }

    /// Whether this one's UTF-8 comes before the other's: the order of SQLite's texts.
    package func isExactlyBefore(_ other: String) -> Bool {
        withBytes(of: other) { left, right in
            let index = left.commonPrefix(with: right)
            guard index < left.count, index < right.count else { return left.count < right.count }
            return left[index] < right[index]
        } ?? utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// The text behind `prefix`; `nil` if the UTF-8 does not begin with that of `prefix`.
    package func droppingExactPrefix(_ prefix: String) -> String? {
        hasExactPrefix(prefix) ? String(Substring(utf8.dropFirst(prefix.utf8.count))) : nil
    }
}

extension StringProtocol {
    /// Whether the UTF-8 begins with that of `prefix`; `hasPrefix` of the standard library compares characters, and
    /// finds no `_` with an accent behind it.
    package func hasExactPrefix(_ prefix: String) -> Bool {
        withBytes(of: prefix) { text, prefix in text.commonPrefix(with: prefix) == prefix.count }
            ?? utf8.starts(with: prefix.utf8)
    }

    package func hasExactSuffix(_ suffix: String) -> Bool {
        withBytes(of: suffix) { text, suffix in
            guard text.count >= suffix.count else { return false }
            return UnsafeBufferPointer(rebasing: text.suffix(suffix.count)).commonPrefix(with: suffix) == suffix.count
        } ?? utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// `nil` where one of them is not contiguous UTF-8.
    fileprivate func withBytes(
        of other: String, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool? {
        utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in body(left, right) }
        }.flatMap { $0 }
    }

    /// The parts between the separators, which are found among the bytes: a comma with an accent behind it is one, too.
    package func split(
        atByte separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        precondition(separator.isASCII, "one byte")
        return Substring(self).utf8.split(
            separator: UInt8(ascii: separator), maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        ).map { Substring($0) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// How many bytes at the beginning are the same; eight are compared in one step.
    func commonPrefix(with other: UnsafeBufferPointer<UInt8>) -> Int {
        let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        let end = Swift.min(left.count, right.count)
        guard left.baseAddress != right.baseAddress else { return end }
        var index = 0
        while index + 8 <= end,
            left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        {
            index += 8
        }
        while index < end, left[index] == right[index] { index += 1 }
        return index
    }
}
