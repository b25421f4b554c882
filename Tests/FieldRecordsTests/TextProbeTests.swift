import Testing

@testable import FieldRecords

/// Which files are read as text.
@Suite struct TextProbeTests {
    static let rows: [([UInt8], TextProbe)] = [
        ([], .text), (Array("name,notes\r\na,\tb\n\u{1A}".utf8), .text), ([0xE9, 0x2C, 0x80], .text),
        (Array("name\na\nb\u{7}\n\u{8}".utf8), .noText), (Array("name\na\nb\u{7}\n".utf8), .stray(7, line: 3)),
        (Array("name\u{0}".utf8), .stray(0, line: 1)),
        (Array((String(repeating: "some,words\n", count: 30) + "\u{1B}[1m\u{1B}").utf8), .stray(0x1B, line: 31)),
        (Array("n\0a\0m\0e\0".utf8), .noText), ([0x50, 0x4B, 3, 4, 20, 0, 6, 0], .noText),
    ]

    @Test(arguments: rows) func aStrayCharacterIsNamed(row: ([UInt8], TextProbe)) {
        #expect(TextProbe(row.0) == row.1)
    }

    @Test func theErrorSaysWhereItIs() {
        let error = ImportError(.controlCharacter(7, line: 3), file: "sites.csv")
        #expect(error.description.hasPrefix("sites.csv has the control character 7 in line 3"))
    }
}
