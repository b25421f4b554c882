import Testing

@testable import GatewayCore

/// Mail addresses of users; invalid ones are skipped.
@Suite struct MailAddressTests {
    @Test(arguments: [
        "mara@example.org", "m.a-r+a_1@h.x", "mårä@büro.example", "ma\u{30A}ra@example.org", "a@bc",
        String(repeating: "a", count: 248) + "@b.org",
    ])
    func isOne(text: String) { #expect(MailAddress.isValid(text)) }

    @Test(arguments: [
        "", "x", "@", "a@", "@example.org", "a@b", "a@.org", "a@b@c.org", "a b@c.org", "a@c.org\n", "a!@c.org",
        "a@c/org",
        "a@-c.org", String(repeating: "a", count: 249) + "@b.org",
        "a" + String(repeating: "\u{301}\u{316}", count: 400_000) + "@b.org",
    ])
    func isNone(text: String) { #expect(!MailAddress.isValid(text)) }
}
