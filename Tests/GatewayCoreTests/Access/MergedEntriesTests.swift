import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// The row that results from the entries of one sequence.
@Suite struct MergedEntriesTests {
    private static func entry(
        _ channel: Name, at sequence: UInt64 = 7, isRemoval: Bool = false, isDeleted: Bool = false,
        isGone: Bool = false,
        documentSequence: UInt64 = 7, reason: FeedEntry.Reason = .scan
    ) -> FeedEntry {
        FeedEntry(
            sequence: SequenceID(sequence),
            row: ChannelRow(
                sequence: sequence, document: 3, id: "d", isRemoval: isRemoval, revision: "1-aa", isDeleted: isDeleted,
                isGone: isGone, documentSequence: documentSequence),
            reason: reason, channel: channel)
    }

    @Test func withoutEntriesThereIsNothing() { #expect(MergedEntries([]) == nil) }

    @Test func whoLeftOneChannelAndEnteredAnotherIsThere() throws {
        let entries = try #require(MergedEntries([Self.entry("b", isRemoval: true), Self.entry("a")]))
        #expect(entries.removed == ["b"] && !entries.isRemovedFromAll && !entries.isGone && !entries.mayGoOn)
        #expect(MergedRow.document(entries).documentToLookUp == nil)
    }

    @Test func whoLeftAllMayBeSeenOtherwise() throws {
        let left = [Self.entry("b", isRemoval: true), Self.entry("a", isRemoval: true)]
        let entries = try #require(MergedEntries(left))
        #expect(entries.removed == ["a", "b"] && entries.isRemovedFromAll && entries.isGone && entries.mayGoOn)
        #expect(MergedRow.document(entries).documentToLookUp == 3)
    }

    /// A tombstone's own row needs no look-up; the row of a document that left before its deletion needs one.
    @Test(arguments: [(7, false), (6, false), (9, true)] as [(UInt64, Bool)])
    func ofATombstoneItsOwnRowIsAll(documentSequence: UInt64, mayGoOn: Bool) throws {
        let entry = Self.entry(
            "a", isRemoval: true, isDeleted: true, isGone: true, documentSequence: documentSequence)
        let entries = try #require(MergedEntries([entry]))
        #expect(entries.mayGoOn == mayGoOn)
    }

    /// A document that has to be purged is purged, even if it is in other channels.
    @Test func aRevocationIsNotLookedUp() throws {
        let entries = try #require(MergedEntries([Self.entry("a", isRemoval: true, reason: .revocation)]))
        #expect(entries.isRevoked && !entries.mayGoOn && !entries.areLosses)
    }

    @Test func lossesAreSuchWhereAllAre() throws {
        let loss = Self.entry("a", isRemoval: true, reason: .loss)
        let alone = try #require(MergedEntries([loss]))
        let beside = try #require(MergedEntries([loss, Self.entry("b", isRemoval: true)]))
        #expect(alone.areLosses && !beside.areLosses)
    }

    @Test func aUsersRowIsNoDocument() {
        let row = FeedRow(sequence: SequenceID(1), id: "_user/ann", revision: nil)
        #expect(MergedRow.user(row).documentToLookUp == nil)
    }
}
