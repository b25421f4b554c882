import DocumentValues

/// Entries with a number in front of their line, and a note below it.
struct NumberedText: Sendable {
    private let renderer: TextRenderer
    /// Cells of the widest number.
    private let width: Int

    /// - Parameter numbers: those of all entries.
    init(_ renderer: TextRenderer, numbers: [String]) {
        self.renderer = renderer
        width = numbers.map(\.displayWidth).max() ?? 1
    }

    func lines(_ number: String, line: String, note: String) -> [String] {
        renderer.wrapped(number.padded(to: width) + "  " + line.printableLine, hanging: width + 2)
            + renderer.wrapped(String(repeating: " ", count: width + 2) + note)
    }
}
