import Testing

@testable import DocumentValues

/// Which known names are near a name.
@Suite struct NearNameTests {
    private static let known = ["upper", "lower", "length", "ltrim", "trim", "e"]

    @Test(
        arguments: [
            ("uper", "upper"), ("UPPER", "upper"), ("lenght", "length"), ("tirm", "trim"), ("lowr", "lower"),
            ("nothing", nil), ("", nil), (String(repeating: "x", count: 1_000), nil),
        ] as [(String, String?)])
    func theNearest(name: String, nearest: String?) {
        #expect(NearName.nearest(name, among: Self.known) == nearest)
    }

    @Test func fewerChangesMayBeAsked() {
        #expect(NearName.nearest("site", among: ["like"]) == "like")
        #expect(NearName.nearest("site", among: ["like"], changes: 1) == nil)
    }

    /// The nearest first, and then as they come.
    @Test func severalAreNear() {
        #expect(
            NearName.near("rtrim", among: ["trims", "trim", "ltrim", "other"], count: 3) == ["trim", "ltrim", "trims"])
        #expect(NearName.near("rtrim", among: ["trim", "ltrim"], count: 1) == ["trim"])
        #expect(NearName.near("zzzzzz", among: ["trim"], count: 3).isEmpty)
    }
}
