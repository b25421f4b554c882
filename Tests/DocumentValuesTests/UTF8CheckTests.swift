import Testing

@testable import DocumentValues

/// Bytes that are texts, and those that are none, are found out as the standard library does it.
@Suite struct UTF8CheckTests {
    private func expectSame(_ bytes: [UInt8]) {
        let isUTF8 = bytes.withUnsafeBufferPointer { $0.isUTF8 }
        if isUTF8 != (String(validating: bytes, as: UTF8.self) != nil) { Issue.record("\(bytes)") }
    }

    @Test func everyByteAloneAndInAPair() {
        for first in UInt8.min...UInt8.max {
            expectSame([first])
            for second in [0x00, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF] as [UInt8] { expectSame([first, second]) }
        }
    }

    /// Where the table of well-formed bytes has its limits.
    @Test(
        arguments: [0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF] as [UInt8]
    )
    func charactersOfSeveralBytes(lead: UInt8) {
        let rest: [UInt8] = [0x7F, 0x80, 0xBF, 0xC0]
        for second in [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0] as [UInt8] {
            for third in rest {
                expectSame([lead, second, third])
                for fourth in rest {
                    expectSame([lead, second, third, fourth])
                    expectSame([0x61, lead, second, third, fourth, 0x61])
                }
            }
        }
    }

    @Test(arguments: ["", "plain", "é", "世界", "😀", "a\u{0}b", "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"])
    func whatATextIsCutTo(text: String) {
        let bytes = Array(text.utf8)
        for start in 0...bytes.count {
            for end in start...bytes.count { expectSame(Array(bytes[start..<end])) }
        }
    }

    @Test(arguments: [
        [], [0x61], [0xC3, 0xA9], [0x61, 0xFF], [0xC3], [0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0xC3],
    ])
    func aTextIsMadeOfWhatIsOne(bytes: [UInt8]) {
        let text = bytes.withUnsafeBufferPointer { String(utf8: $0) }
        #expect(text.map { Array($0.utf8) } == String(validating: bytes, as: UTF8.self).map { Array($0.utf8) })
    }
}
