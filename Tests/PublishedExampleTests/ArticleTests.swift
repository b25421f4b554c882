import Foundation
import Testing

/// The articles for developers: their code is what ArticleExamples.swift compiles, and the first page leads to each of them.
@Suite struct ArticleTests {
    private static let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let catalogue = own.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/Fieldbook/Fieldbook.docc")

    /// Of all articles, without the first page.
    private static func articles() throws -> [String: String] {
        let files = try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
        let texts = try files.filter { $0.pathExtension == "md" }.map { file in
            (file.deletingPathExtension().lastPathComponent, try String(contentsOf: file, encoding: .utf8))
        }
        return Dictionary(uniqueKeysWithValues: texts.filter { $0.0 != "Fieldbook" })
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// By article and number: `Saving 2`.
    private static func compiledBlocks() throws -> [String: [String]] {
        let code = try String(contentsOf: own.appendingPathComponent("ArticleExamples.swift"), encoding: .utf8)
        let parts = code.components(separatedBy: "        // End\n").dropLast()
        return Dictionary(
            uniqueKeysWithValues: try parts.map { part in
                let block = try #require(part.components(separatedBy: "{\n        // ").last)
                let lines = Self.lines(block)
                return (try #require(lines.first), Array(lines.dropFirst()))
            })
    }

    @Test func theArticlesHaveTheCodeThatCompiles() throws {
        var compiled = try Self.compiledBlocks()
        #expect(compiled.count > 20)
        for (name, text) in try Self.articles() {
            let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
                Self.lines($0.components(separatedBy: "```")[0])
            }
            for (index, block) in blocks.enumerated() {
                #expect(compiled.removeValue(forKey: "\(name) \(index + 1)") == block, "\(name) \(index + 1)")
            }
        }
        #expect(compiled.isEmpty, "no article has \(compiled.keys.sorted())")
    }

    @Test func theFirstPageLeadsToEachArticle() throws {
        let page = try String(contentsOf: Self.catalogue.appendingPathComponent("Fieldbook.md"), encoding: .utf8)
        let linked = Set(page.matches(of: /<doc:(\w+)>/).map { String($0.output.1) })
        #expect(linked == Set(try Self.articles().keys))
    }
}
