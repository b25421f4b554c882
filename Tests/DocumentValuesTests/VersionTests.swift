import DocumentValues
import Testing

/// The text form of versions (vectors 6 to 16 of the specification of version vectors).
@Suite struct VersionTests {
    private static let source = "SHGXRoPiZIaxqzGQ/kAZ+A"

    @Test(arguments: [
        ("18e9f7cc05120000", 0x18e9_f7cc_0512_0000), ("1", 1), ("ffffffffffffffff", UInt64.max),
        ("18E9F7CC05120000", 0x18e9_f7cc_0512_0000),
    ])
    func isRead(time: String, value: UInt64) throws {
        let version = try #require(Version("\(time)@\(Self.source)"))
        #expect(version.time == value && version.source.description == Self.source)
        #expect(version.description == "\(time.lowercased())@\(Self.source)")
    }

    @Test(arguments: [
        "", "1", "@\(source)", "0@\(source)", "12345678123456789@\(source)", "1-a@\(source)", "1@", "1@*", "1@0",
        "1@AliceAliceAliceAliceAlice", "1@AliceAliceAliceAlice", "1@AliceAlic!AliceAliceAA", " 1@\(source)",
        "1 @\(source)", "1@ \(source)", "1@\(source) ", "0x1@\(source)",
    ])
    func otherTextsAreNone(text: String) { #expect(Version(text) == nil) }

    /// The last character represents two bits of the last byte only.
    @Test(arguments: [
        ("AAAAAAAAAAAAAAAAAAAAAB", false), ("AAAAAAAAAAAAAAAAAAAAAC", false), ("AAAAAAAAAAAAAAAAAAAAAI", false),
        ("AAAAAAAAAAAAAAAAAAAAAQ", true), ("Revision+Tree+Encodinw", true),
        // All zeros mean the database itself.
        ("AAAAAAAAAAAAAAAAAAAAAA", false),
        // The alphabet of addresses is another one.
        ("SHGXRoPiZIaxqzGQ_kAZ-A", false),
    ])
    func sources(text: String, isOne: Bool) { #expect((VersionSource(text) != nil) == isOne) }

    @Test func timeIsNever0() throws {
        #expect(Version(time: 0, source: try #require(VersionSource(Self.source))) == nil)
    }
}

/// What ids say of an order without a history.
@Suite struct RevisionOrderTests {
    private static func version(_ time: UInt64, of source: String) -> RevisionID {
        .version(Version(time: time, source: VersionSource(source + "AAAAAAAAAAAAAAAAAAAAQ")!)!)
    }

    private static let cases: [(revision: RevisionID, other: RevisionID, mayDescend: Bool, wins: Bool)] = [
        (RevisionID("2-a")!, RevisionID("1-z")!, true, true), (RevisionID("1-z")!, RevisionID("2-a")!, false, false),
        (RevisionID("2-b")!, RevisionID("2-a")!, false, true), (RevisionID("2-a")!, RevisionID("2-a")!, false, false),
        // Of one source time decides; another one's clock says nothing of what came from what.
        (version(8, of: "A"), version(7, of: "A"), true, true),
        (version(7, of: "A"), version(8, of: "A"), false, false),
        (version(7, of: "B"), version(8, of: "A"), true, false), (version(8, of: "A"), version(7, of: "B"), true, true),
        // A document's tree is older than its vector.
        (version(1, of: "A"), RevisionID("9-a")!, true, true), (RevisionID("9-a")!, version(1, of: "A"), false, false),
    ]

    @Test(arguments: cases.indices)
    func order(index: Int) {
        let (revision, other, mayDescend, wins) = Self.cases[index]
        #expect(revision.mayDescend(from: other) == mayDescend, "\(revision) from \(other)")
        #expect(revision.wins(over: other) == wins, "\(revision) over \(other)")
    }

    @Test func aVersionHasNoPositionOfAttachments() {
        #expect(RevisionID("3-a")!.attachmentPosition == 3 && Self.version(9, of: "A").attachmentPosition == 0)
    }
}
