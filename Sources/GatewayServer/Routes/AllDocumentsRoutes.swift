import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// Lists of a collection's documents.
enum AllDocumentsRoutes {
    @Sendable static func get(_ call: RouteCall) async throws -> Response {
        var request = AllDocumentsRequest()
        if let text = call.request.query["keys"] {
            guard let keys = (try? JSONValue(parsing: text))?.arrayValue else {
                throw GatewayError(400, "Bad/missing keys")
            }
            request.keys = keys.compactMap(\.stringValue)
        }
        return try await answer(request, call)
    }

    @Sendable static func post(_ call: RouteCall) async throws -> Response {
        let body = try await call.request.object()
        guard let keys = body["keys"]?.arrayValue else { throw GatewayError(400, "Bad/missing keys") }
        return try await answer(AllDocumentsRequest(keys: keys.compactMap(\.stringValue)), call)
    }

    private static func answer(_ asked: AllDocumentsRequest, _ call: RouteCall) async throws -> Response {
        let query = call.request.query
        var request = asked
        request.startKey = query["startkey"].map(unquoted)
        request.endKey = query["endkey"].map(unquoted)
        request.limit = query["limit"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        request.includesDocuments = call.request.flag("include_docs")
        let rows = try await call.database.allDocuments(request, in: call.collection, as: call.requester)
        var body = Array("{\"rows\":[\n".utf8)
        for (index, row) in rows.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += text(row, call) + Array("\n".utf8)
        }
        let end = "],\n\"total_rows\":\(rows.count),\"update_seq\":\(try call.database.lastSequence)}"
        return .bytes(body + Array(end.utf8), type: "application/json")
    }

    private static func text(_ row: AllDocumentsRow, _ call: RouteCall) -> [UInt8] {
        switch row {
        case .failed(let key, let error):
            let object: JSONObject = [
                "key": .string(key), "error": .string(error.bulkName), "status": .int(error.status),
            ]
            return object.bytes
        case .document(let document):
            var value: JSONObject = ["rev": .string(document.revision.description)]
            if call.request.flag("channels") {
                value["channels"] = .array(document.channels.sorted().map { .string($0) })
            }
            var object: JSONObject = ["key": .string(document.id), "id": .string(document.id)]
            object["value"] = .object(value)
            var bytes = object.bytes
            var extra: [UInt8] = []
            if call.request.flag("include_docs") {
                extra += Array(#""doc":"#.utf8) + DocumentJSON(call.request).bytes(document)
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
