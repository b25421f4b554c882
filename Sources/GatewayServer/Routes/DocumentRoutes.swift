import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird
import NIOCore
import SodiumCrypto

/// Single documents.
enum DocumentRoutes {
    @Sendable static func get(_ call: RouteCall) async throws -> Response {
        let request = call.request
        let id = call.parameters[0]
        if request.flag("replicator2") {
            throw GatewayError.replicator2
        }
        if let open = request.query["open_revs"] {
            guard request.query["rev"] == nil else {
                throw GatewayError.revWithOpenRevs
            }
            return try await OpenRevisionsAnswer.make(call, id: id, text: open)
        }
        let revision = try wantedRevision(request)
        let document = try await call.database.documents.read(
            id, revision: revision, in: call.collection, as: call.requester)
        try call.countRead(document)
        let json = try DocumentJSON(request)
        let headers = HTTPFields.etag(document.revision.description)
        let wanted =
            request.flag("attachments")
            ? DocumentJSON.attachmentsToSend(document, since: try request.texts("atts_since")) : [:]
        let writer = AttachmentsWriter(call: call, document: document, wanted: wanted, json: json)
        return try await writer.answer(headers: headers)
    }

    @Sendable static func put(_ call: RouteCall) async throws -> Response {
        let request = call.request
        let (body, attachments) = try await call.noting(refusalOf: call.parameters[0]) {
            try await MultipartReader.documentBody(request)
        }
        var write = DocumentWrite(id: call.parameters[0], body: body, attachments: attachments)
        write.edit =
            request.query["new_edits"] == "false" ? .existingInBody : .new(replacing: try statedRevision(request))
        let outcome = try await store(write, call)
        let headers = request.query["new_edits"] == "false" ? [:] : HTTPFields.etag(outcome.revision.description)
        return .json(description(outcome), status: .created, headers: headers)
    }

    @Sendable static func post(_ call: RouteCall) async throws -> Response {
        let (body, attachments) = try await MultipartReader.documentBody(call.request)
        let id = (try? JSONObject(parsing: body))?["_id"]?.stringValue ?? newID()
        let outcome = try await store(DocumentWrite(id: id, body: body, attachments: attachments), call)
        var headers = HTTPFields.etag(outcome.revision.description)
        headers[.location] = outcome.id
        return .json(description(outcome), headers: headers)
    }

    @Sendable static func delete(_ call: RouteCall) async throws -> Response {
        let edit = DocumentWrite.Edit.new(replacing: try statedRevision(call.request))
        let write = DocumentWrite(id: call.parameters[0], body: Array("{}".utf8), edit: edit, isDeleted: true)
        return .json(description(try await store(write, call)))
    }

    static func store(_ write: DocumentWrite, _ call: RouteCall) async throws -> WriteOutcome {
        call.request.load.endWorkBeforeStoring()
        let documents = try call.database.documents
        let results = await documents.write(
            [write], in: call.collection, as: call.requester, awaitedBy: call.request.presence)
        guard let result = results.first else { throw GatewayError.noResultOfWrite }
        return try result.get()
    }

    static func description(_ outcome: WriteOutcome) -> JSONValue {
        ["id": .string(outcome.id), "ok": true, "rev": .string(outcome.revision.description)]
    }

    /// The revision in the query, else that in `If-Match`; the store checks the body's `_rev`.
    static func statedRevision(_ request: GatewayRequest) throws -> RevisionID? {
        let stated = [request.query["rev"], request.header(.ifMatch)?.withoutQuotes]
            .compactMap { $0 }.filter { !$0.isEmpty }
        guard let text = stated.first else { return nil }
        guard stated.allSatisfy({ $0.isExactly(text) }) else { throw GatewayError.revisionsDiffer }
        guard let revision = RevisionID(text) else { throw GatewayError.invalidRevision }
        return revision
    }

    /// The revision that a reader names; an invalid id counts as that of no revision.
    static func wantedRevision(_ request: GatewayRequest) throws -> RevisionID? {
        try request.query["rev"].flatMap { $0.isEmpty ? nil : $0 }.map { try known($0) }
    }

    static func known(_ text: String) throws -> RevisionID {
        guard let revision = RevisionID(text) else { throw GatewayError.missing }
        return revision
    }

    /// 32 hexadecimal digits, at random.
    static func newID() -> String {
        Hexadecimal.encode(SecureRandom.bytes(16))
    }
}
