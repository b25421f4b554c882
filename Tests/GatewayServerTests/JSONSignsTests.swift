import SeededRandom
import Testing

@testable import GatewayServer

/// Eight bytes are counted at once, and as one by one.
@Suite struct JSONSignsTests {
    private static func expected(_ text: [UInt8]) -> Int { text.count { [0x2C, 0x3A, 0x5B, 0x7B].contains($0) } }

    @Test(arguments: [
        ("", 0), ("7", 0), ("[]", 1), ("{}", 1), ("[1,2,3]", 3), (#"{"a":[1,{"b":null}],"c":2}"#, 8),
        (#"{"a":",:["}"#, 5),
        ("]]}}]]}}", 0), ("[[[[[[[[", 8), ("{{{{{{{{{", 9),
    ])
    func commasColonsAndOpeningBracketsCount(text: String, count: Int) {
        #expect(JSONSigns.count(in: Array(text.utf8)) == count)
    }

    /// Also those that differ from a sign by one bit.
    @Test(arguments: [0, 3, 7, 8, 12]) func eachByteIsASignOrNone(position: Int) {
        for byte in UInt8.min...UInt8.max {
            var text = [UInt8](repeating: 0x20, count: 16)
            text[position] = byte
            #expect(JSONSigns.count(in: text) == Self.expected(text), "\(byte) at \(position)")
        }
    }

    /// No byte changes what is counted of the one beside it.
    @Test func neighboursDoNotMatter() {
        let bytes: [UInt8] = [0x00, 0x01, 0x2B, 0x2C, 0x2D, 0x3A, 0x5B, 0x7B, 0x7F, 0x80, 0xAC, 0xDB, 0xFF]
        for first in bytes {
            for second in bytes {
                let text = Array([[first, second], [second, first], [first, first], [second, second]].joined())
                #expect(JSONSigns.count(in: text) == Self.expected(text), "\(first), \(second)")
            }
        }
    }

    /// A sum has one byte for each position: it must not overflow.
    @Test(arguments: [255 * 8 - 1, 255 * 8, 255 * 8 + 1, 256 * 8, 257 * 8 + 3, 3 * 255 * 8 + 5])
    func manySignsAreCounted(length: Int) {
        #expect(JSONSigns.count(in: Array(repeating: UInt8(ascii: ","), count: length)) == length)
    }

    @Test func anyTextIsCountedAsByteByByte() {
        var random = SeededGenerator(seed: 11)
        let likely = Array(#",:[]{}"ab"#.utf8)
        for length in 0..<400 {
            let text = (0..<length).map { _ in
                Bool.random(using: &random)
                    ? likely[Int.random(in: likely.indices, using: &random)]
                    : UInt8.random(in: UInt8.min...UInt8.max, using: &random)
            }
            #expect(JSONSigns.count(in: text) == Self.expected(text), "\(text)")
        }
    }
}
