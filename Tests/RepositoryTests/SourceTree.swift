import Foundation
import Testing

/// The project's own files, found from where this one is.
struct SourceTree {
    struct File {
        /// From the project's root.
        let path: String
        let text: String

        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

        /// The modules of its `import` lines.
        var imports: [String] {
            lines.compactMap { line in
                let parts = line.split(separator: " ")
                guard let index = parts.firstIndex(of: "import"), index + 1 < parts.count,
                    parts[..<index].allSatisfy({ $0.hasPrefix("@") || Self.accessLevels.contains($0) })
                else { return nil }
                return parts[parts.index(before: parts.endIndex)].split(separator: ".").first.map(String.init)
            }
        }

        private static let accessLevels: Set<Substring> = ["public", "package", "internal", "private", "fileprivate"]
    }

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// - Parameter mayBeNone: otherwise a folder without such files fails: a rule over one that was renamed would check
    ///   nothing.
    static func files(
        in folder: String, withExtension fileExtension: String = "swift", mayBeNone: Bool = false
    ) throws -> [File] {
        let base = root.appendingPathComponent(folder)
        let walk = try #require(FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil))
        let files = try walk.compactMap { $0 as? URL }.filter { $0.pathExtension == fileExtension }.map { url in
            File(
                path: String(url.path.dropFirst(root.path.count + 1)),
                text: try String(contentsOf: url, encoding: .utf8))
        }
        try #require(mayBeNone || !files.isEmpty, "no file in \(folder)")
        return files
    }

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
}

/// A row of the table of floors in `Sources/ARCHITECTURE.md`.
struct ModuleRow {
    let floor: Int
    let name: String
    let folder: String
    let own: Set<String>
    let outside: Set<String>

    static func all() throws -> [ModuleRow] {
        try SourceTree.text(of: "Sources/ARCHITECTURE.md").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, let floor = Int(cells[0]) else { return nil }
            let quoted = cells[1].split(separator: "`").map(String.init)
            let name = quoted[0]
            let folder = quoted.first { $0.hasSuffix("/") }.map { String($0.dropLast()) } ?? "Sources/\(name)"
            return ModuleRow(floor: floor, name: name, folder: folder, own: names(cells[3]), outside: names(cells[4]))
        }
    }

    private static func names(_ cell: String) -> Set<String> {
        cell == "–" ? [] : Set(cell.components(separatedBy: ", "))
    }
}
