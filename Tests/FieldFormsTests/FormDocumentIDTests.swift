import DocumentValues
import Testing

@testable import FieldForms

@Suite struct FormDocumentIDTests {
    @Test(arguments: [
        ("2026030401", "f@2026030401"), ("1.0_b-2", "f@1.0_b-2"), ("a b", "f@a%20b"), ("é", "f@%C3%A9"),
        ("%20", "f@%2520"), ("@", "f@%40"),
    ])
    func versionsAreSpelled(version: String, id: String) {
        #expect(FormDocumentIDs.version(version, of: "f").isExactly(id))
    }

    /// A digest names a version that would make the id too long.
    @Test func longVersionsAreNamedByTheirDigest() {
        let long = String(repeating: "v", count: 101)
        // sha256 of 101 letters v, its first 16 digits.
        let id = FormDocumentIDs.version(long, of: "f")
        #expect(id.utf8.count == 2 + 16 && id.hasExactPrefix("f@"))
        #expect(!FormDocumentIDs.version(long + "w", of: "f").isExactly(id))
        #expect(FormDocumentIDs.version(String(repeating: "v", count: 100), of: "f").utf8.count == 102)
        let foreign = FormDocumentIDs.version(String(repeating: "é", count: 50), of: "f")
        #expect(foreign.utf8.count == 2 + 16)
        #expect(DocumentIDRules.isValid(foreign))
    }
}
