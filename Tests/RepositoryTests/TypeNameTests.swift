import Testing

/// A name means one type in all modules: a reader who looks for it finds that one.
@Suite struct TypeNameTests {
    /// With the reason why two modules have it.
    private static let shared = [
        "ReplicatorConfiguration": "public: Couchbase Lite 2.x has a class where later versions have a value"
    ]

    @Test func aNameMeansOneType() throws {
        var modules: [String: Set<String>] = [:]
        for row in try ModuleRow.all() where !row.folder.hasPrefix("Benchmarks") {
            for file in try SourceTree.files(in: row.folder, mayBeNone: true) {
                for name in SwiftCode(file.text).lines.compactMap(Self.declared) {
                    modules[name, default: []].insert(row.name)
                }
            }
        }
        try #require(modules.count > 1_000)
        let repeated = modules.filter { $0.value.count > 1 }
        for (name, modules) in repeated where Self.shared[name] == nil {
            Issue.record(
                "\(name) is in \(modules.sorted()): name it for what it is in each, or list it with the reason")
        }
        for name in Self.shared.keys { #expect(repeated[name] != nil, "\(name) has one module: take it from the list") }
    }

    @Test(arguments: [
        ("public struct A: B {", "A"), ("final class A<B> {", "A"), ("package indirect enum A {", "A"),
        ("@MainActor protocol A {", "A"), ("typealias A = B", "A"), ("actor A {", "A"),
    ])
    func declarationsAreFound(line: String, name: String) { #expect(Self.declared(line) == name) }

    @Test(arguments: [
        "    struct A {", "private struct A {", "fileprivate enum A {", "extension A {", "func struct() {",
    ])
    func othersAreNot(line: String) { #expect(Self.declared(line) == nil) }

    private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "final", "open", "indirect", "nonisolated",
    ]

    /// A type that all of the module can name: it is neither in another type nor private to a file.
    private static func declared(_ line: String) -> String? {
        guard let first = line.utf8.first, first != UInt8(ascii: " ") else { return nil }
        let parts = line.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
        guard let kind = parts.first, kinds.contains(kind), let name = parts.dropFirst().first else { return nil }
        return String(name.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
}
