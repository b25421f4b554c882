import Testing

/// Within a module a folder uses those behind it in the table of `Sources/ARCHITECTURE.md`, so that each can be read with
/// those alone.
@Suite struct FolderOrderTests {
    @Test func everyFolderUsesThoseBehindIt() throws {
        let orders = try FolderOrder.all()
        for row in try ModuleRow.all() {
            let module = ModuleFolders(try SourceTree.files(in: row.folder), in: row.folder)
            let order = orders[row.name] ?? []
            guard module.folders.count > 1 else {
                #expect(order.isEmpty, "\(row.name) has one folder; the table orders \(order)")
                continue
            }
            #expect(Set(order) == module.folders && order.count == module.folders.count, "\(row.name)")
            let upward = module.uses(against: order)
            #expect(upward.isEmpty, "\(row.name) uses folders in front: \(upward)")
        }
    }

    @Test func usesAreFoundByName() {
        let files = [
            SourceTree.File(path: "m/Low/A.swift", text: "struct A { let b: B }\nprivate struct P {}\nfunc help() {}"),
            SourceTree.File(path: "m/High/B.swift", text: "struct B {}\n// A\nlet p = P(), q = x.A, \"A\" + help()"),
            SourceTree.File(path: "m/Low/C.swift", text: ##"let a = "A \(B.count) \("B")", b = #"\(A)"#"##),
            SourceTree.File(path: "m/Root.swift", text: "extension B { enum A {} }"),
        ]
        let module = ModuleFolders(files, in: "m")
        #expect(module.folders == ["Low", "High", "."])
        #expect(
            module.uses(against: ["High", "Low", "."]) == [
                "Low/A.swift uses B of High", "Low/C.swift uses B of High", "Root.swift uses A of Low",
                "Root.swift uses B of High",
            ])
        #expect(module.uses(against: [".", "Low", "High"]) == ["High/B.swift uses help of Low"])
    }
}

/// The table of a module's folders: from the one that uses the others to those that use none.
private enum FolderOrder {
    static func all() throws -> [String: [String]] {
        let rows = try SourceTree.text(of: "Sources/ARCHITECTURE.md").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.split(separator: "`", omittingEmptySubsequences: false) }
            // A name is the part between two marks.
            guard cells.count == 2, cells[0].count == 3, cells[1].count > 4 else { return (String, [String])?.none }
            return (String(cells[0][1]), stride(from: 1, to: cells[1].count, by: 2).map { String(cells[1][$0]) })
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
}

/// What the files of a module declare and use, by their names.
struct ModuleFolders {
    private struct File {
        /// From the module's folder.
        let path: String
        let folder: String
        let names: Set<String>
    }

    private let files: [File]
    /// The folder of each name that is declared in one folder only.
    private let owners: [String: String]

    init(_ sources: [SourceTree.File], in root: String) {
        var owners: [String: Set<String>] = [:]
        files = sources.map { source in
            let path = String(source.path.dropFirst(root.count + 1))
            let parts = path.split(separator: "/")
            let folder = parts.count > 1 ? String(parts[0]) : "."
            let code = SwiftCode(source.text).lines
            for name in code.compactMap(Self.declared) { owners[name, default: []].insert(folder) }
            return File(path: path, folder: folder, names: code.reduce(into: []) { $0.formUnion(Self.names(of: $1)) })
        }
        self.owners = owners.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    var folders: Set<String> { Set(files.map(\.folder)) }

    /// `Low/A.swift uses B of High`, for each name of a folder in front.
    func uses(against order: [String]) -> [String] {
        let ranks = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return files.flatMap { file in
            file.names.compactMap { word -> String? in
                guard let owner = owners[word], let rank = ranks[owner], let own = ranks[file.folder], rank < own
                else { return nil }
                return "\(file.path) uses \(word) of \(owner)"
            }
        }.sorted()
    }

    private static let keywords: Set<Substring> = [
        "struct", "class", "enum", "protocol", "actor", "typealias", "func",
    ]

    /// What other files can use of a line that is not indented.
    private static func declared(_ line: String) -> String? {
        guard let first = line.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "}") else { return nil }
        let parts = line.split(separator: " ", maxSplits: 8)
        guard let keyword = parts.firstIndex(where: { keywords.contains($0) }), keyword + 1 < parts.count,
            !parts[..<keyword].contains(where: { part in
                ["private", "fileprivate", "extension"].contains { part.hasPrefix($0) }
            })
        else { return nil }
        return names(of: String(parts[keyword + 1])).first
    }

    /// Names that are not a member of something.
    private static func names(of line: String) -> [String] {
        var names: [String] = []
        var word: [UInt8] = []
        var before: UInt8 = 0
        for byte in Array(line.utf8) + [0] {
            let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A || byte == UInt8(ascii: "_")
            let isDigit = byte >= 0x30 && byte <= 0x39
            if isLetter || (isDigit && !word.isEmpty) {
                word.append(byte)
                continue
            }
            if !word.isEmpty {
                if before != UInt8(ascii: ".") { names.append(String(decoding: word, as: UTF8.self)) }
                word = []
            }
            before = byte
        }
        return names
    }
}
