import DocumentValues

/// A number as a person types it: `9,5`, `1 250`, `1'250.5`.
struct TypedNumber: Sendable {
    /// The number if its last mark is one before a fraction.
    let decimal: PlainNumber?
    /// The number if all of its marks only group the digits by three.
    let grouped: PlainNumber?
    /// The only mark, where there are two readings.
    private let mark: UInt8?

    /// `nil` for a text that is no number.
    init?(_ text: String) {
        let plain = PlainDigits.of(text.trimmingSpaces)
        var bytes = Array(plain.utf8)[...]
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
        guard let runs = DigitRuns(bytes) else { return nil }
        decimal = runs.decimal(isNegative: isNegative)
        grouped = runs.grouped(isNegative: isNegative)
        guard decimal != nil || grouped != nil else { return nil }
        mark = runs.marks.count == 1 ? runs.marks[0] : nil
    }

    /// Its meanings where a fraction may follow: a point alone is before one, a comma only where it is used so.
    func meanings(comma: CommaUse?) -> [PlainNumber] {
        guard let decimal, let grouped, decimal != grouped else { return [decimal ?? grouped].compactMap(\.self) }
        guard mark == UInt8(ascii: ",") else { return [decimal] }
        return switch comma {
        case .decimalMark?: [decimal]
        case .thousands?: [grouped]
        case nil: [decimal, grouped]
        }
    }

    /// Its meanings where no fraction may follow.
    func wholeMeanings(comma: CommaUse?) -> [PlainNumber] {
        let whole = [decimal, grouped].compactMap(\.self).filter(\.isWhole)
        let all = decimal == grouped ? Array(whole.prefix(1)) : whole
        guard mark == UInt8(ascii: ","), let decimal, let grouped else { return all }
        return switch comma {
        case .decimalMark?: [decimal].filter(\.isWhole)
        case .thousands?: [grouped]
        case nil: all
        }
    }

    /// Whether a point would have to group digits for this to be a whole number: so it is asked.
    var isWholeByPoint: Bool { mark == UInt8(ascii: ".") && decimal?.isWhole == false && grouped != nil }
}

/// Digits, and the marks between them.
private struct DigitRuns {
    private(set) var runs: [ArraySlice<UInt8>] = []
    private(set) var marks: [UInt8] = []

    /// `nil` where there is something else, or no digit.
    init?(_ bytes: ArraySlice<UInt8>) {
        var start = bytes.startIndex
        for (index, byte) in zip(bytes.indices, bytes) where !(0x30...0x39).contains(byte) {
            guard Self.allowed.contains(byte) else { return nil }
            runs.append(bytes[start..<index])
            marks.append(byte)
            start = index + 1
        }
        runs.append(bytes[start...])
        // Only before a fraction, or before its end, may digits be missing.
        let inner = runs.dropFirst().dropLast()
        guard runs.contains(where: { !$0.isEmpty }), inner.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    private static let allowed = Array(" '.,".utf8)

    func decimal(isNegative: Bool) -> PlainNumber? {
        guard let last = marks.last else {
            return PlainNumber(isNegative: isNegative, whole: runs[0], fraction: [UInt8]())
        }
        let groups = Array(runs.dropLast())
        guard last == UInt8(ascii: ".") || last == UInt8(ascii: ","),
            Self.areGroups(groups, marks: marks.dropLast()), !marks.dropLast().contains(last)
        else { return nil }
        return PlainNumber(isNegative: isNegative, whole: groups.joined(), fraction: runs[runs.count - 1])
    }

    func grouped(isNegative: Bool) -> PlainNumber? {
        guard !marks.isEmpty, Self.areGroups(runs, marks: marks[...]) else { return nil }
        return PlainNumber(isNegative: isNegative, whole: runs.joined(), fraction: [UInt8]())
    }

    /// The first of one to three digits without a zero before them, the others of three, the same mark between all.
    private static func areGroups(_ runs: [ArraySlice<UInt8>], marks: ArraySlice<UInt8>) -> Bool {
        guard let mark = marks.first else { return true }
        guard marks.allSatisfy({ $0 == mark }), (1...3).contains(runs[0].count), runs[0].first != UInt8(ascii: "0")
        else { return false }
        return runs.dropFirst().allSatisfy { $0.count == 3 }
    }
}
