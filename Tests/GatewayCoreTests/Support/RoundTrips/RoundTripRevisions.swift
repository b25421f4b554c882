import DocumentValues

@testable import GatewayCore

struct RoundTripBranches: BranchRows {
    let base: any BranchRows
    let trips: RoundTrips

    func all(of document: StoredDocument) async throws -> [StoredRevision] {
        await trips.go("branches.all")
        return try await base.all(of: document)
    }

    func find(_ wanted: RevisionID, of document: StoredDocument) async throws -> StoredRevision? {
        await trips.go("branches.find")
        return try await base.find(wanted, of: document)
    }
}

struct RoundTripBranchWrites: BranchWrites {
    let base: any BranchWrites
    let trips: RoundTrips

    func insert(_ branch: StoredRevision, of document: Int64) async throws {
        await trips.go("branches.insert")
        try await base.insert(branch, of: document)
    }

    func setChannels(_ channels: Set<Name>, of revision: RevisionID, document: Int64) async throws {
        await trips.go("branches.setChannels")
        try await base.setChannels(channels, of: revision, document: document)
    }

    func delete(_ revision: RevisionID, of document: Int64) async throws {
        await trips.go("branches.delete")
        try await base.delete(revision, of: document)
    }

    func deleteAll(document: Int64) async throws {
        await trips.go("branches.deleteAll")
        try await base.deleteAll(document: document)
    }
}

struct RoundTripOldRevisions: OldRevisionRows {
    let base: any OldRevisionRows
    let trips: RoundTrips

    func find(_ revision: RevisionID, of document: Int64, now: Int64) async throws -> RememberedRevision? {
        await trips.go("oldRevisions.find")
        return try await base.find(revision, of: document, now: now)
    }
}

struct RoundTripOldRevisionWrites: OldRevisionWrites {
    let base: any OldRevisionWrites
    let trips: RoundTrips

    func insert(_ revisions: [ReplacedRevision]) async throws {
        await trips.go("oldRevisions.insert")
        try await base.insert(revisions)
    }

    func deleteAll(document: Int64) async throws {
        await trips.go("oldRevisions.deleteAll")
        try await base.deleteAll(document: document)
    }

    func forget(now: Int64, limit: Int) async throws -> Bool {
        await trips.go("oldRevisions.forget")
        return try await base.forget(now: now, limit: limit)
    }
}
