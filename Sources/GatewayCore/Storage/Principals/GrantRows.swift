import AccessControl
import DocumentValues

/// One channel of one collection, or (with collection 0) one role.
struct GrantItem: Hashable {
    let kind: GrantKind
    let collection: Int64
    let name: Name

    static func channel(_ name: Name, in collection: Int64) -> GrantItem {
        GrantItem(kind: .channel, collection: collection, name: name)
    }

    static func role(_ name: Name) -> GrantItem { GrantItem(kind: .role, collection: 0, name: name) }
}

/// The grants of documents, and the channels and roles that users and roles hold or held by all their grants. These are two
/// kinds of rows, which do not change each other: a caller that changes a grant changes the stays, too.
///
/// A *grant* is unique by principal, item and document. A *stay* is one span of holding: a principal holds an item in one
/// present stay at most, and its ended stays of an item differ in their ends. A principal is a user's name, or a role's with
/// `role:` before it, and need not be stored.
protocol GrantRows {
    /// How many channels and roles all documents together grant to a principal: the sum of `share.count` over all givers,
    /// with administrators, whose name is empty. It is asked for at each write of a grant, so it is a sum that is kept.
    func count(to principal: Name) async throws -> Int

    /// How many of those grants come from documents that `giver` wrote, and how many stays began by them; 0 and 0 if nothing
    /// was counted. The numbers are what `GrantWrites.count` has added up.
    func share(of giver: Name, to principal: Name) async throws -> (count: Int, begun: Int)

    /// The writer of the document that grants the item; `nil` if it does not grant it.
    func giver(of item: GrantItem, to principal: Name, by document: Int64) async throws -> Name?

    /// The number of a principal's stays in channels and roles, present and ended, up to a limit.
    func stays(of principal: Name, upTo limit: Int) async throws -> Int

    /// Whether any document grants it.
    func isGrantedByDocument(_ item: GrantItem, to principal: Name) async throws -> Bool

    /// The sequence since which a principal holds the item; `nil` if it does not.
    func since(_ item: GrantItem, of principal: Name) async throws -> UInt64?

    /// The spans in which a principal held the item before, the earliest first.
    func ended(_ item: GrantItem, of principal: Name) async throws -> [SequenceSpan]

    /// All items that a principal holds or held, or that documents grant to it.
    func items(of principal: Name) async throws -> Set<GrantItem>

    /// All items that a principal holds now.
    func held(by principal: Name) async throws -> Set<GrantItem>

    /// All items that documents grant to a principal.
    func granted(to principal: Name) async throws -> Set<GrantItem>

    /// Hands out all stays of a principal, in any order: an item comes once for each of them.
    ///
    /// - Parameter body: gets the first sequence, and the last one if the item is no longer held.
    func forEachHolding(
        of principal: Name, _ body: (GrantItem, _ start: UInt64, _ end: UInt64?) -> Void
    ) async throws
}

/// Writes the grants of documents, and the items that users and roles hold by them.
protocol GrantWrites {
    /// Does nothing if the document grants the item already; then the giver stays, too. It does not change `share`, which
    /// `count` does.
    func insert(_ item: GrantItem, to principal: Name, by document: Int64, giver: Name) async throws

    /// Does nothing if the document does not grant the item. It does not change `share`, either.
    func delete(_ item: GrantItem, to principal: Name, by document: Int64) async throws

    /// Adds to the numbers of `share`: grants to a principal by documents that `giver` wrote, and stays that began by
    /// them. Either may be negative; once neither is above 0, both are 0.
    func count(_ change: Int, begun: Int, by giver: Name, to principal: Name) async throws

    /// The principal holds the item from a sequence on; if it holds it already, from this one. Ended spans stay.
    func begin(_ item: GrantItem, of principal: Name, at start: UInt64) async throws

    /// The principal does not hold the item any more, but did in these spans, which replace all stays of the item that were
    /// stored, the present one included. No two of them have the same end, and none ends at 0.
    func end(_ item: GrantItem, of principal: Name, history: [SequenceSpan]) async throws
}

extension GrantWrites {
    func count(_ change: Int, by giver: Name, to principal: Name) async throws {
        try await count(change, begun: 0, by: giver, to: principal)
    }
}
