import Testing

@testable import DocumentValues

/// Names that look alike, and that Swift's `String` takes for the same.
@Suite struct NameTests {
    static let lookAlikes: [(String, String)] = [
        ("\u{E9}", "e\u{301}"), ("Kim", "\u{212A}im"), ("a;b", "a\u{37E}b"), ("`", "\u{1FEF}"),
        ("Krak\u{F3}w and some more text", "Krako\u{301}w and some more text"),
    ]

    @Test(arguments: lookAlikes) func theyAreTwoNames(one: String, other: String) {
        // Characters are compared as Swift's own `==` compares texts.
        #expect(Array(one) == Array(other), "else this shows nothing")
        #expect(Name(one) != Name(other))
        #expect(Set([Name(one), Name(other)]).count == 2)
        #expect(Name(one) == Name(one) && [Name(one): 1][Name(other)] == nil)
        #expect(JSONValue.string(one) != .string(other))
        #expect(Set([JSONValue.string(one), .string(other)]).count == 2)
        #expect(JSONObject(members: [.init(key: one, value: 1), .init(key: other, value: 2)]).count == 2)
    }

    /// As SQLite orders its texts.
    @Test func theirOrderIsThatOfTheirBytes() {
        let names: [Name] = [
            "", "A", "Z", "a", "ab", "abcdefgh", "abcdefghi", "abd", "e\u{301}", "z", "\u{E9}", "\u{212A}",
        ]
        #expect(Array(names.shuffled()).sorted() == names)
        for (index, name) in names.enumerated() {
            for (otherIndex, other) in names.enumerated() {
                let bytes = name.utf8.lexicographicallyPrecedes(other.utf8)
                #expect((name < other) == bytes && bytes == (index < otherIndex), "\(name) \(other)")
                #expect((name == other) == (index == otherIndex))
            }
        }
    }

    @Test(
        arguments: [
            ("_\u{301}x", "_", "\u{301}x"), ("role:\u{301}abc", "role:", "\u{301}abc"), ("role:", "role:", ""),
            ("rol", "role:", nil), ("\u{212A}im", "K", nil),
        ] as [(String, String, String?)])
    func aPrefixIsOneOfBytes(text: String, prefix: String, rest: String?) {
        #expect(text.hasExactPrefix(prefix) == (rest != nil))
        #expect(text.droppingExactPrefix(prefix).map { Name($0) } == rest.map { Name($0) })
    }

    @Test func separatorsAreFoundBeforeAccents() {
        let parts = "a,\u{301}b,c".split(atByte: ",").map { Name($0) }
        #expect(parts == ["a", "\u{301}b", "c"])
        #expect("a\u{37E}b".split(atByte: ";").count == 1)
    }

    @Test func anIdDoesNotBeginWithAnUnderscoreUnderAnAccent() {
        #expect(!DocumentIDRules.isValid("_\u{301}x"))
    }

    /// Pointers are escaped scalar by scalar, so that two paths never get one name.
    @Test func aSlashUnderAnAccentIsEscaped() throws {
        let blob: JSONValue = ["@type": "blob", "digest": "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "length": 0]
        let value = JSONValue.object(JSONObject(members: [.init(key: "a/\u{301}b", value: blob)]))
        #expect(value.blobReferences().map { Name($0.pointer) } == ["/a~1\u{301}b"])
    }
}
