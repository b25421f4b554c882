import AccessControl
import DocumentValues
import Foundation
import GRDB

/// A document as the gateway keeps it.
package struct StoredDocument: Sendable {
    package let number: Int64
    package let id: String
    package let sequence: UInt64
    package let revision: RevisionID
    package let isDeleted: Bool
    /// JSON without reserved members.
    package let body: [UInt8]
    package let tree: RevisionTree
    package let channels: DocumentChannels
    /// The `_attachments` object: name → `{digest, length, revpos, content_type, stub}`.
    package let attachments: JSONObject?
    let grants: DocumentGrants
    package let expires: Int64?

    static let columns =
        "number, id, sequence, revision, is_deleted, body, tree, channels, attachments, grants, expires"

    init(row: Row) throws {
        number = row[0]
        id = row[1]
        sequence = UInt64(bitPattern: row[2] as Int64)
        let revisionText: String = row[3]
        guard let revision = RevisionID(revisionText) else { throw GatewayError(500, "Damaged revision in storage") }
        self.revision = revision
        isDeleted = row[4]
        body = Array(row[5] as Data)
        tree = try RevisionTree(text: row[6])
        channels = try DocumentChannels(text: row[7])
        attachments = try (row[8] as String?).map { try JSONObject(parsing: Array($0.utf8)) }
        grants = try (row[9] as String?).map { try DocumentGrants(text: $0) } ?? DocumentGrants()
        expires = row[10]
    }

    static func fetch(id: String, in collection: Int64, _ db: Database) throws -> StoredDocument? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM documents WHERE collection = ? AND id = ?")
        return try Row.fetchOne(statement, arguments: [collection, id]).map { try StoredDocument(row: $0) }
    }
}

/// What one document grants to users and roles.
struct DocumentGrants: Sendable, Hashable {
    /// Channels by principal: a user's name, or `role:` and a role's.
    var channels: [String: Set<String>] = [:]
    /// Roles by user.
    var roles: [String: Set<String>] = [:]

    init(channels: [String: Set<String>] = [:], roles: [String: Set<String>] = [:]) {
        self.channels = channels
        self.roles = roles
    }

    var isEmpty: Bool { channels.isEmpty && roles.isEmpty }

    init(text: String) throws {
        let object = try JSONObject(parsing: Array(text.utf8))
        channels = Self.read(object["channels"])
        roles = Self.read(object["roles"])
    }

    var text: String {
        let object: JSONValue = ["channels": Self.write(channels), "roles": Self.write(roles)]
        return object.description
    }

    private static func read(_ value: JSONValue?) -> [String: Set<String>] {
        var result: [String: Set<String>] = [:]
        for member in value?.objectValue ?? [:] {
            result[member.key] = Set((member.value.arrayValue ?? []).compactMap(\.stringValue))
        }
        return result
    }

    private static func write(_ grants: [String: Set<String>]) -> JSONValue {
        .object(
            JSONObject(
                members: grants.sorted { $0.key < $1.key }.map { name, values in
                    JSONObject.Member(key: name, value: .array(values.sorted().map { .string($0) }))
                }))
    }
}

extension DocumentChannels {
    /// The stored form: `[[channel, since] …, [channel, start, end, isLatest] …]`.
    init(text: String) throws {
        var current: [String: UInt64] = [:]
        var past: [Removal] = []
        for element in try JSONValue(parsing: text).arrayValue ?? [] {
            guard let cells = element.arrayValue, cells.count >= 2, let name = cells[0].stringValue,
                let start = cells[1].numberValue?.uint64
            else { throw GatewayError(500, "Damaged channels in storage") }
            if cells.count == 2 {
                current[name] = start
            } else if cells.count == 4, let end = cells[2].numberValue?.uint64 {
                past.append(
                    Removal(
                        channel: name, span: SequenceSpan(start: start, end: end),
                        isLatest: cells[3].boolValue ?? false))
            }
        }
        self.init(current: current, past: past)
    }

    var text: String {
        var elements: [JSONValue] = current.sorted { $0.key < $1.key }.map {
            .array([.string($0.key), .number(JSONNumber($0.value))])
        }
        elements += past.map {
            .array([
                .string($0.channel), .number(JSONNumber($0.span.start)), .number(JSONNumber($0.span.end)),
                .bool($0.isLatest),
            ])
        }
        return JSONValue.array(elements).description
    }
}
