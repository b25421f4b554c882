import DocumentValues

/// The beginning of an id, which a user types in place of the whole.
///
/// It ends within no number: the ids of registers are numbers, and `site-100` is another site than `site-1001`, also when it
/// is deleted.
struct IDBeginning {
    private let text: String

    init(_ text: String) { self.text = text }

    /// False for the id itself.
    func abbreviates(_ id: String) -> Bool {
        guard id.hasExactPrefix(text), let next = id.utf8.dropFirst(text.utf8.count).first else { return false }
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        let part = text.utf8.reversed().prefix { $0 != UInt8(ascii: "-") }
        return !isDigit(next) || part.isEmpty || !part.allSatisfy(isDigit)
    }
}
