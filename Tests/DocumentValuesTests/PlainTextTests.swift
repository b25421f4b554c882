import SeededRandom
import Testing

@testable import DocumentValues

/// Eight bytes are looked at in one step: what is looked for is found at each of them, and beside bytes that differ by one.
@Suite struct PlainTextTests {
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func isMarkup(_ byte: UInt8) -> Bool { "<>&".utf8.contains(byte) }

    private func check(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            for start in 0...bytes.count {
                let end = bytes[start...].firstIndex { !Self.isPlain($0) } ?? bytes.count
                if buffer.endOfPlainText(from: start) != end { Issue.record("\(bytes) from \(start)") }
            }
            let isPlain = bytes.allSatisfy { Self.isPlain($0) && !Self.isMarkup($0) }
            if buffer.isPlainEverywhere != isPlain { Issue.record("\(bytes)") }
        }
    }

    @Test func everyByteIsJudgedAlike() {
        for byte in UInt8.min...UInt8.max {
            check([byte])
            check(Array(repeating: 0x61, count: 7) + [byte, 0x61])
        }
    }

    @Test(arguments: [0x00, 0x1F, 0x20, 0x22, 0x26, 0x3C, 0x3E, 0x5C, 0x7F, 0x80, 0xFF] as [UInt8])
    func aByteIsFoundWhereverItIs(byte: UInt8) {
        for count in 1..<19 {
            for index in 0..<count {
                var bytes = [UInt8](repeating: 0x61, count: count)
                bytes[index] = byte
                check(bytes)
            }
        }
    }

    /// A subtraction for one byte borrows from the next.
    @Test func neighboursAreNotMistaken() {
        let bytes: [UInt8] = [0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x3B, 0x3D, 0x3F, 0x25, 0x27]
        for first in bytes {
            for second in bytes {
                check([0x61, 0x61, first, second, 0x61, 0x61, 0x61, 0x61])
                check([first, second])
            }
        }
    }

    @Test func theNextOfACharacterIsFound() {
        let bytes: [UInt8] = [0x2C, 0x2D, 0x2E]
        for number in 0..<729 {
            // Each text of six such bytes, with some that are passed over in one step.
            var rest = number
            var text = [UInt8](repeating: 0x2E, count: 6)
            for _ in 0..<6 {
                text.append(bytes[rest % 3])
                rest /= 3
            }
            text.withUnsafeBufferPointer { buffer in
                for start in [0, 5, 7, 11, 12] {
                    let found = text[start...].firstIndex(of: 0x2D) ?? text.count
                    if buffer.next("-", from: start) != found { Issue.record("\(text) from \(start)") }
                }
            }
        }
        [UInt8]("ab".utf8).withUnsafeBufferPointer { #expect($0.next("-", from: 4) == 4) }
    }

    @Test(arguments: [
        ("", "", true), ("abc", "", true), ("", "a", false), ("abc", "c", true), ("abc", "abc", true),
        ("abc", "abcd", false), ("aab", "ab", true), ("abab", "ba", true), ("aaa", "aab", false), ("xéy", "é", true),
    ])
    func aPartIsFound(text: String, part: String, isThere: Bool) {
        #expect(Array(text.utf8).hasPart(Array(part.utf8)) == isThere)
    }

    /// Positions of which only the first or only the last byte fits, in words of eight bytes and in the rest behind them.
    @Test func aPartIsFoundAmongNearlyEqualOnes() {
        let letters = Array("sh1-".utf8)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in letters.randomElement(using: &random)! }
            let part = (0..<Int.random(in: 1...4, using: &random)).map { _ in letters.randomElement(using: &random)! }
            let isThere = text.indices.contains { text[$0...].starts(with: part) }
            if text.hasPart(part) != isThere { Issue.record("\(text), \(part)") }
        }
    }
}
