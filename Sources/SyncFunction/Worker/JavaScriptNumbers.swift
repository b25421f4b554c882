/// JSON on its way to the script engine, whose numbers are doubles.
///
/// A whole number beyond ±(2^53 - 1) would be rounded, and a channel that is made of it would be another one. As in
/// Sync Gateway such numbers become texts, spelled as in the document; so do numbers that are too large for a double.
struct JavaScriptNumbers {
    /// 2^53 - 1 has sixteen digits.
    private static let safeDigits = 15
    private static let safe: Int64 = 9_007_199_254_740_991

    private let source: [UInt8]
    private var output: [UInt8] = []
    /// The elements of an array of JSON.
    private var texts: [UInt8] = []
    /// The bytes before this are already copied.
    private var taken = 0

    private init(_ source: [UInt8]) { self.source = source }

    /// A document in a form that the engine can read.
    struct Document {
        let json: [UInt8]
        /// An array of JSON: those of its texts that are numbers in the document. `nil` where none are.
        let numbersAsTexts: [UInt8]?
    }

    /// The document unchanged, if all its numbers fit.
    static func exact(_ json: [UInt8]) -> Document {
        var numbers = JavaScriptNumbers(json)
        numbers.scan()
        guard numbers.taken > 0 else { return Document(json: json, numbersAsTexts: nil) }
        return Document(
            json: numbers.output + json[numbers.taken...],
            numbersAsTexts: [UInt8(ascii: "[")] + numbers.texts + [UInt8(ascii: "]")])
    }

    private mutating func scan() {
        var index = 0
        while index < source.count {
            switch source[index] {
            case UInt8(ascii: "\""): index = endOfString(after: index + 1)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let end = endOfNumber(from: index)
                let number = index..<end
                if number.count > Self.safeDigits || isExponential(number), !fits(number) { quote(number) }
                index = end
            default: index += 1
            }
        }
    }

    private func endOfString(after start: Int) -> Int {
        var index = start
        while index < source.count, source[index] != UInt8(ascii: "\"") {
            index += source[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index + 1
    }

    private func endOfNumber(from start: Int) -> Int {
        var index = start + 1
        while index < source.count {
            switch source[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                index += 1
            default: return index
            }
        }
        return index
    }

    private func isExponential(_ range: Range<Int>) -> Bool {
        source[range].contains { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    }

    private func fits(_ range: Range<Int>) -> Bool {
        let text = String(decoding: source[range], as: UTF8.self)
        let isWhole = source[range].dropFirst().allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard isWhole else { return Double(text).map(\.isFinite) ?? true }
        return Int64(text).map { (-Self.safe...Self.safe).contains($0) } ?? false
    }

    private mutating func quote(_ range: Range<Int>) {
        let text = [UInt8(ascii: "\"")] + source[range] + [UInt8(ascii: "\"")]
        output += source[taken..<range.lowerBound]
        output += text
        if !texts.isEmpty { texts.append(UInt8(ascii: ",")) }
        texts += text
        taken = range.upperBound
    }
}
