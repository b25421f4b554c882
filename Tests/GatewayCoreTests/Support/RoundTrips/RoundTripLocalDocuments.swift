import DocumentValues

@testable import GatewayCore

struct RoundTripLocalDocuments: LocalDocumentRows {
    let base: any LocalDocumentRows
    let trips: RoundTrips

    func find(_ id: String, in collection: Int64) async throws -> LocalDocument? {
        await trips.go("localDocuments.find")
        return try await base.find(id, in: collection)
    }

    func bytes(of owner: Name) async throws -> Int64 {
        await trips.go("localDocuments.bytes")
        return try await base.bytes(of: owner)
    }
}

struct RoundTripLocalDocumentWrites: LocalDocumentWrites {
    let base: any LocalDocumentWrites
    let trips: RoundTrips

    func put(_ document: LocalDocument, in collection: Int64, owner: Name, now: Int64) async throws {
        await trips.go("localDocuments.put")
        try await base.put(document, in: collection, owner: owner, now: now)
    }

    func delete(_ id: String, in collection: Int64) async throws {
        await trips.go("localDocuments.delete")
        try await base.delete(id, in: collection)
    }

    func deleteUntouched(since time: Int64) async throws {
        await trips.go("localDocuments.deleteUntouched")
        try await base.deleteUntouched(since: time)
    }
}
