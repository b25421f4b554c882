import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird
import NIOCore

/// Attachments by URL.
enum AttachmentRoutes {
    @Sendable static func get(_ call: RouteCall) async throws -> Response {
        // If the client has the document's metadata, the document need not be read for each of its attachments.
        if call.isAdmin, let digest = call.request.query["digest"] {
            guard let digest = BlobDigest(digest) else { throw GatewayError.invalidDigest }
            return try await content(digest, meta: [:], call: call)
        }
        let (id, name) = (call.parameters[0], call.parameters[1])
        let revision = try DocumentRoutes.wantedRevision(call.request)
        let document = try await call.database.documents.read(
            id, revision: revision, in: call.collection, as: call.requester)
        guard !document.isRedacted, let meta = document.attachments?.object[name]?.objectValue,
            let digest = meta["digest"]?.stringValue.flatMap({ BlobDigest($0) })
        else { throw GatewayError.missingAttachment(name) }
        guard call.request.flag("meta") else { return try await content(digest, meta: meta, call: call) }
        var shown = meta
        shown["key"] = .string(digest.text)
        shown["ver"] = 2
        return .json(.object(shown))
    }

    private static func content(_ digest: BlobDigest, meta: JSONObject, call: RouteCall) async throws -> Response {
        let reader = try await call.database.documents.attachment(digest, of: call.parameters[0], in: call.collection)
        var headers = try headers(meta, call)
        headers[.eTag] = "\"\(digest.text)\""
        switch ByteRange(call.request.header(.range), length: reader.length) {
        case .whole:
            try count(0..<reader.length, call)
            return Response(status: .ok, headers: headers, body: body(reader, range: 0..<reader.length, call: call))
        case .outside: throw Refusal(GatewayError.unsatisfiableRange, headers: [.acceptRanges: "bytes"])
        case .part(let range):
            try count(range, call)
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(reader.length)"
            return Response(status: .partialContent, headers: headers, body: body(reader, range: range, call: call))
        }
    }

    private static func count(_ range: Range<Int>, _ call: RouteCall) throws {
        guard call.request.method != .head else { return }
        try call.database.activity.countAttachment(bytes: range.count)
    }

    private static func headers(_ meta: JSONObject, _ call: RouteCall) throws -> HTTPFields {
        // Whatever its type, a browser must not run it as a script, nor give it the gateway's origin.
        var headers: HTTPFields = [
            .acceptRanges: "bytes", .xContentTypeOptions: "nosniff", .contentSecurityPolicy: "sandbox",
        ]
        let type = MIMEText.short(meta["content_type"]?.stringValue)
        headers[.contentType] = type ?? "application/octet-stream"
        if let coding = MIMEText.short(meta["encoding"]?.stringValue) {
            // Clients that want the encoded bytes unchanged ask for that, so that their HTTP library does not decode
            // them.
            if call.request.query["content_encoding"] == "false" {
                headers[HTTPField.Name("X-Content-Encoding")!] = coding
                headers[.contentType] = "application/gzip"
            } else {
                headers[.contentEncoding] = coding
            }
        }
        // Shown in a browser, these could run scripts in the name of the signed-in user.
        let isRisky = try !call.database.loginRules.showsActiveAttachments && isActive(type ?? "")
        if call.isAdmin || isRisky { headers[.contentDisposition] = "attachment" }
        return headers
    }

    private static func isActive(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" }.lowercased()
        return name.isEmpty || ["html", "xml", "svg", "javascript"].contains { name.contains($0) }
    }

    /// Sends the bytes piece by piece, whatever their number.
    private static func body(_ reader: AttachmentReader, range: Range<Int>, call: RouteCall) -> ResponseBody {
        call.request.load.answerIsReadFromDisk()
        return ResponseBody(contentLength: range.count) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let bytes = try await reader.read(from: offset, count: min(1 << 16, range.upperBound - offset))
                guard !bytes.isEmpty else { throw GatewayError.unfinishedAttachment }
                offset += bytes.count
                try await writer.write(ByteBuffer(bytes: bytes))
            }
            try await writer.finish(nil)
        }
    }

    @Sendable static func put(_ call: RouteCall) async throws -> Response {
        let content = try await call.noting(refusalOf: call.parameters[0]) {
            try await call.request.staged(in: call.database, by: call.requester.userName)
        }
        let entry: JSONObject = [
            "content_type": .string(call.request.header(.contentType) ?? "application/octet-stream"),
            "follows": true, "digest": .string(content.digest.text),
        ]
        return try await change(call, content: [content.digest: .staged(content)]) {
            $0[call.parameters[1]] = .object(entry)
        }
    }

    @Sendable static func delete(_ call: RouteCall) async throws -> Response {
        try await change(call) { attachments in
            guard attachments[call.parameters[1]] != nil else {
                throw GatewayError.noSuchAttachment(call.parameters[1])
            }
            attachments[call.parameters[1]] = nil
        }
    }

    /// The revision to change: the stated one, which may be any leaf; if that is none, the current one, for which the
    /// store then reports the error. `nil` if there is no document.
    private static func revision(_ stated: RevisionID?, _ call: RouteCall) async throws -> DocumentRevision? {
        for wanted in stated == nil ? [nil] : [stated, nil] {
            do {
                let found = try await call.database.documents.read(
                    call.parameters[0], revision: wanted, in: call.collection, as: call.requester)
                guard !found.isRedacted else { throw GatewayError.forbidden }
                // A document is made again only if the request does not name its deletion.
                return found.isDeleted && wanted == nil ? nil : found
            } catch let error as GatewayError where error.status == 404 {
                continue
            }
        }
        return nil
    }

    /// Writes a new revision with changed attachments; a missing document is made.
    private static func change(
        _ call: RouteCall, content: [BlobDigest: AttachmentContent] = [:],
        edit: (inout JSONObject) throws -> Void
    ) async throws -> Response {
        let stated = try DocumentRoutes.statedRevision(call.request)
        let current = try await revision(stated, call)
        if current == nil, call.request.method == .delete {
            throw GatewayError.missingDocumentOfAttachment
        }
        if current != nil, stated == nil {
            throw GatewayError.attachmentNeedsRevision
        }
        let isDeleted = current?.isDeleted ?? false
        var attachments = isDeleted ? [:] : current?.attachments?.object ?? [:]
        try edit(&attachments)
        let old = isDeleted ? nil : current?.body
        let body = appendingMembers(
            Array(#""_attachments":"#.utf8) + attachments.bytes, toObject: old ?? Array("{}".utf8))
        let write = DocumentWrite(
            id: call.parameters[0], body: body, edit: .new(replacing: stated), isDeleted: isDeleted,
            attachments: content)
        let outcome = try await DocumentRoutes.store(write, call)
        return .json(
            DocumentRoutes.description(outcome), status: call.request.method == .put ? .created : .ok,
            headers: .etag(outcome.revision.description))
    }
}
