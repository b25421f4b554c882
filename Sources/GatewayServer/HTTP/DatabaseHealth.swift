import GatewayCore

/// Whether one database serves laptops, for alarms: a missing series would not raise one.
struct DatabaseHealth: Sendable {
    let database: String
    let isOnline: Bool
    let isDamaged: Bool
    let isDiskFull: Bool
    /// Failures of the storage since the database was opened, by kind.
    var faults: [(kind: String, count: Int)] = []

    /// All databases, also those that are not served.
    static func all(_ databases: DatabaseRegistry) -> [DatabaseHealth] {
        databases.all.map { DatabaseHealth($0) }
            + databases.allFaults.map {
                DatabaseHealth(database: $0.name, isOnline: false, isDamaged: false, isDiskFull: false)
            }
    }

    static func add(_ health: [DatabaseHealth], to text: inout MetricsText) {
        let health = health.sorted { $0.database < $1.database }
        func family(_ name: String, help: String, value: (DatabaseHealth) -> Bool) {
            text.family(
                "fieldbook_gateway_database_\(name)", kind: .gauge, help: help,
                values: health.map { ("database=\"\($0.database)\"", value($0) ? 1 : 0) })
        }
        family("online", help: "1 while the database is served; 0 offline, in a resync, and where it cannot be used.") {
            $0.isOnline
        }
        family("damaged", help: "1 after a part of a database that is served could not be read.") { $0.isDamaged }
        family("disk_full", help: "1 while nothing is stored because the disk is full.") { $0.isDiskFull }
        text.family(
            "fieldbook_gateway_database_storage_faults_total", kind: .counter,
            help: "Failures of a database's storage since it was opened, by kind.",
            values: health.flatMap { health in
                health.faults.map { fault in
                    (labels: "database=\"\(health.database)\",kind=\"\(fault.kind)\"", value: fault.count)
                }
            })
    }
}

extension DatabaseHealth {
    fileprivate init(_ database: GatewayDatabase) {
        self.init(
            database: database.name, isOnline: database.state == .online, isDamaged: database.damage != nil,
            isDiskFull: database.isDiskFull, faults: database.storageFaults)
    }
}
