import AccessControl
import DocumentValues

@testable import GatewayCore

struct RoundTripDocuments: DocumentRows {
    let base: any DocumentRows
    let trips: RoundTrips

    func find(_ id: String, in collection: Int64, bodies: BodyReading) async throws -> StoredDocument? {
        await trips.go("documents.find")
        return try await base.find(id, in: collection, bodies: bodies)
    }

    func find(number: Int64) async throws -> StoredDocument? {
        await trips.go("documents.find")
        return try await base.find(number: number)
    }

    func forEachState(of ids: [String], in collection: Int64, _ body: (Int, DocumentState?) throws -> Void) async throws
    {
        await trips.go("documents.forEachState")
        try await base.forEachState(of: ids, in: collection, body)
    }

    func page(in collection: Int64, after number: Int64, limit: Int) async throws -> [StoredDocument] {
        await trips.go("documents.page")
        return try await base.page(in: collection, after: number, limit: limit)
    }

    func forEach(
        in collection: Int64, from start: String?, through end: String?, bodies: BodyReading,
        _ body: (StoredDocument) async throws -> Bool
    ) async throws {
        await trips.go("documents.forEach")
        try await base.forEach(in: collection, from: start, through: end, bodies: bodies, body)
    }

    func isEmpty(collection: Int64) async throws -> Bool {
        await trips.go("documents.isEmpty")
        return try await base.isEmpty(collection: collection)
    }

    func number(of id: String, in collection: Int64) async throws -> Int64? {
        await trips.go("documents.number")
        return try await base.number(of: id, in: collection)
    }

    func sequences(of ids: [String], in collection: Int64) async throws -> [UInt64?] {
        await trips.go("documents.sequences")
        return try await base.sequences(of: ids, in: collection)
    }

    func channels(of numbers: [Int64]) async throws -> [Int64: DocumentChannels] {
        await trips.go("documents.channels")
        return try await base.channels(of: numbers)
    }

    func forEachTree(of ids: [String], in collection: Int64, _ body: (Int, RevisionTree?) throws -> Void) async throws {
        await trips.go("documents.forEachTree")
        try await base.forEachTree(of: ids, in: collection, body)
    }

    func heads(of ids: [String], in collection: Int64) async throws -> [DocumentHead?] {
        await trips.go("documents.heads")
        return try await base.heads(of: ids, in: collection)
    }

    func due(by time: Int64, after previous: DueDocument?, limit: Int) async throws -> [DueDocument] {
        await trips.go("documents.due")
        return try await base.due(by: time, after: previous, limit: limit)
    }

    func nextExpiry() async throws -> Int64? {
        await trips.go("documents.nextExpiry")
        return try await base.nextExpiry()
    }
}

struct RoundTripDocumentWrites: DocumentWrites {
    let base: any DocumentWrites
    let trips: RoundTrips

    func put(_ changes: [DocumentRowChange], in collection: Int64) async throws -> [Int64] {
        await trips.go("documents.put")
        return try await base.put(changes, in: collection)
    }

    func replaceAccess(by change: DocumentRowChange, in collection: Int64) async throws {
        await trips.go("documents.replaceAccess")
        try await base.replaceAccess(by: change, in: collection)
    }

    func delete(number: Int64) async throws {
        await trips.go("documents.delete")
        try await base.delete(number: number)
    }
}
