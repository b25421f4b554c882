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

/// What documents grant, and what users and roles hold and held by all their grants.
protocol GrantRows {
    /// How many channels and roles all documents together grant to a principal.
    func count(to principal: Name) async throws -> Int

    /// How many of them by what somebody wrote, and how often what they granted began.
    func share(of giver: Name, to principal: Name) async throws -> (count: Int, begun: Int)

    /// By whose write a document grants something; `nil` where it does not.
    func giver(of item: GrantItem, to principal: Name, by document: Int64) async throws -> Name?

    /// How many times a principal holds or held something, up to a limit.
    func stays(of principal: Name, upTo limit: Int) async throws -> Int

    func isGrantedByDocument(_ item: GrantItem, to principal: Name) async throws -> Bool

    /// Since which sequence a principal holds something; `nil` where it does not.
    func since(_ item: GrantItem, of principal: Name) async throws -> UInt64?

    /// When a principal held something before, the earliest first.
    func ended(_ item: GrantItem, of principal: Name) async throws -> [SequenceSpan]

    /// Everything that a principal holds, held, or is granted by documents.
    func items(of principal: Name) async throws -> Set<GrantItem>

    /// Everything that a principal holds now.
    func held(by principal: Name) async throws -> Set<GrantItem>

    /// Everything that documents grant to a principal.
    func granted(to principal: Name) async throws -> Set<GrantItem>

    /// Everything that a principal holds and held.
    ///
    /// - Parameter body: gets the first sequence, and the last one of what it holds no longer.
    func forEachHolding(
        of principal: Name, _ body: (GrantItem, _ start: UInt64, _ end: UInt64?) -> Void
    ) async throws
}

/// Writes what documents grant, and what users and roles hold by it.
protocol GrantWrites {
    func insert(_ item: GrantItem, to principal: Name, by document: Int64, giver: Name) async throws

    func delete(_ item: GrantItem, to principal: Name, by document: Int64) async throws

    /// What somebody wrote grants so many more to a principal, or fewer; and so many began by it.
    func count(_ change: Int, begun: Int, by giver: Name, to principal: Name) async throws

    /// The principal holds something from a sequence on.
    func begin(_ item: GrantItem, of principal: Name, at start: UInt64) async throws

    /// The principal holds something no longer, but did at these times.
    func end(_ item: GrantItem, of principal: Name, history: [SequenceSpan]) async throws
}

extension GrantWrites {
    func count(_ change: Int, by giver: Name, to principal: Name) async throws {
        try await count(change, begun: 0, by: giver, to: principal)
    }
}
