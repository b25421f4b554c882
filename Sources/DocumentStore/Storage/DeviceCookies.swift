import GRDB

/// The cookies that gateways have set for this device, by their addresses. They are no checkpoints: they stay when these are
/// forgotten.
enum DeviceCookies {
    private static let prefix = "device-cookie/"

    static func read(of address: String, _ db: GRDB.Database) throws -> [UInt8]? {
        try PropertyTable(db).value(of: prefix + address)
    }

    static func save(_ cookie: [UInt8], of address: String, in db: GRDB.Database) throws {
        try PropertyTable(db).set(prefix + address, to: cookie)
    }

    /// For a copy of the database, which may be for another device.
    static func forgetAll(_ db: GRDB.Database) throws { try PropertyTable(db).removeAll(like: prefix + "%") }
}
