import DocumentValues

@testable import GatewayCore

struct RoundTripAttachments: AttachmentRows {
    let base: any AttachmentRows
    let trips: RoundTrips

    func contains(_ digest: Name, of document: Int64) async throws -> Bool {
        await trips.go("attachments.contains")
        return try await base.contains(digest, of: document)
    }

    func length(of digest: Name, document: Int64) async throws -> Int? {
        await trips.go("attachments.length")
        return try await base.length(of: digest, document: document)
    }

    func read(_ digest: Name, of document: Int64, from offset: Int, count: Int) async throws -> [UInt8] {
        await trips.go("attachments.read")
        return try await base.read(digest, of: document, from: offset, count: count)
    }

    func isReplaced(_ digest: Name, of document: Int64) async throws -> Bool {
        await trips.go("attachments.isReplaced")
        return try await base.isReplaced(digest, of: document)
    }
}

struct RoundTripAttachmentWrites: AttachmentWrites {
    let base: any AttachmentWrites
    let trips: RoundTrips

    func insert(_ content: AttachmentContent, digest: Name, of document: Int64) async throws {
        await trips.go("attachments.insert")
        try await base.insert(content, digest: digest, of: document)
    }

    func delete(_ digest: Name, of document: Int64) async throws {
        await trips.go("attachments.delete")
        try await base.delete(digest, of: document)
    }

    func deleteAll(of document: Int64) async throws {
        await trips.go("attachments.deleteAll")
        try await base.deleteAll(of: document)
    }
}

struct RoundTripReplacedAttachments: ReplacedAttachmentWrites {
    let base: any ReplacedAttachmentWrites
    let trips: RoundTrips

    func insert(_ digests: Set<Name>, of document: Int64, now: Int64, seconds: Int64) async throws {
        await trips.go("replacedAttachments.insert")
        try await base.insert(digests, of: document, now: now, seconds: seconds)
    }

    func keep(_ digest: Name, of document: Int64) async throws {
        await trips.go("replacedAttachments.keep")
        try await base.keep(digest, of: document)
    }

    func deleteNow(_ digests: Set<Name>, of document: Int64) async throws {
        await trips.go("replacedAttachments.deleteNow")
        try await base.deleteNow(digests, of: document)
    }

    func forget(now: Int64) async throws -> Int {
        await trips.go("replacedAttachments.forget")
        return try await base.forget(now: now)
    }
}
