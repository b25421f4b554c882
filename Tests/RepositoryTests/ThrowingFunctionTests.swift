import Testing

/// A program that calls the library learns from the documentation of a function which errors it has to expect.
@Suite struct ThrowingFunctionTests {
    @Test(arguments: ["DocumentStore", "Replication", "AttachmentVault"])
    func publicFunctionsNameTheirErrors(module: String) throws {
        var count = 0
        for file in try SourceTree.files(in: "Sources/\(module)") {
            for function in ThrowingFunction.all(in: SwiftCode(file.text).lines, text: file.lines) {
                count += 1
                #expect(
                    function.namesErrors,
                    "\(file.path):\(function.line) \(function.name) needs '- Throws:' with the codes of its errors")
            }
        }
        #expect(count > 0)
    }

    // MARK: - The rule itself

    @Test(arguments: [
        ("/// Reads.\n///\n/// - Throws: `.busy`.\npublic func read() throws {}", [true]),
        ("/// Reads. Throws `.busy`.\npublic func read() throws {}", [false]),
        ("    public func read() async throws -> Int {", [false]),
        ("public func f<A>(a: () throws -> A) rethrows {}", []),
        ("public init(\n    a: Int\n) throws(SomeError) {", [false]), ("func f() throws {}\npublic func g() {}", []),
        ("/// - Throws: `.busy`.\n@discardableResult public func f() throws -> Int {", [true]),
        ("/// - Throws: `.busy`.\n// Beside the point.\n@discardableResult\npublic func f() throws -> Int {", [true]),
        ("@available(*, deprecated)\npublic func f() throws {}", []),
        ("public func encode(to encoder: any Encoder) throws {}", []),
        ("/// - Throws: `.busy`.\n\npublic func f() throws {}", [false]),
        ("public var a: Int {\n    get throws { 1 }\n}", [false]), ("public var a: Int { 1 }", []),
        ("public func f(a: (Int) throws -> Void) { // throws nothing\n}", []),
        ("/// - Throws: \npublic func f() throws {}", [false]),
    ])
    func errorsAreFound(text: String, named: [Bool]) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let functions = ThrowingFunction.all(in: SwiftCode(text).lines, text: lines)
        #expect(functions.map(\.namesErrors) == named)
    }
}
