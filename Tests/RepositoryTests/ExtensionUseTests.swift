import Testing

/// The order of folders also holds for what an extension adds to a type of another folder or module: its initialisers, and
/// members of one word that no other file has.
@Suite struct ExtensionUseTests {
    @Test func everyFolderUsesThoseBehindIt() throws {
        let orders = try FolderOrder.all()
        var modules: [(row: ModuleRow, files: [DeclaredMembers])] = []
        for row in try ModuleRow.all() {
            modules.append((row, try SourceTree.files(in: row.folder).map { DeclaredMembers($0) }))
        }
        let all = modules.flatMap { $0.files }
        for (row, files) in modules {
            if let order = orders[row.name] {
                let upward = ExtensionUses(files, in: row.folder, among: all).uses(against: order)
                #expect(upward.isEmpty, "\(row.name) uses folders in front: \(upward)")
            }
            let folders = Set(files.compactMap { Self.outerFolder(of: $0.path, in: row.folder) })
            for folder in folders {
                guard let order = orders["\(row.name)/\(folder)"] else { continue }
                let root = "\(row.folder)/\(folder)"
                let inside = files.filter { $0.path.utf8.starts(with: "\(root)/".utf8) }
                let upward = ExtensionUses(inside, in: root, among: all).uses(against: order)
                #expect(upward.isEmpty, "\(row.name)/\(folder) uses folders in front: \(upward)")
            }
        }
    }

    private static func outerFolder(of path: String, in root: String) -> String? {
        let parts = path.dropFirst(root.count + 1).split(separator: "/")
        return parts.count > 2 ? String(parts[0]) : nil
    }

    private static let high = """
        extension B {
            var way: Int { 1 }
            private var own: Int { 1 }
            init(of text: String) {}
            init(
                from text: String
            ) {}
        }
        """
    private static let low = """
        struct B {
            let size: Int
        }
        let a = b.way, c = B(of: 1), d = b.own, e = B(size: 2), f = T.way
        let g = B(
            from: 3)
        """

    private static func uses(among others: [String] = []) -> [String] {
        func declared(_ path: String, text: String) -> DeclaredMembers {
            DeclaredMembers(SourceTree.File(path: path, text: text))
        }
        let files = [declared("m/High/A.swift", text: high), declared("m/Low/B.swift", text: low)]
        let all = files + others.map { declared("n/C.swift", text: $0) }
        return ExtensionUses(files, in: "m", among: all).uses(against: ["High", "Low"])
    }

    @Test func whatAnExtensionAddsIsFound() {
        let initializers = ["Low/B.swift uses B(from:) of High", "Low/B.swift uses B(of:) of High"]
        #expect(Self.uses() == initializers + ["Low/B.swift uses way of High"])
        // It may be that of the other module.
        #expect(Self.uses(among: ["struct C {\n    let way: Int\n}"]) == initializers)
        #expect(Self.uses(among: ["enum C {\n    case way\n}"]) == initializers)
    }
}

/// Which folder has what extensions add, and who uses it.
private struct ExtensionUses {
    private let files: [DeclaredMembers]
    private let root: String
    /// The folder of each member of one word that has one.
    private let members: [String: String]
    /// The same for the initialisers of types in these files.
    private let initializers: [String: String]

    /// - Parameter all: these files and others, in which a member of the same name may be another one.
    init(_ files: [DeclaredMembers], in root: String, among all: [DeclaredMembers]) {
        self.files = files
        self.root = root
        let own = Set(files.map(\.path))
        let types = files.reduce(into: Set<String>()) { $0.formUnion($1.types) }
        var added: Set<String> = []
        var members: [String: Set<String>] = [:]
        var initializers: [String: Set<String>] = [:]
        for file in all {
            let isOwn = own.contains(file.path)
            let folder = isOwn ? Self.folder(of: file.path, in: root) : Self.nowhere
            for member in file.members where !ModuleFolders.isCompound(member.name) {
                members[member.name, default: []].insert(member.isPrivate ? Self.nowhere : folder)
                if isOwn, member.isAdded, !member.isPrivate { added.insert(member.name) }
            }
            for initializer in file.initializers where isOwn && types.contains(initializer.type) {
                initializers["\(initializer.type)(\(initializer.label):)", default: []].insert(
                    initializer.isPrivate ? Self.nowhere : folder)
            }
        }
        self.members = members.filter { added.contains($0.key) }.compactMapValues(Self.only)
        self.initializers = initializers.compactMapValues(Self.only)
    }

    /// Names that are private to a file, or another module's, have no folder here.
    private static let nowhere = ""

    private static func only(_ folders: Set<String>) -> String? { folders.count == 1 ? folders.first : nil }

    private static func folder(of path: String, in root: String) -> String {
        let parts = path.dropFirst(root.count + 1).split(separator: "/")
        return parts.count > 1 ? String(parts[0]) : "."
    }

    /// `Low/A.swift uses way of High`, for each name of a folder in front.
    func uses(against order: [String]) -> [String] {
        let ranks = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return files.flatMap { file -> [String] in
            let own = ranks[Self.folder(of: file.path, in: root)]
            let names = file.usedNames.map { (name: $0, owner: members[$0]) }
            let calls = file.usedInitializers.map { (name: $0, owner: initializers[$0]) }
            return (names + calls).compactMap { use -> String? in
                guard let own, let owner = use.owner, let rank = ranks[owner], rank < own else { return nil }
                return "\(file.path.dropFirst(root.count + 1)) uses \(use.name) of \(owner)"
            }
        }.sorted()
    }
}
