import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// The answer to `open_revs`: JSON where only that is accepted, multipart otherwise.
enum OpenRevisionsAnswer {
    static func make(_ call: RouteCall, _ id: String, _ text: String) async throws -> Response {
        var wanted: [String]?
        if text != "all" {
            guard let list = (try? JSONValue(parsing: text))?.texts else { throw GatewayError(400, "bad open_revs") }
            wanted = list
        }
        let revisions = try await call.database.openRevisions(
            of: id, wanted, in: call.collection, as: call.requester)
        let json = try DocumentJSON(call.request)
        return accepts(call.request, "multipart/")
            ? try await multipart(revisions, json, call) : try await plain(revisions, json, call)
    }

    private static func plain(
        _ revisions: [OpenRevision], _ json: DocumentJSON, _ call: RouteCall
    ) async throws -> Response {
        var body = Array("[\n".utf8)
        for (index, revision) in revisions.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            switch revision {
            case .found(let document):
                let writer = AttachmentsWriter(
                    call: call, document: document, wanted: document.attachments ?? [:], json: json)
                body += Array(#"{"ok":"#.utf8) + (try await writer.inlined()) + Array("}\n".utf8)
            case .missing(let text):
                body += JSONValue.object(["missing": .string(text)]).bytes + Array("\n".utf8)
            }
        }
        return .bytes(body + Array("]".utf8), type: "application/json")
    }

    private static func multipart(
        _ revisions: [OpenRevision], _ json: DocumentJSON, _ call: RouteCall
    ) async throws -> Response {
        var writer = MultipartWriter()
        for revision in revisions {
            switch revision {
            case .found(let document):
                let parts = AttachmentsWriter(
                    call: call, document: document, wanted: document.attachments ?? [:], json: json)
                writer.append(try await parts.part())
            case .missing(let text):
                writer.append(
                    MultipartWriter.Part(
                        headers: [("Content-Type", #"application/json; error="true""#)],
                        body: JSONValue.object(["missing": .string(text)]).bytes))
            }
        }
        return writer.response(subtype: "mixed", to: call.request)
    }

    /// Without an `Accept` header everything is accepted.
    static func accepts(_ request: GatewayRequest, _ type: String) -> Bool {
        guard let header = request.header("Accept") else { return true }
        return header.contains(type) || header.contains("*/*")
    }
}
