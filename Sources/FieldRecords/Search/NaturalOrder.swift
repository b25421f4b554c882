import Glibc

extension Sequence {
    /// Numbers within texts by their values: `Stand 2` before `Stand 10`; accents and case do not matter, but for texts that
    /// are the same otherwise.
    ///
    /// The sort keys are made once for each element, and only of the first letters: a name may be as long as a record.
    ///
    /// - Parameter texts: the texts by which an element is sorted; the second one decides if the first ones are the
    ///   same.
    public func sortedNaturally(by texts: (Element) -> [String]) -> [Element] {
        var keys = SortKeys()
        let elements = map { element in
            keys.append(texts(element))
            return element
        }
        return keys.order().map { elements[$0] }
    }
}

/// The sort keys of all elements, one behind the other. They are compared as bytes, and only indices of elements are moved when
/// they are sorted: a list of thousands is sorted before its first line is shown.
///
/// The key of a text has its parts, of which a number comes before other text:
///
/// - a number: 1, how many digits it has without zeros in front, in four bytes, and these digits,
/// - other text: 2, its bytes, and 0.
///
/// After these come 0, the text itself, and 0. Each byte of a text is increased by 1, so that 0 comes before all of them; UTF-8
/// has no byte above 244.
private struct SortKeys {
    private var bytes: [UInt8] = []
    /// Where the key of each element ends.
    private var ends: [Int] = []

    mutating func append(_ texts: [String]) {
        for text in texts {
            if !appendPlain(text) { appendAny(text) }
        }
        ends.append(bytes.count)
    }

    private mutating func appendAny(_ text: String) {
        let beginning = String(text.unicodeScalars.prefix(FieldRecordsLimits.sortedText))
        var searched = beginning.searchable
        searched.withUTF8 { appendParts(of: $0) }
        bytes.append(0)
        appendText(beginning.utf8)
    }

    /// Most texts are short and ASCII, for which no other text has to be made.
    ///
    /// - Returns: whether it was one.
    private mutating func appendPlain(_ text: String) -> Bool {
        let isAppended = text.utf8.withContiguousStorageIfAvailable { text in
            guard text.count <= FieldRecordsLimits.sortedText, text.allSatisfy({ $0 < 0x80 }) else { return false }
            appendParts(of: text)
            bytes.append(0)
            appendText(text)
            return true
        }
        return isAppended ?? false
    }

    /// - Parameter text: as texts are searched, but for capitals, which are taken for small letters.
    private mutating func appendParts(of text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        while start < text.count {
            let isNumber = Self.isDigit(text[start])
            let end = text[start...].firstIndex { Self.isDigit($0) != isNumber } ?? text.count
            let run = text[start..<end]
            bytes.append(isNumber ? 1 : 2)
            if isNumber { appendNumber(run) } else { appendText(run.lazy.map(\.smallLetter)) }
            start = end
        }
    }

    private mutating func appendNumber(_ run: Slice<UnsafeBufferPointer<UInt8>>) {
        let digits = run.drop { $0 == 0x30 }
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: digits.count >> shift)) }
        bytes += digits
    }

    private mutating func appendText(_ text: some Sequence<UInt8>) {
        for byte in text { bytes.append(byte &+ 1) }
        bytes.append(0)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The indices of the elements, sorted by their keys; those with the same key stay in their order.
    func order() -> [Int] {
        bytes.withUnsafeBytes { bytes in
            ends.indices.sorted { left, right in key(left, in: bytes).precedes(key(right, in: bytes)) }
        }
    }

    private func key(_ index: Int, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
    }
}

extension UInt8 {
    fileprivate var smallLetter: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension UnsafeRawBufferPointer {
    /// Byte by byte. What another one begins with comes before it.
    fileprivate func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let bytes = baseAddress, let others = other.baseAddress else { return count < other.count }
        let order = memcmp(bytes, others, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }
}
