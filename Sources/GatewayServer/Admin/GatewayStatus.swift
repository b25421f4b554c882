import AccessControl
import DocumentValues
import Foundation
import GatewayCore

/// A summary of a running gateway, from its admin port.
package struct GatewayStatus: Sendable {
    package struct Database: Sendable {
        package let name: String
        /// `Online`, `Offline`, `Resyncing` or `Unavailable`.
        package let state: String
        /// Why it is not available.
        package let reason: String?
        /// The damage of its file, and what to do.
        package var damage: String?
        /// The disk is full: nothing is stored until it has room.
        package var isDiskFull = false
        /// The kind and the time of the last failure of its storage, which may be over.
        package var storageFault: (kind: String, time: String)?
        /// Bytes that the reserve for a full disk lacks.
        package var missingReserve = 0
        /// Collections of a field team whose sync function is the default one.
        package var unguarded: [String] = []
        /// Those with another sync function than this version's.
        package var otherRules: [String] = []
        /// Collections that a field team's database has lost.
        package var missing: [String] = []
        /// Collections that came with a later version than the database's.
        package var missingLater: [String] = []
        /// Clients that have not signed in are admitted, and see the channels of GUEST.
        package var isOpenToGuests = false
        /// Sync connections that are open.
        package let syncing: Int
        package let users: Int
        /// Documents that were not taken lately.
        package let refusals: Int

        /// Whether an operator has to act. The team's own rules, and guests, may be intended.
        var isInTrouble: Bool {
            !state.isExactly(DatabaseState.online.rawValue) || damage != nil || isDiskFull || missingReserve > 0
                || !unguarded.isEmpty || !missing.isEmpty
        }
    }

    package let databases: [Database]
    /// `2027-01-31`; `nil` without TLS, and for a file that cannot be read.
    package private(set) var certificateEnd: String?
    /// The fault of the certificate's file; a running gateway goes on with its present certificate.
    package private(set) var certificateProblem: String?
    /// Lines of the audit log that could not be written since the gateway started.
    package private(set) var lostAuditLines = 0

    /// Whether an operator has to act: laptops are not served, soon will not be, or do not have to follow the rules.
    package var isInTrouble: Bool {
        certificateProblem != nil || lostAuditLines > 0 || databases.contains(where: \.isInTrouble)
    }

    /// - Parameter rules: this version's sync function for a collection of a field team.
    package static func read(
        _ configuration: GatewayConfiguration, rules: (String) -> String
    ) async throws -> GatewayStatus {
        let client = try AdminClient(configuration)
        let answer = try JSONObject(parsing: try await client.send(.get, path: "/_status"))
        let numbers = try JSONObject(parsing: try await client.send(.get, path: "/_expvar"))["syncgateway"]?["per_db"]
        var databases: [Database] = []
        for member in answer["databases"]?.objectValue ?? [:] {
            if let reason = member.value["reason"]?.stringValue {
                databases.append(Database(unavailable: member.key, reason: reason))
                continue
            }
            let database = AdminDatabase(member.key, client: client)
            let settings = try await database.existingConfiguration()
            let roles = try await database.names(.role).map { Name($0) }
            let collections = FieldCollections(in: settings, roles: roles)
            let guest = try await database.principal(.user, principal: PrincipalName.guest.text)
            let active = numbers?[member.key]?["database"]?["num_replications_active"]?.integerValue ?? 0
            databases.append(
                Database(
                    name: member.key, state: member.value["state"]?.stringValue ?? "", reason: nil,
                    damage: member.value["damage"]?.stringValue,
                    isDiskFull: member.value["disk_full"]?.boolValue ?? false,
                    storageFault: member.value["storage_fault"].map { fault in
                        (kind: fault["kind"]?.stringValue ?? "", time: fault["time"]?.stringValue ?? "")
                    },
                    missingReserve: Int(member.value["reserve_missing_bytes"]?.integerValue ?? 0),
                    unguarded: collections.unguarded,
                    otherRules: collections.changed(standard: rules),
                    missing: collections.missing, missingLater: collections.missingLater,
                    isOpenToGuests: guest?["disabled"]?.boolValue == false,
                    syncing: Int(active),
                    users: try await database.names(.user).count, refusals: try await database.refusals().count))
        }
        var status = GatewayStatus(databases: databases, certificateEnd: nil)
        status.lostAuditLines = Int(answer["audit_lines_lost"]?.integerValue ?? 0)
        if let tls = configuration.tls { status.look(at: tls) }
        return status
    }

    /// As the gateway will do at its next start.
    private mutating func look(at tls: GatewayConfiguration.TLS) {
        do {
            let certificate = try ServerCertificate(tls)
            certificateEnd = certificate.expires.map(CertificateDays.text)
            certificateProblem = certificate.remarkOnDays
        } catch {
            certificateProblem = "\(error)"
        }
    }

    package var json: JSONObject {
        [
            "databases": .array(databases.map { .object($0.json) }),
            "certificate_end": certificateEnd.map { .string($0) } ?? .null,
            "certificate_problem": certificateProblem.map { .string($0) } ?? .null,
            "audit_lines_lost": .int(lostAuditLines),
        ]
    }
}

extension GatewayStatus.Database {
    fileprivate init(unavailable name: String, reason: String) {
        self.init(name: name, state: "Unavailable", reason: reason, syncing: 0, users: 0, refusals: 0)
    }

    fileprivate var json: JSONObject {
        var object: JSONObject = ["name": .string(name), "state": .string(state)]
        if let reason {
            object["reason"] = .string(reason)
            return object
        }
        object["damage"] = damage.map { .string($0) }
        object["disk_full"] = .bool(isDiskFull)
        object["storage_fault"] = storageFault.map { ["kind": .string($0.kind), "time": .string($0.time)] }
        object["reserve_missing_bytes"] = .int(missingReserve)
        object["default_sync_function"] = .array(unguarded.map { .string($0) })
        object["other_sync_function"] = .array(otherRules.map { .string($0) })
        object["missing_collections"] = .array((missing + missingLater).map { .string($0) })
        object["guest"] = .bool(isOpenToGuests)
        object["syncing"] = .int(syncing)
        object["users"] = .int(users)
        object["refusals"] = .int(refusals)
        return object
    }
}
