import Testing

@testable import GatewayServer

/// Names that administrators give.
@Suite struct FieldNameTests {
    @Test(arguments: [
        ("mara", nil), ("Mara Quint", nil), ("م", nil), ("", "A user needs a name"),
        ("x\ny", "invisible characters"), ("x\u{1B}[31m", "invisible characters"),
        ("ma\u{202E}ra", "invisible characters"), ("ma\u{200B}ra", "invisible characters"),
        (" mara", "begins or ends with a space"), ("mara\u{A0}", "begins or ends with a space"),
    ])
    func aNewUserHasANameThatCanBeRead(name: String, problem: String?) {
        let found = FieldMember.problem(withName: name)
        #expect(problem.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "none")")
    }

    /// A path with these is another path.
    @Test(arguments: [(".", "%2E"), ("..", "%2E%2E"), ("...", "..."), ("a.b", "a.b"), ("a/b", "a%2Fb")])
    func aNameOfDotsIsNoStepInAPath(name: String, escaped: String) {
        #expect(AdminPath.escaped(name) == escaped)
    }

    @Test func aCollectionIsOneStepInAPath() {
        #expect(AdminPath.keyspace("field.sites", of: "a/b") == "/a%2Fb.field.sites")
    }
}
