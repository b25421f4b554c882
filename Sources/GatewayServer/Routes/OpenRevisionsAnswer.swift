import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// The answer to `open_revs`: JSON where only that is accepted, multipart otherwise.
enum OpenRevisionsAnswer {
    static func make(_ call: RouteCall, id: String, text: String) async throws -> Response {
        let wanted: [String]
        if text == "all" {
            wanted = try await call.database.documents.leaves(of: id, in: call.collection, as: call.requester)
                .map(\.description)
        } else {
            guard let list = (try? JSONValue(parsing: text))?.texts else {
                throw GatewayError.badOpenRevs
            }
            wanted = list
        }
        let json = try DocumentJSON(call.request)
        // The same large revision may be requested many times: only one of them is in memory at a time.
        guard call.request.accepts("multipart/") else {
            return try await plain(id, wanted: wanted, json: json, call: call)
        }
        return try await MultipartWriter().response(subtype: "mixed", to: call.request, wanted) { revision in
            try await part(try await read(revision, id: id, call: call), json: json, call: call)
        }
    }

    private static func read(_ revision: String, id: String, call: RouteCall) async throws -> OpenRevision {
        try await call.database.documents.openRevision(revision, of: id, in: call.collection, as: call.requester)
    }

    private static func plain(
        _ id: String, wanted: [String], json: DocumentJSON, call: RouteCall
    ) async throws -> Response {
        try await .growing(0, for: call.request, type: "application/json") { count in
            defer { count += 1 }
            let begin = Array("[\n".utf8)
            guard count < wanted.count else {
                guard count == wanted.count else { return nil }
                return (wanted.isEmpty ? begin : []) + Array("]".utf8)
            }
            let element = try await element(try await read(wanted[count], id: id, call: call), json: json, call: call)
            return (count == 0 ? begin : Array(",".utf8)) + element + Array("\n".utf8)
        }
    }

    private static func element(
        _ revision: OpenRevision, json: DocumentJSON, call: RouteCall
    ) async throws -> [UInt8] {
        let written = try await written(revision, json: json, call: call) { writer in
            Array(#"{"ok":"#.utf8) + (try await writer.inlined()) + Array("}".utf8)
        }
        switch written {
        case .whole(let bytes): return bytes
        case .missing(let text): return JSONValue.object(["missing": .string(text)]).bytes
        }
    }

    private enum Written<Form> {
        case whole(Form)
        case missing(String)
    }

    /// A leaf whose attachments never arrived counts as missing, so that it does not hide the others.
    private static func written<Form>(
        _ revision: OpenRevision, json: DocumentJSON, call: RouteCall,
        as form: (AttachmentsWriter) async throws -> Form
    ) async throws -> Written<Form> {
        switch revision {
        case .missing(let text): return .missing(text)
        case .found(let document):
            try call.countRead(document)
            let writer = AttachmentsWriter(
                call: call, document: document, wanted: document.attachments?.list ?? [:], json: json)
            do {
                return .whole(try await form(writer))
            } catch let error as GatewayError where error.status == 404 {
                return .missing(document.revision.description)
            }
        }
    }

    private static func part(
        _ revision: OpenRevision, json: DocumentJSON, call: RouteCall
    ) async throws -> MultipartWriter.Part {
        switch try await written(revision, json: json, call: call, as: { try await $0.part() }) {
        case .whole(let part): return part
        case .missing(let text):
            return MultipartWriter.Part(
                headers: [("Content-Type", #"application/json; error="true""#)],
                body: JSONValue.object(["missing": .string(text)]).bytes)
        }
    }
}
