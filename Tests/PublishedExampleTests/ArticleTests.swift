import Foundation
import Testing

/// The articles for developers: their code is what ArticleExamples.swift compiles, and the first page leads to each of them.
@Suite struct ArticleTests {
    private static let catalogue = ExampleBlocks.root.appendingPathComponent("Sources/Fieldbook/Fieldbook.docc")

    /// Of all articles, without the first page.
    private static func articles() throws -> [String: String] {
        let files = try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
        let texts = try files.filter { $0.pathExtension == "md" }.map { file in
            (file.deletingPathExtension().lastPathComponent, try String(contentsOf: file, encoding: .utf8))
        }
        return Dictionary(uniqueKeysWithValues: texts.filter { $0.0 != "Fieldbook" })
    }

    @Test func theArticlesHaveTheCodeThatCompiles() throws {
        var compiled = try ExampleBlocks.compiled(in: "ArticleExamples.swift")
        #expect(compiled.count > 20)
        for (name, text) in try Self.articles() {
            for (index, block) in ExampleBlocks.shown(in: text).enumerated() {
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
