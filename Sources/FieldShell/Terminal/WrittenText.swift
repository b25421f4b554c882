import Foundation

/// A text that nobody writes again from memory: of an editor, of several lines, or a long one. Until a record has it, it is on
/// the disk.
public struct WrittenText: Sendable {
    public let text: String
    /// `nil` where the disk did not take it, or there is none for it.
    let file: URL?

    public init(_ text: String) { self.init(text, file: nil) }

    init(_ text: String, file: URL?) {
        self.text = text
        self.file = file
    }
}
