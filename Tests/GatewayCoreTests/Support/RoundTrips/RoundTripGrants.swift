import AccessControl
import DocumentValues

@testable import GatewayCore

struct RoundTripGrants: GrantRows {
    let base: any GrantRows
    let trips: RoundTrips

    func count(to principal: Name) async throws -> Int {
        await trips.go("grants.count")
        return try await base.count(to: principal)
    }

    func share(of giver: Name, to principal: Name) async throws -> (count: Int, begun: Int) {
        await trips.go("grants.share")
        return try await base.share(of: giver, to: principal)
    }

    func giver(of item: GrantItem, to principal: Name, by document: Int64) async throws -> Name? {
        await trips.go("grants.giver")
        return try await base.giver(of: item, to: principal, by: document)
    }

    func stays(of principal: Name, upTo limit: Int) async throws -> Int {
        await trips.go("grants.stays")
        return try await base.stays(of: principal, upTo: limit)
    }

    func isGrantedByDocument(_ item: GrantItem, to principal: Name) async throws -> Bool {
        await trips.go("grants.isGrantedByDocument")
        return try await base.isGrantedByDocument(item, to: principal)
    }

    func since(_ item: GrantItem, of principal: Name) async throws -> UInt64? {
        await trips.go("grants.since")
        return try await base.since(item, of: principal)
    }

    func ended(_ item: GrantItem, of principal: Name) async throws -> [SequenceSpan] {
        await trips.go("grants.ended")
        return try await base.ended(item, of: principal)
    }

    func items(of principal: Name) async throws -> Set<GrantItem> {
        await trips.go("grants.items")
        return try await base.items(of: principal)
    }

    func held(by principal: Name) async throws -> Set<GrantItem> {
        await trips.go("grants.held")
        return try await base.held(by: principal)
    }

    func granted(to principal: Name) async throws -> Set<GrantItem> {
        await trips.go("grants.granted")
        return try await base.granted(to: principal)
    }

    func forEachHolding(of principal: Name, _ body: (GrantItem, _ start: UInt64, _ end: UInt64?) -> Void) async throws {
        await trips.go("grants.forEachHolding")
        try await base.forEachHolding(of: principal, body)
    }
}

struct RoundTripGrantWrites: GrantWrites {
    let base: any GrantWrites
    let trips: RoundTrips

    func insert(_ item: GrantItem, to principal: Name, by document: Int64, giver: Name) async throws {
        await trips.go("grants.insert")
        try await base.insert(item, to: principal, by: document, giver: giver)
    }

    func delete(_ item: GrantItem, to principal: Name, by document: Int64) async throws {
        await trips.go("grants.delete")
        try await base.delete(item, to: principal, by: document)
    }

    func count(_ change: Int, begun: Int, by giver: Name, to principal: Name) async throws {
        await trips.go("grants.count")
        try await base.count(change, begun: begun, by: giver, to: principal)
    }

    func begin(_ item: GrantItem, of principal: Name, at start: UInt64) async throws {
        await trips.go("grants.begin")
        try await base.begin(item, of: principal, at: start)
    }

    func end(_ item: GrantItem, of principal: Name, history: [SequenceSpan]) async throws {
        await trips.go("grants.end")
        try await base.end(item, of: principal, history: history)
    }
}
