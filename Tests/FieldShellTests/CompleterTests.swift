import Foundation
import Testing

@testable import FieldShell

@Suite struct CompleterTests {
    @Test(arguments: [
        ("appr", ["approve"]), ("s", ["start", "sites", "show", "submit", "sync", "service", "status"]),
        ("new in", ["inspection"]), ("new ", ["inspection", "site", "finding", "assignment"]),
        ("list in", ["inspections"]), ("help att", ["attach"]), ("show a", ["a1b2"]), ("new finding a", ["a1b2"]),
        ("undo a", ["a1b2"]), ("conflicts show a", ["a1b2"]), ("conflicts take a", ["a1b2"]),
        ("sites --di", ["--district"]), ("sync --json --c", ["--continuous"]), ("frobnicate x", []), ("init", []),
    ])
    func completesWhatFits(line: String, expected: [String]) {
        let word = line.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let found = Completer(listing: ["a1b2", "c3d4"]).completions(of: word, behind: line)
        #expect(Set(found).subtracting(["a1b2", "c3d4"]) == Set(expected).subtracting(["a1b2"]))
        #expect(expected.allSatisfy(found.contains))
    }

    @Test func completesFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("complete-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("photos/old"), withIntermediateDirectories: true)
        for name in ["photos/door.jpg", "photos/back door.jpg", ".hidden"] {
            try Data([1]).write(to: folder.appendingPathComponent(name))
        }
        let completer = Completer(folder: folder.path)
        #expect(completer.completions(of: "ph", behind: "attach 1 ph") == ["photos/"])
        #expect(
            completer.completions(of: "photos/", behind: "attach 1 photos/")
                == ["photos/back door.jpg", "photos/door.jpg", "photos/old/"])
        #expect(completer.completions(of: "", behind: "import ") == ["photos/"])
        let odd = #"Ines's "new" \ door.jpg"#
        try Data([1]).write(to: folder.appendingPathComponent("photos/" + odd))
        #expect(completer.completions(of: "photos/I", behind: "attach 1 photos/I") == ["photos/" + odd])
        let whole = folder.path + "/photos/d"
        #expect(completer.completions(of: whole, behind: "attach 1 " + whole) == [folder.path + "/photos/door.jpg"])
    }
}
