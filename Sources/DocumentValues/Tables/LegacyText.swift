/// Text in Windows-1252, which is Latin-1 with punctuation where Latin-1 has control characters.
package enum LegacyText {
    /// Every byte represents something, so this never fails; the five that Windows-1252 leaves open are taken as
    /// Latin-1 has them.
    package static func decode(_ bytes: some Swift.Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let isPunctuation = (0x80...0x9F).contains(byte)
            text.append(isPunctuation ? punctuation[Int(byte - 0x80)] : Unicode.Scalar(byte))
        }
        return String(text)
    }

    private static let punctuation = Array(
        ("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}" + "\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ").unicodeScalars)
}
