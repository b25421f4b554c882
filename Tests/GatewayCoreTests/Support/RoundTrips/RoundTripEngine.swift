@testable import GatewayCore

extension StoreEngine {
    static let roundTrips = StoreEngine(
        storage: StorageEngine(
            name: "SQLite behind round trips",
            store: { RoundTripStore(try StoreEngine.sqlite.open($0, shortage: $1, logger: $2)) },
            file: StorageEngine.sqlite.file),
        readsInPlace: false)
}
