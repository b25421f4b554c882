import DocumentValues

@testable import GatewayCore

struct RoundTripPrincipals: PrincipalRows {
    let base: any PrincipalRows
    let trips: RoundTrips

    func find(_ key: Name) async throws -> StoredPrincipal? {
        await trips.go("principals.find")
        return try await base.find(key)
    }

    func names(roles: Bool, includingDeleted: Bool) async throws -> [Name] {
        await trips.go("principals.names")
        return try await base.names(roles: roles, includingDeleted: includingDeleted)
    }
}

struct RoundTripPrincipalWrites: PrincipalWrites {
    let base: any PrincipalWrites
    let trips: RoundTrips

    func put(_ principal: StoredPrincipal) async throws {
        await trips.go("principals.put")
        try await base.put(principal)
    }

    func erase(_ key: Name) async throws {
        await trips.go("principals.erase")
        try await base.erase(key)
    }
}

struct RoundTripSessions: SessionRows {
    let base: any SessionRows
    let trips: RoundTrips

    func find(_ key: [UInt8]) async throws -> Session? {
        await trips.go("sessions.find")
        return try await base.find(key)
    }
}

struct RoundTripSessionWrites: SessionWrites {
    let base: any SessionWrites
    let trips: RoundTrips

    func put(_ session: Session) async throws {
        await trips.go("sessions.put")
        try await base.put(session)
    }

    func delete(_ key: [UInt8]) async throws {
        await trips.go("sessions.delete")
        try await base.delete(key)
    }

    func deleteAll(of user: Name) async throws {
        await trips.go("sessions.deleteAll")
        try await base.deleteAll(of: user)
    }

    func deleteOldest(of user: Name, leaving count: Int) async throws -> Bool {
        await trips.go("sessions.deleteOldest")
        return try await base.deleteOldest(of: user, leaving: count)
    }

    func deleteExpired(by time: Int64) async throws {
        await trips.go("sessions.deleteExpired")
        try await base.deleteExpired(by: time)
    }
}
