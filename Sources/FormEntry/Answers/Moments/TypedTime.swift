import DocumentValues

/// A time of day as it is typed: `13:45`, `1345`, `1:45 pm`, `9`, `13h45`, perhaps with an offset.
struct TypedTime: Sendable {
    /// Since midnight.
    let milliseconds: Int
    /// Seconds ahead of UTC, where it says so.
    let offset: Int64?

    private enum Half {
        case morning, afternoon
    }

    /// `nil` for another text.
    ///
    /// - Parameter folded: as `FoldedText` gives it.
    init?(_ folded: String) {
        guard folded.utf8.count <= EntryLimits.time else { return nil }
        var text = PlainDigits.of(folded)
        guard let offset = Self.takeOffset(&text) else { return nil }
        self.offset = offset.seconds
        let half = Self.takeHalf(&text)
        if half == nil { Self.take(&text, ends: ["uhr", "h"]) }
        guard let milliseconds = Self.clock(text, half: half) else { return nil }
        self.milliseconds = milliseconds
    }

    private static func takeHalf(_ text: inout String) -> Half? {
        if take(&text, ends: ["a.m.", "am"]) { return .morning }
        return take(&text, ends: ["p.m.", "pm"]) ? .afternoon : nil
    }

    @discardableResult private static func take(_ text: inout String, ends: [String]) -> Bool {
        guard let end = ends.first(where: { text.hasExactSuffix($0) }) else { return false }
        text = String(Substring(text.utf8.dropLast(end.utf8.count))).trimmingSpaces
        return true
    }

    /// `nil` where the end is no offset.
    private static func takeOffset(_ text: inout String) -> (seconds: Int64?, Void)? {
        let bytes = Array(text.utf8)
        if let start = bytes.firstIndex(of: UInt8(ascii: "(")) {
            guard bytes.last == UInt8(ascii: ")") else { return nil }
            text = String(decoding: bytes[..<start], as: UTF8.self).trimmingSpaces
            return seconds(bytes[(start + 1)..<(bytes.count - 1)]).map { ($0, ()) }
        }
        if bytes.last == UInt8(ascii: "z") {
            text = String(decoding: bytes.dropLast(), as: UTF8.self)
            return (0, ())
        }
        guard let start = bytes.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }) else {
            return (nil, ())
        }
        text = String(decoding: bytes[..<start], as: UTF8.self).trimmingSpaces
        return seconds(bytes[start...]).map { ($0, ()) }
    }

    /// `+01:00`, `-0330`, `+1`
    private static func seconds(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let digits = bytes.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard [1, 2, 4].contains(digits.count), bytes.count - 1 - digits.count <= 1,
            let number = number(digits[...])
        else { return nil }
        let (hours, minutes) = digits.count == 4 ? (number / 100, number % 100) : (number, 0)
        guard hours <= 18, minutes < 60 else { return nil }
        return Int64(hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func number(_ digits: some Sequence<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit), value < 1_000_000 else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }

    private static func clock(_ text: String, half: Half?) -> Int? {
        let marks = Array(":.h,".utf8)
        var pieces = text.utf8.split(omittingEmptySubsequences: false) { marks.contains($0) }.map { Array($0) }
        if pieces.count == 1 { pieces = joined(pieces[0]) }
        guard (1...4).contains(pieces.count), (1...2).contains(pieces[0].count),
            pieces.dropFirst().prefix(2).allSatisfy({ $0.count == 2 }),
            pieces.count < 4 || (1...9).contains(pieces[3].count)
        else { return nil }
        let numbers = pieces.compactMap { number($0.prefix(3)) }
        guard numbers.count == pieces.count, pieces.joined().allSatisfy({ (0x30...0x39).contains($0) }),
            let hour = hour(numbers[0], half: half)
        else { return nil }
        let minute = numbers.count > 1 ? numbers[1] : 0
        let second = numbers.count > 2 ? numbers[2] : 0
        guard minute < 60, second < 60 else { return nil }
        var fraction = numbers.count > 3 ? numbers[3] : 0
        if numbers.count > 3 { for _ in pieces[3].count..<max(3, pieces[3].count) { fraction *= 10 } }
        return ((hour * 60 + minute) * 60 + second) * 1000 + fraction
    }

    /// `945` and `134530` in their parts.
    private static func joined(_ digits: [UInt8]) -> [[UInt8]] {
        switch digits.count {
        case 3, 4: [Array(digits.dropLast(2)), Array(digits.suffix(2))]
        case 6: [Array(digits[..<2]), Array(digits[2..<4]), Array(digits[4...])]
        default: [digits]
        }
    }

    private static func hour(_ number: Int, half: Half?) -> Int? {
        switch half {
        case nil: number < 24 ? number : nil
        case .morning?: (1...12).contains(number) ? number % 12 : nil
        case .afternoon?: (1...12).contains(number) ? number % 12 + 12 : nil
        }
    }
}
