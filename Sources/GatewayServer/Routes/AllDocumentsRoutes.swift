import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// Lists of a collection's documents.
enum AllDocumentsRoutes {
    @Sendable static func get(_ call: RouteCall) async throws -> Response {
        var request = AllDocumentsRequest()
        if let text = call.request.query["keys"] {
            guard let keys = (try? JSONValue(parsing: text))?.texts else { throw GatewayError(400, "Bad keys") }
            request.keys = keys
        }
        return try await answer(request, call)
    }

    @Sendable static func post(_ call: RouteCall) async throws -> Response {
        let body = try await call.request.object()
        guard let keys = body["keys"]?.texts else { throw GatewayError(400, "Bad/missing keys") }
        return try await answer(AllDocumentsRequest(keys: keys), call)
    }

    private static func answer(_ asked: AllDocumentsRequest, _ call: RouteCall) async throws -> Response {
        guard try call.isAdmin || !call.database.loginRules.hidesAllDocuments else {
            throw GatewayError(403, "public access to _all_docs is disabled for this database")
        }
        let query = call.request.query
        try JSONValue.checkRows(asked.keys?.count ?? 0)
        var request = asked
        request.startKey = query["startkey"].map(unquoted)
        request.endKey = query["endkey"].map(unquoted)
        request.limit = query["limit"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        request.includesDocuments = call.request.flag("include_docs")
        let rows = try await call.database.allDocuments(request, in: call.collection, as: call.requester)
        let json = try DocumentJSON(call.request)
        var body = Array("{\"rows\":[\n".utf8)
        for (index, row) in rows.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += text(row, json, call) + Array("\n".utf8)
        }
        let end = "],\n\"total_rows\":\(rows.count),\"update_seq\":\(try call.database.lastSequence)}"
        return .bytes(body + Array(end.utf8), type: "application/json")
    }

    private static func text(_ row: AllDocumentsRow, _ json: DocumentJSON, _ call: RouteCall) -> [UInt8] {
        switch row {
        case .failed(let key, let error):
            let object: JSONObject = [
                "key": .string(key), "error": .string(error.bulkName), "status": .int(error.status),
            ]
            return object.bytes
        case .document(let document):
            var value: JSONObject = ["rev": .string(document.revision.description)]
            if call.request.flag("channels"), !document.channels.isEmpty {
                value["channels"] = .array(document.channels.sorted().map { .string($0) })
            }
            var object: JSONObject = ["key": .string(document.id), "id": .string(document.id)]
            object["value"] = .object(value)
            var bytes = object.bytes
            var extra: [UInt8] = []
            if call.request.flag("include_docs") {
                extra += Array(#""doc":"#.utf8) + json.bytes(document)
            }
            if call.request.flag("update_seq") {
                extra += Array("\(extra.isEmpty ? "" : ",")\"update_seq\":\(document.sequence)".utf8)
            }
            bytes = appendingMembers(extra, toObject: bytes)
            return bytes
        }
    }

    /// Keys may stand with or without quotation marks.
    private static func unquoted(_ text: String) -> String {
        (try? JSONValue(parsing: text))?.stringValue ?? text
    }
}
