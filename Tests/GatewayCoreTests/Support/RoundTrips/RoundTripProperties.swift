@testable import GatewayCore

struct RoundTripProperties: PropertyRows {
    let base: any PropertyRows
    let trips: RoundTrips

    func bytes(_ property: StoreProperty) async throws -> [UInt8]? {
        await trips.go("properties.bytes")
        return try await base.bytes(property)
    }

    func number(_ property: StoreProperty) async throws -> UInt64 {
        await trips.go("properties.number")
        return try await base.number(property)
    }
}

struct RoundTripPropertyWrites: PropertyWrites {
    let base: any PropertyWrites
    let trips: RoundTrips

    func set(_ property: StoreProperty, to value: [UInt8]) async throws {
        await trips.go("properties.set")
        try await base.set(property, to: value)
    }

    func set(_ property: StoreProperty, to value: UInt64) async throws {
        await trips.go("properties.set")
        try await base.set(property, to: value)
    }
}
