import Foundation
import Testing

/// The examples in the docstrings of the modules: their code is what DocstringExamples.swift compiles.
@Suite struct DocstringTests {
    private static let folders = ["Sources", "Models", "Migrations"]

    /// The lines of a file's docstrings, without their slashes.
    private static func docstrings(of code: String) -> String {
        code.split(separator: "\n").compactMap { line -> String? in
            let text = line.trimmingCharacters(in: .whitespaces)
            return text.hasPrefix("///") ? String(text.dropFirst(3)).trimmingCharacters(in: .whitespaces) : nil
        }.joined(separator: "\n")
    }

    /// By the file's name.
    private static func shown() throws -> [(file: String, blocks: [[String]])] {
        try folders.flatMap { folder in
            let base = ExampleBlocks.root.appendingPathComponent(folder)
            let walk = try #require(FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil))
            let files = walk.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            return try files.map { file in
                let text = docstrings(of: try String(contentsOf: file, encoding: .utf8))
                return (file.deletingPathExtension().lastPathComponent, ExampleBlocks.shown(in: text))
            }
        }
    }

    @Test func theDocstringsHaveTheCodeThatCompiles() throws {
        var compiled = try ExampleBlocks.compiled(in: "DocstringExamples.swift")
        #expect(compiled.count > 8)
        for (file, blocks) in try Self.shown() {
            for (index, block) in blocks.enumerated() {
                #expect(compiled.removeValue(forKey: "\(file) \(index + 1)") == block, "\(file) \(index + 1)")
            }
        }
        #expect(compiled.isEmpty, "no docstring has \(compiled.keys.sorted())")
    }

    @Test func anExampleIsFoundInItsDocstring() {
        let code = """
                /// Text.
                ///
                /// ```swift
                /// if a {
                ///     b()
                /// }
                /// ```
                let c = 1
            """
        #expect(ExampleBlocks.shown(in: Self.docstrings(of: code)) == [["if a {", "b()", "}"]])
    }
}
