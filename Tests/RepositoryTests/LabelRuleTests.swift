import Testing

/// A call says what its arguments are: at most one has no label, or two where the second is what the call takes place in.
@Suite struct LabelRuleTests {
    private static let contexts = ["context", "db", "transaction", "reader", "table", "call"]

    /// Called by code for Apple's systems.
    private static let applesNames = ["SecCertificateCreateWithData"]

    @Test func argumentsHaveLabels() throws {
        for file in try ["Sources", "Models", "Migrations"].flatMap({ try SourceTree.files(in: $0) }) {
            for function in FunctionLabels.all(in: SwiftCode(file.text).lines)
            where Self.isBad(function) && !Self.applesNames.contains(function.name) {
                let parameters = function.unlabelled.joined(separator: ", ")
                Issue.record("\(file.path):\(function.line) \(function.name)(\(parameters)) needs labels")
            }
        }
    }

    private static func isBad(_ function: FunctionLabels) -> Bool {
        guard function.unlabelled.count > 1 else { return false }
        return !(function.unlabelled.count == 2 && function.endsUnlabelled && contexts.contains(function.unlabelled[1]))
    }

    @Test(arguments: [
        ("func f(_ a: Int, b: Int) {}", 1), ("func f<A, B>(_ a: (A, B) -> Int, _ b: [A: B] = [:]) {}", 2),
        ("    init?(_ a: Int,\n        _ b: Int) {", 2), ("x.init(a, b); self.init(c)", 0),
        ("func f(a: Int, b: Int)", 0),
        ("func f(_ a: @escaping (_ c: Int) -> Void, @B _ d: Int)", 2), ("func == (_ a: Int, _ b: Int)", 0),
        ("static func < (a: Int, b: Int) -> Bool { a }\nfunc f(_ a: Int, _ b: Int)", 2),
    ])
    func unlabelledParametersAreFound(code: String, count: Int) {
        let functions = FunctionLabels.all(in: code.split(separator: "\n").map(String.init))
        #expect(functions.map(\.unlabelled.count).reduce(0, +) == count)
    }
}
