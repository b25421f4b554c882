import Foundation
import Testing

/// The blocks of code that pages show, and those that a file of this folder has compiled.
enum ExampleBlocks {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

    /// Those of one of this folder's files, by the page's name and their number there: `Saving 2`.
    static func compiled(in file: String) throws -> [String: [String]] {
        let code = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        let parts = code.components(separatedBy: "        // End\n").dropLast()
        return Dictionary(
            uniqueKeysWithValues: try parts.map { part in
                let block = try #require(part.components(separatedBy: "{\n        // ").last)
                let lines = Self.lines(block)
                return (try #require(lines.first), Array(lines.dropFirst()))
            })
    }

    /// Those of a page, in its order.
    static func shown(in page: String) -> [[String]] {
        page.components(separatedBy: "```swift\n").dropFirst().map { lines($0.components(separatedBy: "```")[0]) }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
