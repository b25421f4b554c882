import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird

/// Many documents in one request.
enum BulkRoutes {
    /// The parsed body of a request.
    private struct Documents {
        var writes: [DocumentWrite] = []
        var local: [LocalWrite] = []
    }

    private struct LocalWrite {
        let name: String
        let revision: String?
        let body: [UInt8]

        init(_ name: String, object: JSONObject) {
            self.name = name
            revision = object["_rev"]?.stringValue
            body = object.filter { $0.utf8.first != UInt8(ascii: "_") }.bytes
        }
    }

    private static func documents(_ call: RouteCall) async throws -> Documents {
        let body = try await call.request.object()
        guard let docs = try body["docs"]?.rows else { throw GatewayError.missingDocs }
        let edit: DocumentWrite.Edit = body["new_edits"]?.boolValue == false ? .existingInBody : .new(replacing: nil)
        var documents = Documents()
        var pace = FairPace()
        for doc in docs {
            await pace.giveWay()
            guard let object = doc.objectValue else { throw GatewayError.invalidBulkDocument }
            let id = object["_id"]?.stringValue ?? DocumentRoutes.newID()
            if let name = id.droppingExactPrefix("_local/") {
                documents.local.append(LocalWrite(name, object: object))
            } else {
                documents.writes.append(DocumentWrite(id: id, body: doc.bytes, edit: edit))
            }
        }
        return documents
    }

    @Sendable static func bulkDocs(_ call: RouteCall) async throws -> Response {
        let documents = try await documents(call)
        let writes = documents.writes
        call.request.load.endWorkBeforeStoring()
        let service = try call.database.documents
        let results = await service.write(
            writes, in: call.collection, as: call.requester, asOneRequest: true, awaitedBy: call.request.presence)
        var rows = zip(writes, results).map { write, result -> JSONValue in
            switch result {
            case .success(let outcome):
                ["id": .string(outcome.id), "rev": .string(outcome.revision.description)]
            case .failure(let error): failure(error, id: write.id)
            }
        }
        for write in documents.local { rows.append(await store(write, call)) }
        return .json(.array(rows), status: .created)
    }

    private static func store(_ write: LocalWrite, _ call: RouteCall) async -> JSONValue {
        do {
            let revision = try await call.database.documents.putLocalDocument(
                write.name, body: write.body, revision: write.revision, in: call.collection, as: call.requester)
            return ["id": .string("_local/" + write.name), "rev": .string(revision)]
        } catch {
            return failure(GatewayError(error), id: "_local/" + write.name)
        }
    }

    private static func failure(_ error: GatewayError, id: String) -> JSONValue {
        var row: JSONObject = ["error": .string(error.bulkName)]
        if !id.isEmpty { row["id"] = .string(id) }
        row["reason"] = .string(error.reason)
        row["status"] = .int(error.status)
        return .object(row)
    }

    @Sendable static func bulkGet(_ call: RouteCall) async throws -> Response {
        guard call.request.accepts("multipart/") else {
            throw GatewayError.unacceptableMultipart
        }
        let body = try await call.request.object()
        guard let docs = try body["docs"]?.rows else { throw GatewayError.missingDocs }
        try call.request.load.keepWork()
        let json = try DocumentJSON(call.request)
        let writer = MultipartWriter()
        // The same large document may be requested many times: only one of them is in memory at a time.
        return try await writer.response(subtype: "mixed", to: call.request, docs) { doc in
            try await part(doc, json: json, call: call)
        }
    }

    private static func part(
        _ wanted: JSONValue, json: DocumentJSON, call: RouteCall
    ) async throws -> MultipartWriter.Part {
        let id = wanted["id"]?.stringValue ?? ""
        let text = wanted["rev"]?.stringValue
        do {
            guard !id.isEmpty else { throw GatewayError.invalidBulkGet }
            let known = try texts("atts_since", of: wanted)
            var json = json
            json.knownRevisions = Set((try texts("revs_from", of: wanted) ?? known ?? []).map { Name($0) })
            if let limit = wanted["revs_limit"]?.integerValue, limit >= 0 { json.revisionLimit = Int(limit) }
            let document = try await call.database.documents.read(
                id, revision: try text.map { try DocumentRoutes.known($0) }, in: call.collection, as: call.requester)
            try call.countRead(document)
            let attachments =
                call.request.flag("attachments")
                ? DocumentJSON.attachmentsToSend(document, since: known) : [:]
            return try await AttachmentsWriter(call: call, document: document, wanted: attachments, json: json)
                .part()
        } catch {
            let error = GatewayError(error)
            var object: JSONObject = ["error": .string(error.bulkName), "id": .string(id)]
            object["reason"] = .string(error.reason)
            if let text { object["rev"] = .string(text) }
            object["status"] = .int(error.status)
            return MultipartWriter.Part(
                headers: [("Content-Type", #"application/json; error="true""#)], body: object.bytes)
        }
    }

    private static func texts(_ name: String, of wanted: JSONValue) throws(GatewayError) -> [String]? {
        guard let value = wanted[name], !value.isNull else { return nil }
        guard let list = value.texts else { throw GatewayError.noStringArray(name) }
        return list
    }

    @Sendable static func revsDiff(_ call: RouteCall) async throws -> Response {
        let body = try await call.request.object()
        let asked = try body.map { member -> (String, [String]) in
            guard let ids = member.value.isNull ? [] : member.value.texts else {
                throw GatewayError.badJSON("'\(member.key)' needs a list of revision ids")
            }
            return (member.key, ids)
        }
        try JSONValue.checkRows(asked.reduce(0) { $0 + 1 + $1.1.count })
        call.request.load.endWork()
        let missing = try await call.database.documents.missingRevisions(
            asked, in: call.collection, for: call.requester)
        // Made as a whole, because adding a member searches all members.
        let answer = missing.map { row -> JSONObject.Member in
            var entry: JSONObject = ["missing": .array(row.missing.map { .string($0) })]
            if !row.possibleAncestors.isEmpty {
                entry["possible_ancestors"] = .array(row.possibleAncestors.map { .string($0.description) })
            }
            return JSONObject.Member(key: row.id, value: .object(entry))
        }
        // Labelled as Sync Gateway labels it (rest-09).
        return .bytes(JSONObject(members: answer).bytes, type: "text/plain; charset=utf-8")
    }
}
