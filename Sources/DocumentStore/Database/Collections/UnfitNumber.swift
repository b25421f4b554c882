import DocumentValues

/// Finds the number that does not fit its type: of those alone Foundation's decoder does not say where they are.
struct UnfitNumber {
    /// A name or an index on the way to it.
    struct Step: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    /// As our own writer has it: without spaces.
    private let json: [UInt8]
    private let numbers: [Range<Int>]

    init(in json: [UInt8]) throws(JSONError) {
        self.json = try JSONValue(parsing: json).bytes
        var scan = NumberScan(self.json)
        numbers = Array(sequence(state: ()) { _ in scan.next() })
    }

    /// Halves the numbers in question each time, so a long document is read a few times only.
    ///
    /// - Parameter isUnfit: whether such a document cannot be read.
    /// - Returns: `nil` where it is not a number's fault.
    func path(where isUnfit: ([UInt8]) -> Bool) throws(JSONError) -> [Step]? {
        guard !isUnfit(zeroed(numbers.count)) else { return nil }
        // With so many zeros it cannot be read, and with so many it can.
        var (unfit, fit) = (0, numbers.count)
        while fit - unfit > 1 {
            let middle = (unfit + fit) / 2
            if isUnfit(zeroed(middle)) { unfit = middle } else { fit = middle }
        }
        return numbers.isEmpty ? nil : try path(ofNumber: fit - 1)
    }

    /// With the first `count` numbers as zero, which fits every type.
    private func zeroed(_ count: Int) -> [UInt8] {
        var (result, end): ([UInt8], Int) = ([], 0)
        for number in numbers.prefix(count) {
            result += json[end..<number.lowerBound]
            result.append(UInt8(ascii: "0"))
            end = number.upperBound
        }
        return result + json[end...]
    }

    private func path(ofNumber index: Int) throws(JSONError) -> [Step] {
        var scan = NumberScan(json)
        for _ in 0...index { _ = scan.next() }
        var steps: [Step] = []
        for container in scan.open {
            switch container {
            case .array(let index): steps.append(Step(stringValue: "\(index)"))
            case .object(let key):
                let text = try JSONValue(parsing: Array(json[key])).stringValue
                steps.append(Step(stringValue: text ?? ""))
            }
        }
        return steps
    }
}

/// Goes from one number to the next in the bytes of a value that was written without spaces.
private struct NumberScan {
    enum Container {
        case array(index: Int)
        /// Where the name of the member is.
        case object(key: Range<Int>)
    }

    private let json: [UInt8]
    private var position = 0
    /// The containers around the number that was found last.
    private(set) var open: [Container] = []

    init(_ json: [UInt8]) { self.json = json }

    /// Where it is.
    mutating func next() -> Range<Int>? {
        while position < json.count {
            let start = position
            position += 1
            switch json[start] {
            case UInt8(ascii: "["): open.append(.array(index: 0))
            case UInt8(ascii: "{"): open.append(.object(key: 0..<0))
            case UInt8(ascii: "]"), UInt8(ascii: "}"): open.removeLast()
            case UInt8(ascii: ","): countElement()
            case UInt8(ascii: "\""): passString(from: start)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                while position < json.count, !Self.ends.contains(json[position]) { position += 1 }
                return start..<position
            default: break
            }
        }
        return nil
    }

    /// What may follow a number.
    private static let ends = Array(",]}".utf8)

    private mutating func countElement() {
        guard case .array(let index)? = open.last else { return }
        open[open.count - 1] = .array(index: index + 1)
    }

    private mutating func passString(from start: Int) {
        while json[position] != UInt8(ascii: "\"") { position += json[position] == UInt8(ascii: "\\") ? 2 : 1 }
        position += 1
        guard position < json.count, json[position] == UInt8(ascii: ":") else { return }
        open[open.count - 1] = .object(key: start..<position)
    }
}
