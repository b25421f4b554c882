import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// Lists of a collection's documents.
enum AllDocumentsRoutes {
    @Sendable static func get(_ call: RouteCall) async throws -> Response {
        var request = AllDocumentsRequest()
        if let text = call.request.query["keys"] {
            guard let keys = (try? JSONValue(parsing: text))?.texts else { throw GatewayError.badKeys }
            request.keys = keys
        }
        return try await answer(request, call)
    }

    @Sendable static func post(_ call: RouteCall) async throws -> Response {
        let body = try await call.request.object()
        guard let keys = body["keys"]?.texts else { throw GatewayError.missingKeys }
        call.request.load.endWork()
        // The pages are read while the client reads the answer.
        try call.request.load.keep(GatewayServerLimits.bytes(ofFilter: keys))
        return try await answer(AllDocumentsRequest(keys: keys), call)
    }

    private static func answer(_ asked: AllDocumentsRequest, _ call: RouteCall) async throws -> Response {
        guard try call.isAdmin || !call.database.loginRules.hidesAllDocuments else {
            throw GatewayError.hiddenDocumentList
        }
        if call.request.port == .publicAPI { try call.database.activity.countPublicList() }
        let query = call.request.query
        try JSONValue.checkRows(asked.keys?.count ?? 0)
        var request = asked
        request.startKey = query["startkey"].map(unquoted)
        request.endKey = query["endkey"].map(unquoted)
        request.limit = query["limit"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        request.includesDocuments = call.request.flag("include_docs")
        let json = try DocumentJSON(call.request)
        return try await .growing(
            AllDocumentsList(request), for: call.request, type: "application/json"
        ) { list in
            guard !list.isFinished else { return nil }
            var bytes = list.count == 0 && list.isNew ? Array("{\"rows\":[\n".utf8) : []
            for row in try await list.nextRows(call) {
                if list.count > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += text(row, json: json, call: call) + Array("\n".utf8)
                list.count += 1
            }
            guard list.isFinished else { return bytes }
            let end = "],\n\"total_rows\":\(list.count),\"update_seq\":\(try call.database.lastSequence)}"
            return bytes + Array(end.utf8)
        }
    }

    private static func text(_ row: AllDocumentsRow, json: DocumentJSON, call: RouteCall) -> [UInt8] {
        switch row {
        case .failed(let key, let error):
            let object: JSONObject = [
                "key": .string(key), "error": .string(error.bulkName), "status": .int(error.status),
            ]
            return object.bytes
        case .document(let document):
            var value: JSONObject = ["rev": .string(document.revision.description)]
            if call.request.flag("channels"), !document.channels.isEmpty {
                value["channels"] = .list(document.channels)
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

    /// Keys may be with or without quotation marks.
    private static func unquoted(_ text: String) -> String {
        (try? JSONValue(parsing: text))?.stringValue ?? text
    }
}

/// A list of documents that is read a page at a time.
private struct AllDocumentsList: Sendable {
    private var request: AllDocumentsRequest
    /// The ids to look up; `nil` if all documents are listed.
    private var keys: ArraySlice<String>?
    private(set) var isNew = true
    private(set) var isFinished = false
    /// Rows that were written.
    var count = 0

    init(_ request: AllDocumentsRequest) {
        self.request = request
        keys = request.keys?[...]
    }

    /// Some rows, or none at the end: a page in the middle may have none, if the reader may not see its documents.
    mutating func nextRows(_ call: RouteCall) async throws -> [AllDocumentsRow] {
        var rows: [AllDocumentsRow] = []
        while rows.isEmpty, !isFinished { rows = try await nextPage(call) }
        return rows
    }

    private mutating func nextPage(_ call: RouteCall) async throws -> [AllDocumentsRow] {
        try Task.checkCancellation()
        isNew = false
        let left = request.limit ?? .max
        var part = request
        part.limit = min(left, GatewayServerLimits.feedPage)
        part.keys = keys.map { Array($0.prefix(GatewayServerLimits.feedPage)) }
        let page = try await call.database.documents.allDocuments(part, in: call.collection, as: call.requester)
        let rows = page.rows
        if request.limit != nil { request.limit = left - rows.count }
        keys = keys?.dropFirst(rows.count)
        if keys == nil, let last = page.last {
            // The smallest id behind the last one.
            request.startKey = last + "\0"
        }
        isFinished = keys?.isEmpty ?? !page.isFull || left == rows.count
        return rows
    }
}
