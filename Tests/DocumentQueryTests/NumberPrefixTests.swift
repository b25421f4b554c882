import DocumentQuery
import Foundation
import Testing

/// TONUMBER of texts that are not whole numbers, beside C's `strtod` in the locale of the tests, which has a point.
struct NumberPrefixTests {
    @Test(arguments: [
        "", " ", "abc", "-abc", "1abc", "0x10", "0x", "-0x", "0x.8", "0x.", "0x1p4", "0x1p", "0x1p+", "0X1.8P-1z",
        "0xg", "\u{10}x1", "inf", "-INFINITY", "infinit", "in", "nan", "nan(1)", "-NaN", "+5.5", "-.5e1", "5.",
        "5.e2", ".", "-.", "e5", "1e", "1e+", "1e+2x", "1e400", "-1e400", "1e-400", "1e99999999999999999999",
        "1e-99999999999999999999", "0x1p99999", "\u{B}\u{C}\r\n 7.5", "1,5", "1_000.5", "0x1,8", "\u{661}.5",
        "--1.5", "+-1.5", "1.5.5", "1\0.5", "007.25", "123456789012345678901234567890",
        "0.1000000000000000055511151231257827021181583404541015625", "2.2250738585072011e-308", "4.9e-324",
        "0x1.fffffffffffff8p0", "1.5\u{301}", "- 1.5", "  -1.5  ",
    ])
    func asInC(text: String) throws {
        let function = try #require(QueryFunctions.all["tonumber"])
        let expected = strtod(text, nil)
        switch try function([.text(text)], FunctionContext()) {
        case .real(let value): #expect(value.bitPattern == expected.bitPattern, "\(value) instead of \(expected)")
        case .null: #expect(expected.isNaN)
        case .missing, .boolean, .integer, .text, .container: Issue.record("no number with a point")
        }
    }
}
