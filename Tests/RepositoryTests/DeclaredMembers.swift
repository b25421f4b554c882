/// The members that a file declares in types and extensions, and those that it uses, as far as names show them.
struct DeclaredMembers {
    struct Member {
        let name: String
        let isPrivate: Bool
        /// By an extension.
        let isAdded: Bool
    }

    /// Also a property of a type, which its own initialiser may have as a label.
    struct Initializer {
        let type: String
        let label: String
        let isPrivate: Bool
    }

    let path: String
    private(set) var types: Set<String> = []
    private(set) var members: [Member] = []
    private(set) var initializers: [Initializer] = []
    /// Names behind a dot, but for those of a type that is named.
    private(set) var usedNames: Set<String> = []
    /// `Site(id:)`
    private(set) var usedInitializers: Set<String> = []

    init(_ file: SourceTree.File) {
        path = file.path
        let lines = SwiftCode(file.text).lines
        var type = ""
        var isAdding = false
        for (index, line) in lines.enumerated() {
            let next = index + 1 < lines.count ? lines[index + 1] : ""
            if let opened = Self.opened(line) {
                (type, isAdding) = opened
                if !isAdding { types.insert(type) }
            }
            use(line, next: next)
            guard line.utf8.starts(with: "    ".utf8), line.utf8.dropFirst(4).first != UInt8(ascii: " ") else {
                continue
            }
            declare(line, next: next, type: type, isAdding: isAdding)
        }
    }

    private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "extension"]
    private static let keywords: Set<String> = ["func", "let", "var", "init"]

    /// The type that a line begins or extends; of `A.B` it is `B`.
    private static func opened(_ line: String) -> (type: String, isExtension: Bool)? {
        guard let first = line.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "}") else { return nil }
        let parts = line.split(separator: " ", maxSplits: 8)
        guard let kind = parts.firstIndex(where: { kinds.contains($0) }), kind + 1 < parts.count else { return nil }
        let name = parts[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return (String(name.split(separator: ".").last ?? ""), parts[kind] == "extension")
    }

    private mutating func declare(_ line: String, next: String, type: String, isAdding: Bool) {
        let parts = line.split(separator: " ", maxSplits: 8)
        if parts.first == "case" {
            // Cases are used as other members are.
            members += ModuleFolders.names(of: line).map { Member(name: $0, isPrivate: true, isAdded: false) }
            return
        }
        guard let index = parts.firstIndex(where: { Self.keywords.contains(ModuleFolders.firstName(of: $0)) }) else {
            return
        }
        let keyword = ModuleFolders.firstName(of: parts[index])
        // A property that is private for those who write only can be read elsewhere.
        let isPrivate = parts[..<index].contains { part in
            (part.hasPrefix("private") || part.hasPrefix("fileprivate")) && !part.hasSuffix("(set)")
        }
        if keyword == "init" {
            let behind = line.split(separator: "(", maxSplits: 1).dropFirst().first ?? next.drop { $0 == " " }
            let label = ModuleFolders.firstName(of: behind)
            initializers.append(Initializer(type: type, label: label, isPrivate: isPrivate))
            return
        }
        guard index + 1 < parts.count, let name = ModuleFolders.names(of: String(parts[index + 1])).first else {
            return
        }
        members.append(Member(name: name, isPrivate: isPrivate, isAdded: isAdding))
        if !isAdding, keyword != "func" {
            initializers.append(Initializer(type: type, label: name, isPrivate: false))
        }
    }

    private mutating func use(_ line: String, next: String) {
        let chain = line.split(separator: ".", omittingEmptySubsequences: false)
        for (before, part) in zip(chain, chain.dropFirst()) {
            let type = ModuleFolders.lastName(of: before)
            if type.first?.isUppercase == true, type != "Self" { continue }
            usedNames.insert(ModuleFolders.firstName(of: part))
        }
        let calls = line.split(separator: "(", omittingEmptySubsequences: false)
        for (before, part) in zip(calls, calls.dropFirst()) {
            let type = ModuleFolders.lastName(of: before)
            guard type.first?.isUppercase == true else { continue }
            let behind = part.isEmpty ? next.drop { $0 == " " } : part
            let label = ModuleFolders.firstName(of: behind)
            guard !label.isEmpty, behind.dropFirst(label.count).first == ":" else { continue }
            usedInitializers.insert("\(type)(\(label):)")
        }
    }
}
