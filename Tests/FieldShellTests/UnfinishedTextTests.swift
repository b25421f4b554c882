import Foundation
import Testing

@testable import FieldShell

/// What an editor had when the shell ended.
@Suite struct UnfinishedTextTests {
    @Test func aTextWhoseShellHasEndedIsShown() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("texts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        // No process has such a number.
        try write("The fridge is broken.\n", to: ".answer-2147483646.txt")
        try write(" \n", to: ".answer-2147483645.txt")
        // This one is running, and the system's first one.
        try write("mine", to: UnfinishedTexts(folder: folder).newFile().lastPathComponent)
        try write("of another shell", to: ".answer-1.txt")
        for _ in 1...2 {
            let found = try UnfinishedTexts(folder: folder).find()
            #expect(found.map(\.lastPathComponent) == ["unfinished-text-2147483646.txt"])
            #expect(try found.map { try String(contentsOf: $0, encoding: .utf8) } == ["The fridge is broken.\n"])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
        // Another text of a shell with the same number.
        try write("More", to: ".answer-2147483646.txt")
        #expect(try UnfinishedTexts(folder: folder).find().count == 2)
    }
}
