import DocumentValues

@testable import GatewayCore

/// A second engine: the first one behind round trips. It reads nothing in place and needs no upkeep, as far as a database
/// knows.
final class RoundTripStore: TestedStore {
    let base: any TestedStore
    let trips = RoundTrips()

    init(_ base: any TestedStore) { self.base = base }

    var commits: CommitEvents { base.commits }
    var folder: String { base.folder }
    var disk: DiskSpace { base.disk }
    var damage: StoreDamage { base.damage }

    func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReader) async throws -> Value
    ) async throws -> Value {
        try await base.read { [trips] in try await body(RoundTripReader(base: $0, trips: trips)) }
    }

    func read<Value: Sendable>(
        for account: Name, _ body: @Sendable @escaping (any StoreReader) async throws -> Value
    ) async throws -> Value {
        try await base.read(for: account) { [trips] in try await body(RoundTripReader(base: $0, trips: trips)) }
    }

    func write<Value: Sendable>(
        as terms: WriteTerms, _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value {
        try await base.write(as: terms) { [trips] in try await body(RoundTripTransaction(base: $0, trips: trips)) }
    }

    func erase<Value: Sendable>(
        as terms: WriteTerms, _ body: @Sendable @escaping (any StoreTransaction) async throws -> Value
    ) async throws -> Value {
        try await base.erase(as: terms) { [trips] in try await body(RoundTripTransaction(base: $0, trips: trips)) }
    }

    func close() async throws { try await base.close() }

    var waitingWrites: Int { base.waitingWrites }
    func count(_ rows: CountedRows) async throws -> Int { try await base.count(rows) }
    func makeUnreadable(_ row: DamagedRow) async throws { try await base.makeUnreadable(row) }
    func setRoomForSessions(_ hasRoom: Bool) async throws { try await base.setRoomForSessions(hasRoom) }
}

struct RoundTripReader: StoreReader {
    let base: any StoreReader
    let trips: RoundTrips

    var documents: any DocumentRows { RoundTripDocuments(base: base.documents, trips: trips) }
    var branches: any BranchRows { RoundTripBranches(base: base.branches, trips: trips) }
    var oldRevisions: any OldRevisionRows { RoundTripOldRevisions(base: base.oldRevisions, trips: trips) }
    var feed: any FeedRows { RoundTripFeed(base: base.feed, trips: trips) }
    var attachments: any AttachmentRows { RoundTripAttachments(base: base.attachments, trips: trips) }
    var localDocuments: any LocalDocumentRows { RoundTripLocalDocuments(base: base.localDocuments, trips: trips) }
    var principals: any PrincipalRows { RoundTripPrincipals(base: base.principals, trips: trips) }
    var grants: any GrantRows { RoundTripGrants(base: base.grants, trips: trips) }
    var sessions: any SessionRows { RoundTripSessions(base: base.sessions, trips: trips) }
    var properties: any PropertyRows { RoundTripProperties(base: base.properties, trips: trips) }

    func configuration() async throws -> StoredConfiguration? {
        await trips.go("configuration")
        return try await base.configuration()
    }

    func collections() async throws -> [Int64: CollectionName] {
        await trips.go("collections")
        return try await base.collections()
    }

    func collection(_ number: Int64) async throws -> CollectionName? {
        await trips.go("collection")
        return try await base.collection(number)
    }
}

final class RoundTripTransaction: StoreTransaction {
    let base: any StoreTransaction
    private let trips: RoundTrips

    init(base: any StoreTransaction, trips: RoundTrips) {
        self.base = base
        self.trips = trips
    }

    var reader: any StoreReader { RoundTripReader(base: base.reader, trips: trips) }
    var documents: any DocumentWrites { RoundTripDocumentWrites(base: base.documents, trips: trips) }
    var branches: any BranchWrites { RoundTripBranchWrites(base: base.branches, trips: trips) }
    var oldRevisions: any OldRevisionWrites { RoundTripOldRevisionWrites(base: base.oldRevisions, trips: trips) }
    var attachments: any AttachmentWrites { RoundTripAttachmentWrites(base: base.attachments, trips: trips) }
    var replacedAttachments: any ReplacedAttachmentWrites {
        RoundTripReplacedAttachments(base: base.replacedAttachments, trips: trips)
    }
    var localDocuments: any LocalDocumentWrites {
        RoundTripLocalDocumentWrites(base: base.localDocuments, trips: trips)
    }
    var principals: any PrincipalWrites { RoundTripPrincipalWrites(base: base.principals, trips: trips) }
    var grants: any GrantWrites { RoundTripGrantWrites(base: base.grants, trips: trips) }
    var sessions: any SessionWrites { RoundTripSessionWrites(base: base.sessions, trips: trips) }
    var properties: any PropertyWrites { RoundTripPropertyWrites(base: base.properties, trips: trips) }

    func feed(of collection: Int64) -> any FeedWrites {
        RoundTripFeedWrites(base: base.feed(of: collection), trips: trips)
    }

    func nextSequences(_ count: Int) async throws -> Range<UInt64> {
        await trips.go("nextSequences")
        return try await base.nextSequences(count)
    }

    func noteChange(ofPrincipal name: Name) { base.noteChange(ofPrincipal: name) }
    func hasChanged(principal name: Name) -> Bool { base.hasChanged(principal: name) }

    func setConfiguration(_ configuration: StoredConfiguration) async throws {
        await trips.go("setConfiguration")
        try await base.setConfiguration(configuration)
    }

    func number(of collection: CollectionName) async throws -> Int64 {
        await trips.go("number(of:)")
        return try await base.number(of: collection)
    }
}
