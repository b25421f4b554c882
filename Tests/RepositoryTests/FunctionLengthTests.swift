import Testing

/// A function fits on a screen.
@Suite struct FunctionLengthTests {
    private static let longest = 50

    /// Longer than `listed`; the list only gets shorter.
    private static let long = [
        "Sources/GatewayCore/Documents/DocumentService+Writing.swift store"
    ]
    private static let listed = 45

    @Test func functionsFitTheScreen() throws {
        var needed: Set<String> = []
        for file in try ["Sources", "Models", "Migrations", "Benchmarks"].flatMap({ try SourceTree.files(in: $0) }) {
            for function in FunctionLength.all(in: SwiftCode(file.text).lines) where function.lines > Self.listed {
                let name = "\(file.path) \(function.name)"
                needed.insert(name)
                let fits = function.lines <= Self.longest && Self.long.contains(name)
                #expect(
                    fits,
                    "\(file.path):\(function.line) \(function.name) has \(function.lines) lines; divide it by what it does"
                )
            }
        }
        for name in Self.long { #expect(needed.contains(name), "\(name) is short now: take it from the list") }
    }

    @Test(arguments: [
        ("func f() { g() }", [1]), ("    private static func f<A>(_ a: A) {\n        if a {\n        }\n    }", [4]),
        ("init?(\n    a: Int,\n    b: () -> Void = {}\n) throws {\n    c()\n}", [6]), ("deinit {\n    a()\n}", [3]),
        ("protocol P {\n    func f()\n    init(a: Int)\n    func g() -> Int\n}", []),
        ("    func f()\n        async throws -> Int\n    where A: B {\n        g {\n        }\n    }", [6]),
        ("    self.init(a)\n    let initial = a\n    func f() {\n        func g() {\n        }\n    }", [4, 2]),
        (
            "@Test(a) @MainActor func f() {\n    do {\n    } catch {\n    }\n}\nsubscript(a: Int) -> Int {\n    a\n}",
            [5, 3]
        ),
    ])
    func linesAreCounted(code: String, lines: [Int]) {
        let found = FunctionLength.all(in: code.split(separator: "\n").map(String.init))
        #expect(found.map(\.lines) == lines, "\(found.map(\.name))")
    }
}
