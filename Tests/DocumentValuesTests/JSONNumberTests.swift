import DocumentValues
import Testing

/// What a number is as a whole one and as a floating-point one, at the limits of each.
@Suite struct JSONNumberTests {
    private struct Row: Sendable {
        let text: String
        let int64: Int64?
        let uint64: UInt64?
        let double: Double
        let isWhole: Bool
    }

    private static let rows = [
        Row(text: "0", int64: 0, uint64: 0, double: 0, isWhole: true),
        Row(text: "-0", int64: 0, uint64: 0, double: -0.0, isWhole: true),
        Row(text: "-7", int64: -7, uint64: nil, double: -7, isWhole: true),
        Row(text: "1.0", int64: 1, uint64: 1, double: 1, isWhole: false),
        Row(text: "1.5", int64: nil, uint64: nil, double: 1.5, isWhole: false),
        Row(text: "1e3", int64: 1000, uint64: 1000, double: 1000, isWhole: false),
        Row(text: "-1E+0", int64: -1, uint64: nil, double: -1, isWhole: false),
        Row(text: "25e-1", int64: nil, uint64: nil, double: 2.5, isWhole: false),
        Row(
            text: "9007199254740991.0", int64: 9_007_199_254_740_991, uint64: 9_007_199_254_740_991,
            double: 9_007_199_254_740_991, isWhole: false),
        // From here on a double does not say which number was meant.
        Row(text: "9007199254740992.0", int64: nil, uint64: nil, double: 9_007_199_254_740_992, isWhole: false),
        Row(text: "9223372036854775807", int64: .max, uint64: 1 << 63 - 1, double: 0x1p63, isWhole: true),
        Row(text: "-9223372036854775808", int64: .min, uint64: nil, double: -0x1p63, isWhole: true),
        Row(text: "9223372036854775808", int64: nil, uint64: 1 << 63, double: 0x1p63, isWhole: true),
        Row(text: "-9223372036854775809", int64: nil, uint64: nil, double: -0x1p63, isWhole: true),
        Row(text: "18446744073709551615", int64: nil, uint64: .max, double: 0x1p64, isWhole: true),
        Row(text: "18446744073709551616", int64: nil, uint64: nil, double: 0x1p64, isWhole: true),
        Row(text: "1e400", int64: nil, uint64: nil, double: .infinity, isWhole: false),
        Row(text: "5e-324", int64: nil, uint64: nil, double: .leastNonzeroMagnitude, isWhole: false),
    ]

    @Test(arguments: rows) private func isReadAs(row: Row) throws {
        let number = try #require(try JSONValue(parsing: row.text).numberValue)
        #expect(number.text == row.text && number.description == row.text)
        #expect(number.int64 == row.int64 && number.uint64 == row.uint64, "\(row.text)")
        #expect(number.double == row.double && number.isWhole == row.isWhole, "\(row.text)")
        #expect(number.double.sign == row.double.sign)
        let value = JSONValue.number(number)
        #expect(value.integerValue == row.int64 && value.doubleValue == row.double)
    }

    @Test(arguments: [
        (0.0, "0.0"), (5, "5.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e16, "1e+16"), (1e-7, "1e-07"), (.infinity, "0"),
        (-.infinity, "0"), (.nan, "0"),
    ])
    func aRealIsSpelledAsNoWholeNumber(value: Double, text: String) throws {
        let number = JSONNumber(real: value)
        #expect(number.text == text)
        #expect(try JSONValue(parsing: text).numberValue == number)
        if value.isFinite { #expect(number.double == value && !number.isWhole) }
    }

    @Test(arguments: [
        (9_007_199_254_740_991.0, "9007199254740991"), (-9_007_199_254_740_991, "-9007199254740991"),
        (0x1p63, "9.223372036854776e+18"),
        (-2, "-2"), (2.5, "2.5"),
    ])
    func aDoubleIsSpelledAsAWholeNumberWhereItIsOne(value: Double, text: String) {
        #expect(JSONNumber(value).text == text && JSONNumber(value).double == value)
    }

    @Test func wholeNumbersAreSpelledInFull() {
        #expect(JSONNumber(Int64.min).text == "-9223372036854775808")
        #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
        #expect(JSONNumber(UInt64.max).uint64 == .max && JSONNumber(Int64.min).int64 == .min)
    }

    /// Numbers are keys of sets by their value.
    @Test func spellingsOfOneNumberAreOneKey() throws {
        let texts = [
            "1", "1.0", "1e0", "10e-1", "2", "-1", "1.5", "15e-1", "18446744073709551615", "18446744073709551614",
        ]
        let numbers = try texts.map { try #require(try JSONValue(parsing: $0).numberValue) }
        #expect(Set(numbers).count == 6)
        for number in numbers {
            for other in numbers where number == other { #expect(number.hashValue == other.hashValue) }
        }
    }
}
