import Testing

@testable import FieldShell

@Suite struct KeyDecoderTests {
    @Test(arguments: ["a", "é", "€", "😀", "\u{7F}", "\u{10FFFF}", "\u{301}"]) func charactersComeWhole(text: String)
        throws
    {
        var decoder = KeyDecoder()
        let bytes = Array(text.utf8)
        for byte in bytes.dropLast() { #expect(decoder.take(byte) == .incomplete) }
        #expect(decoder.take(try #require(bytes.last)) == .scalar(try #require(text.unicodeScalars.first)))
    }

    /// Bytes of another encoding, and half a character with a key behind it.
    @Test(
        arguments: [
            ([0xF0, 0x61], true), ([0xE9, 0x0A], true), ([0xE2, 0x82, 0x1B], true), ([0xF0, 0xC3], true),
            ([0x80], false), ([0xFF], false), ([0xC0], false), ([0xED, 0xA0, 0x80], false),
            ([0xE0, 0x80, 0x80], false),
        ] as [([UInt8], Bool)]) func whatIsNoCharacterTakesNothingWithIt(bytes: [UInt8], isFirstOfNext: Bool) throws
    {
        var decoder = KeyDecoder()
        for byte in bytes.dropLast() { #expect(decoder.take(byte) == .incomplete) }
        #expect(decoder.take(try #require(bytes.last)) == .malformed(isFirstOfNext: isFirstOfNext))
    }
}
