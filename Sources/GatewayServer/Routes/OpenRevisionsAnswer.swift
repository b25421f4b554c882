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
            body += try await element(revision, json, call) + Array("\n".utf8)
        }
        return .bytes(body + Array("]".utf8), type: "application/json")
    }

    private static func element(
        _ revision: OpenRevision, _ json: DocumentJSON, _ call: RouteCall
    ) async throws -> [UInt8] {
        let missing: String
        switch revision {
        case .found(let document):
            let writer = AttachmentsWriter(
                call: call, document: document, wanted: document.attachments ?? [:], json: json)
            do {
                return Array(#"{"ok":"#.utf8) + (try await writer.inlined()) + Array("}".utf8)
            } catch let error as GatewayError where error.status == 404 {
                // One leaf whose attachments never came must not hide the others.
                missing = document.revision.description
            }
        case .missing(let text): missing = text
        }
        return JSONValue.object(["missing": .string(missing)]).bytes
    }

    private static func multipart(
        _ revisions: [OpenRevision], _ json: DocumentJSON, _ call: RouteCall
    ) async throws -> Response {
        var writer = MultipartWriter()
        for revision in revisions { writer.append(try await part(revision, json, call)) }
        return writer.response(subtype: "mixed", to: call.request)
    }

    private static func part(
        _ revision: OpenRevision, _ json: DocumentJSON, _ call: RouteCall
    ) async throws -> MultipartWriter.Part {
        let missing: String
        switch revision {
        case .found(let document):
            let parts = AttachmentsWriter(
                call: call, document: document, wanted: document.attachments ?? [:], json: json)
            do {
                return try await parts.part()
            } catch let error as GatewayError where error.status == 404 {
                missing = document.revision.description
            }
        case .missing(let text): missing = text
        }
        return MultipartWriter.Part(
            headers: [("Content-Type", #"application/json; error="true""#)],
            body: JSONValue.object(["missing": .string(missing)]).bytes)
    }

    /// Without an `Accept` header everything is accepted.
    static func accepts(_ request: GatewayRequest, _ type: String) -> Bool {
        guard let header = request.header("Accept") else { return true }
        return header.contains(type) || header.contains("*/*")
    }
}
