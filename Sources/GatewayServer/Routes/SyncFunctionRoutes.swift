import AccessControl
import DocumentValues
import GatewayCore
import Hummingbird
import SyncFunction

/// `_try_sync_function`: the result of a sync function for a document that is not stored.
enum SyncFunctionRoutes {
    /// `{"document": {"_id": …}, "user": "mara", "sync": "function (doc, oldDoc, meta) { … }"}`. Only the document is
    /// needed: `{"id": …}` instead tries a stored one as it is. Without a user it runs for an administrator.
    @Sendable static func attempt(_ call: RouteCall) async throws -> Response {
        let body = try JSONObject(parsing: try await call.request.bytes(of: "application/json"))
        try MemberTypes(["document": .object, "id": .text, "user": .text, "sync": .text])
            .check(body) { .badJSON($0) }
        let user = body["user"]?.stringValue.map { Name($0) }
        let requester = user.map { $0 == PrincipalName.guest ? Requester.guest : .user($0) } ?? .admin
        let function = body["sync"]?.stringValue.map { SyncFunctionSource($0) }
        let trial = SyncFunctionTrial(try await write(body, call), as: requester, function: function)
        return .json(.object(json(try await call.database.documents.run(trial, in: call.collection))))
    }

    private static func write(_ body: JSONObject, _ call: RouteCall) async throws -> DocumentWrite {
        switch (body["document"]?.objectValue, body["id"]?.stringValue) {
        case (let document?, nil):
            guard let id = document["_id"]?.stringValue else {
                throw GatewayError.trialWithoutID
            }
            return DocumentWrite(id: id, body: document.bytes)
        case (nil, let id?):
            let stored = try await stored(id, call)
            var document = try JSONObject(parsing: stored.body)
            document["_attachments"] = stored.attachments.map { .object($0.object) }
            return DocumentWrite(id: id, body: document.bytes, isDeleted: stored.isDeleted)
        case (_?, _?): throw GatewayError.trialOfTwo
        case (nil, nil): throw GatewayError.trialOfNone
        }
    }

    private static func stored(_ id: String, _ call: RouteCall) async throws -> DocumentRevision {
        do {
            return try await call.database.documents.read(id, revision: nil, in: call.collection, as: .admin)
        } catch let error as GatewayError where error == .missing || error == .deleted {
            // "missing" alone would not show which part of the request is missing.
            let end = error == .deleted ? "; it is deleted" : ""
            throw GatewayError.noSuchDocument(id, in: "\(call.collection)", end: end)
        }
    }

    static func json(_ verdict: SyncFunctionTrial.Verdict) -> JSONObject {
        var json: JSONObject = ["id": .string(verdict.id), "accepted": .bool(verdict.refusal == nil)]
        json["replaces"] = verdict.replaced.map { .string($0.description) }
        json["failure"] = verdict.failure.map { .string($0) }
        if let refusal = verdict.refusal {
            json["status"] = .int(Int64(refusal.status))
            json["reason"] = .string(refusal.reason)
            return json
        }
        json["channels"] = texts(verdict.channels)
        json["access"] = .object(object(verdict.access))
        json["roles"] = .object(object(verdict.roles))
        json["expires"] = verdict.expires.map { .int($0) }
        return json
    }

    private static func texts(_ names: Set<Name>) -> JSONValue { .array(names.sorted().map { .string($0.text) }) }

    private static func object(_ grants: [Name: Set<Name>]) -> JSONObject {
        // Made as a whole, because adding a member searches all members.
        JSONObject(
            members: grants.sorted { $0.key < $1.key }.map { name, granted in
                JSONObject.Member(key: name.text, value: texts(granted))
            })
    }
}
