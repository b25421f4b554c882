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

    /// Folders whose own folders use each other, with the reason.
    private static let entangled = [
        "DocumentStore/Database": "a document names its collection, as in the API of Couchbase Lite"
    ]

    /// The files of the outer folder itself are in the order only if its row names them: where a folder has what is common
    /// to its parts, and what puts them together, these are in front and behind.
    @Test func everyFolderInAFolderUsesThoseBehindIt() throws {
        let orders = try FolderOrder.all()
        var parts: Set<String> = []
        for row in try ModuleRow.all() {
            let sources = try SourceTree.files(in: row.folder)
            for (folder, inner) in InnerFolders.all(of: sources, in: row.folder) where inner.count > 1 {
                let name = "\(row.name)/\(folder)", root = "\(row.folder)/\(folder)"
                parts.insert(name)
                let module = ModuleFolders(sources.filter { $0.path.utf8.starts(with: "\(root)/".utf8) }, in: root)
                if Self.entangled[name] != nil {
                    let names = inner.sorted()
                    let isOrdered = [names, names.reversed()].contains { module.uses(against: $0).isEmpty }
                    #expect(!isOrdered, "\(name) can have a row: take it from the list")
                    continue
                }
                let order = orders[name] ?? []
                #expect(Set(order).subtracting(["."]) == inner && Set(order).count == order.count, "\(name): \(inner)")
                let upward = module.uses(against: order)
                #expect(upward.isEmpty, "\(name) uses folders in front: \(upward)")
            }
        }
        let modules = Set(try ModuleRow.all().map(\.name))
        // Other tables have files in their first column.
        let rows = orders.keys.filter { key in
            let path = key.split(separator: "/")
            return path.count == 2 && modules.contains(String(path[0]))
        }
        #expect(Set(rows).union(Self.entangled.keys) == parts, "folders in folders: \(parts)")
    }

    @Test func foldersInFoldersAreFound() {
        let files = ["m/A.swift", "m/One/B.swift", "m/One/Low/C.swift", "m/One/High/D.swift", "m/Two/Low/Deep/E.swift"]
            .map { SourceTree.File(path: $0, text: "") }
        #expect(InnerFolders.all(of: files, in: "m") == ["One": ["Low", "High"], "Two": ["Low"]])
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

    /// Most members have names that others have, too. Those of several words hardly do.
    @Test func membersWithCompoundNamesAreFound() {
        let low = """
            extension A {
                func makeAgain() { help(isAgain: true) }
                func step() {}
                private func lookAgain() {}
            }
            """
        let files = [
            SourceTree.File(path: "m/Low/A.swift", text: low),
            SourceTree.File(path: "m/High/B.swift", text: "let a = a.makeAgain(), b = Self.makeAgain(1), c = x.step()"),
            SourceTree.File(path: "m/High/C.swift", text: "let a = a.lookAgain(), b = makeAgain, c = T.makeAgain()"),
        ]
        let module = ModuleFolders(files, in: "m")
        #expect(module.uses(against: ["Low", "High"]) == ["High/B.swift uses makeAgain of Low"])
    }

    @Test func propertiesWithCompoundNamesAreFound() {
        let low = """
            extension A {
                var isOver: Bool { true }
                static let lastStep = 1
                var step: Int { 2 }
                private var isOwn: Bool { true }
                var isBoth: Bool { true }
            }
            """
        let files = [
            SourceTree.File(path: "m/Low/A.swift", text: low),
            SourceTree.File(
                path: "m/High/B.swift", text: "let a = b.isOver, c = \\.lastStep, d = b.step, e = b.isOwn, f = b.isBoth"
            ),
            SourceTree.File(path: "m/High/C.swift", text: "let a = isOver, b = T.isOver, c = self.isOverAll"),
            SourceTree.File(path: "m/High/D.swift", text: "func f() {\n    let isBoth = x\n}"),
        ]
        let module = ModuleFolders(files, in: "m")
        #expect(
            module.uses(against: ["Low", "High"]) == [
                "High/B.swift uses isOver of Low", "High/B.swift uses lastStep of Low",
            ])
    }
}

/// The table of a module's folders: from the one that uses the others to those that use none.
enum FolderOrder {
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

/// The folders in the folders of a module, by these.
private enum InnerFolders {
    static func all(of sources: [SourceTree.File], in root: String) -> [String: Set<String>] {
        sources.reduce(into: [:]) { inner, source in
            let parts = source.path.dropFirst(root.count + 1).split(separator: "/")
            if parts.count > 2 { inner[String(parts[0]), default: []].insert(String(parts[1])) }
        }
    }
}

/// Names of members that a folder behind theirs has as well.
private enum SharedMemberNames {
    static let all: Set<String> = [
        // Of the standard library.
        "isEmpty", "popFirst", "rawValue", "removeFirst", "removeValue",
        // A statement's in SQLiteStorage, and a query's.
        "forEachRow",
        // Of the deletions in FieldRecords, and of the service that asks for it.
        "bringBackTiedFindings",
        // A status's in NIO.
        "switchingProtocols",
        // A byte's, in two modules.
        "isDigit",
    ]
}

/// What the files of a module declare and use, by their names.
struct ModuleFolders {
    private struct File {
        /// From the module's folder.
        let path: String
        let folder: String
        let names: Set<String>
        /// Functions that are called, and properties that are read, each by the name alone.
        let members: Set<String>
    }

    private let files: [File]
    /// The folder of each name that is declared in one folder only.
    private let owners: [String: String]
    /// The same for members with names of several words: extensions of one type may be in any folder.
    private let memberOwners: [String: String]

    init(_ sources: [SourceTree.File], in root: String) {
        var owners: [String: Set<String>] = [:]
        var members: [String: Set<String>] = [:]
        var locals: [String: Set<String>] = [:]
        files = sources.map { source in
            let path = String(source.path.dropFirst(root.count + 1))
            let parts = path.split(separator: "/")
            let folder = parts.count > 1 ? String(parts[0]) : "."
            let code = SwiftCode(source.text).lines
            for name in code.compactMap(Self.declared) { owners[name, default: []].insert(folder) }
            for name in code.flatMap(Self.cases) { members[name, default: []].insert(Self.nowhere) }
            for member in code.compactMap(Self.member) {
                members[member.name, default: []].insert(member.isPrivate ? Self.nowhere : folder)
            }
            for name in code.compactMap(Self.local) { locals[name, default: []].insert(folder) }
            return File(
                path: path, folder: folder, names: code.reduce(into: []) { $0.formUnion(Self.names(of: $1)) },
                members: code.reduce(into: []) { members, line in
                    members.formUnion(Self.calls(in: line))
                    members.formUnion(Self.properties(in: line))
                })
        }
        self.owners = owners.compactMapValues { $0.count == 1 ? $0.first : nil }
        memberOwners = members.filter { owners[$0.key] == nil && !SharedMemberNames.all.contains($0.key) }
            .filter { $0.value.union(locals[$0.key] ?? []).count == 1 }.compactMapValues(\.first)
    }

    /// Names that are private to a file are used in that file only.
    private static let nowhere = ""

    var folders: Set<String> { Set(files.map(\.folder)) }

    /// `Low/A.swift uses B of High`, for each name of a folder in front.
    func uses(against order: [String]) -> [String] {
        let ranks = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return files.flatMap { file -> [String] in
            let named = file.names.map { (name: $0, owner: owners[$0]) }
            let members = file.members.map { (name: $0, owner: memberOwners[$0]) }
            return (named + members).compactMap { use -> String? in
                guard let owner = use.owner, let rank = ranks[owner], let own = ranks[file.folder], rank < own
                else { return nil }
                return "\(file.path) uses \(use.name) of \(owner)"
            }
        }.sorted()
    }

    private static let keywords: Set<Substring> = [
        "struct", "class", "enum", "protocol", "actor", "typealias", "func",
    ]

    /// What other files can use of a line that is not indented.
    static func declared(_ line: String) -> String? {
        guard let first = line.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "}") else { return nil }
        let parts = line.split(separator: " ", maxSplits: 8)
        guard let keyword = parts.firstIndex(where: { keywords.contains($0) }), keyword + 1 < parts.count,
            !parts[..<keyword].contains(where: { part in
                ["private", "fileprivate", "extension"].contains { part.hasPrefix($0) }
            })
        else { return nil }
        return names(of: String(parts[keyword + 1])).first
    }

    /// A function or property of several words that is a member of a type.
    private static func member(_ line: String) -> (name: String, isPrivate: Bool)? {
        guard line.utf8.starts(with: "    ".utf8), line.utf8.dropFirst(4).first != UInt8(ascii: " ") else { return nil }
        let parts = line.split(separator: " ", maxSplits: 8)
        guard let (keyword, name) = compoundName(in: parts, after: ["func", "let", "var"]) else { return nil }
        // A property that is private for those who write only can be read elsewhere.
        let isPrivate = parts[..<keyword].contains { part in
            (part.hasPrefix("private") || part.hasPrefix("fileprivate")) && !part.hasSuffix("(set)")
        }
        return (name, isPrivate)
    }

    /// A variable within a function, or a property of a type within a type: a name that may be of another member than one of
    /// the same name elsewhere.
    private static func local(_ line: String) -> String? {
        guard line.utf8.starts(with: "     ".utf8) else { return nil }
        return compoundName(in: line.split(separator: " ", maxSplits: 8), after: ["let", "var"])?.name
    }

    private static func compoundName(
        in parts: [Substring], after keywords: [Substring]
    ) -> (keyword: Int, name: String)? {
        guard let keyword = parts.firstIndex(where: { keywords.contains($0) }), keyword + 1 < parts.count,
            let name = names(of: String(parts[keyword + 1])).first, isCompound(name)
        else { return nil }
        return (keyword, name)
    }

    /// Cases of enumerations are called as functions are.
    private static func cases(_ line: String) -> [String] {
        let isCase = line.drop { $0 == " " }.utf8.starts(with: "case ".utf8)
        return isCase ? names(of: line).filter { isCompound($0) } : []
    }

    static func isCompound(_ name: String) -> Bool {
        name.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// Names of several words in front of an opening bracket, but for those of a type that is named.
    private static func calls(in line: String) -> [String] {
        guard line.utf8.contains(UInt8(ascii: "(")) else { return [] }
        return line.split(separator: "(").dropLast(line.utf8.last == UInt8(ascii: "(") ? 0 : 1).compactMap { part in
            let name = lastName(of: part)
            let before = part.dropLast(name.count)
            guard isCompound(name), !before.hasSuffix("func ") else { return nil }
            let type = before.hasSuffix(".") ? lastName(of: before.dropLast()) : ""
            return type.first?.isUppercase == true && type != "Self" ? nil : name
        }
    }

    /// Names of several words behind a dot that are not called, but for those of a type that is named.
    private static func properties(in line: String) -> [String] {
        let parts = line.split(separator: ".", omittingEmptySubsequences: false)
        return zip(parts, parts.dropFirst()).compactMap { before, part in
            let name = firstName(of: part)
            guard isCompound(name), part.dropFirst(name.count).first != "(" else { return nil }
            let type = lastName(of: before)
            return type.first?.isUppercase == true && type != "Self" ? nil : name
        }
    }

    static func firstName(of text: Substring) -> String {
        String(decoding: text.utf8.prefix { isPartOfName($0) }, as: UTF8.self)
    }

    static func lastName(of text: Substring) -> String {
        String(decoding: text.utf8.reversed().prefix { isPartOfName($0) }.reversed(), as: UTF8.self)
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A || byte == UInt8(ascii: "_")
        return isLetter || byte >= 0x30 && byte <= 0x39
    }

    /// Names that are not a member of something.
    static func names(of line: String) -> [String] {
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
