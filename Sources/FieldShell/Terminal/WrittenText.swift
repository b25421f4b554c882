import Foundation

/// A text that cannot be written again from memory: of an editor, of several lines, or a long one. Until a record has it, it
/// is on the disk.
public struct WrittenText: Sendable {
    public let text: String
    /// `nil` where the disk did not take it, or there is none for it.
    let file: URL?

    public init(_ text: String) { self.init(text, file: nil) }

    init(_ text: String, file: URL?) {
        self.text = text
        self.file = file
    }

    /// Whether it is too long to be typed again from memory.
    static func isLong(_ text: String) -> Bool {
        text.utf8.count > ShellLimits.textOfMemory || text.utf8.contains(UInt8(ascii: "\n"))
    }

    /// The whole text of an answer that was called off while it was typed; `nil` if its last line adds no text worth keeping.
    ///
    /// - Parameters:
    ///   - line: as it stood.
    ///   - begun: the lines before it.
    static func unfinished(_ line: String, behind begun: WrittenText?) -> String? {
        let text = PastedLines.restored(line)
        guard let begun else { return isLong(text) ? text : nil }
        return text.isEmpty ? nil : "\(begun.text)\n\(text)"
    }
}
