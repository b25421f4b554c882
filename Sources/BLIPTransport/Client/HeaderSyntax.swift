/// What a header's name and value may consist of (RFC 9110, 5.5 and 5.6.2), so that no value can end its line.
public enum HeaderSyntax {
    private static let separators = Set("\"(),/:;<=>?@[\\]{}".utf8)

    public static func isValid(name: String, value: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !separators.contains($0) }
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// The name as it may be in a message, whatever it holds.
    public static func shown(_ name: String) -> String { name.filter { $0.isLetter || $0.isNumber || $0 == "-" } }
}
