import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Hummingbird
import SodiumCrypto

/// Builds a MIME multipart body (RFC 2046), lines ending in CRLF.
struct MultipartWriter: Sendable {
    struct Part: Sendable {
        var headers: [(String, String)]
        var body: [UInt8]
    }

    let boundary = Hexadecimal.encode(SecureRandom.bytes(30))
    private var parts: [Part] = []

    mutating func append(_ part: Part) { parts.append(part) }

    var bytes: [UInt8] {
        var output: [UInt8] = []
        for (index, part) in parts.enumerated() { output += bytes(of: part, isFirst: index == 0) }
        return output + end
    }

    private func bytes(of part: Part, isFirst: Bool) -> [UInt8] {
        var output = Array("\(isFirst ? "" : "\r\n")--\(boundary)\r\n".utf8)
        for (name, value) in part.headers { output += Array("\(name): \(MIMEText.value(value))\r\n".utf8) }
        return output + Array("\r\n".utf8) + part.body
    }

    private var end: [UInt8] { Array("\r\n--\(boundary)--".utf8) }

    /// An answer of a part for each row.
    func response<Row: Sendable>(
        subtype: String, to request: GatewayRequest, _ rows: [Row],
        part: @escaping @Sendable (Row) async throws -> Part
    ) async throws -> Response {
        let end = end + Self.lineEnd(request)
        return try await .growing(0, for: request, type: type(subtype)) { count in
            defer { count += 1 }
            guard count < rows.count else { return count == rows.count ? end : nil }
            return bytes(of: try await part(rows[count]), isFirst: count == 0)
        }
    }

    private func type(_ subtype: String) -> String { "multipart/\(subtype); boundary=\"\(boundary)\"" }

    /// CouchDB's reader fails at a line end behind the last boundary.
    private static func lineEnd(_ request: GatewayRequest) -> [UInt8] {
        request.header(.userAgent)?.hasPrefix("CouchDB/") == true ? [] : Array("\r\n".utf8)
    }

    func response(subtype: String, to request: GatewayRequest, headers: HTTPFields = [:]) -> Response {
        .bytes(bytes + Self.lineEnd(request), type: type(subtype), headers: headers)
    }
}

/// Shows a document with the bytes of its attachments: inline as base64, or as parts that follow.
struct AttachmentsWriter: Sendable {
    let call: RouteCall
    let document: DocumentRevision
    /// The attachments whose bytes are sent; the others stay stubs.
    let wanted: AttachmentList
    let json: DocumentJSON

    /// Multipart if the client accepts only that, or if it accepts that and the answer has attachments.
    func answer(headers: HTTPFields) async throws -> Response {
        let takesJSON = call.request.accepts("application/json")
        let hasParts = call.request.flag("attachments") && document.attachments?.isEmpty == false
        if hasParts || !takesJSON, call.request.accepts("multipart/") {
            return try await related().response(subtype: "related", to: call.request, headers: headers)
        }
        guard takesJSON else { throw GatewayError.unacceptableJSON }
        return .bytes(
            wanted.isEmpty ? json.bytes(document) : try await inlined(), type: "application/json", headers: headers)
    }

    /// The document with all wanted bytes inside.
    func inlined() async throws -> [UInt8] {
        _ = try await hold()
        var shown: [Name: JSONValue] = [:]
        for entry in wanted.entries { shown[Name(entry.name)] = try await inline(entry) }
        return json.bytes(document, attachments: attachments(with: shown))
    }

    /// All attachments of the document, some of them in another form. There may be thousands, so each is found without a
    /// search among the others.
    private func attachments(with shown: [Name: JSONValue]) -> JSONObject {
        let entries = document.attachments?.list.entries ?? []
        return JSONObject(
            members: entries.map { entry in
                JSONObject.Member(key: entry.name, value: shown[Name(entry.name)] ?? entry.value)
            })
    }

    /// As a part of a larger answer: JSON, or multipart of its own when bytes follow.
    func part() async throws -> MultipartWriter.Part {
        guard !wanted.isEmpty else {
            return MultipartWriter.Part(headers: [("Content-Type", "application/json")], body: json.bytes(document))
        }
        let related = try await related()
        var headers = [("Content-Type", "multipart/related; boundary=\"\(related.boundary)\"")]
        headers += [("X-Doc-Id", document.id), ("X-Rev-Id", document.revision.description)]
        return MultipartWriter.Part(headers: headers, body: related.bytes)
    }

    private func related() async throws -> MultipartWriter {
        let lengths = try await hold()
        var inAnotherForm: [Name: JSONValue] = [:]
        var following: [MultipartWriter.Part] = []
        for entry in wanted.entries {
            guard let object = entry.object else { continue }
            guard Self.length(of: entry, among: lengths) > GatewayServerLimits.inlineAttachment else {
                inAnotherForm[Name(entry.name)] = try await inline(entry)
                continue
            }
            var shown = object.filter { $0 != "stub" }
            shown["follows"] = true
            inAnotherForm[Name(entry.name)] = .object(shown)
            let name = MIMEText.quoted(entry.name)
            var headers = [("Content-Disposition", "attachment; filename=\"\(name)\"")]
            if let type = MIMEText.short(object["content_type"]?.stringValue) { headers.append(("Content-Type", type)) }
            following.append(MultipartWriter.Part(headers: headers, body: try await content(entry)))
        }
        var writer = MultipartWriter()
        writer.append(
            MultipartWriter.Part(
                headers: [("Content-Type", "application/json")],
                body: json.bytes(document, attachments: attachments(with: inAnotherForm))))
        for part in following { writer.append(part) }
        return writer
    }

    /// The bytes of all wanted attachments are in memory together, each as often as it is named.
    ///
    /// - Returns: how many each has in the store.
    private func hold() async throws -> [Name: Int] {
        let lengths = try await call.database.documents.attachmentLengths(
            wanted.digests, of: document.id, in: call.collection)
        let bytes = wanted.entries.reduce(0) { $0 + Self.length(of: $1, among: lengths) }
        guard bytes <= GatewayServerLimits.attachmentsOfAnswer else {
            throw GatewayError.attachmentsTooLarge(of: document.id, bytes: bytes)
        }
        try call.request.load.answer(document.body.count + bytes)
        return lengths
    }

    private static func length(of entry: AttachmentEntry, among lengths: [Name: Int]) -> Int {
        entry.digest.flatMap { lengths[$0] } ?? 0
    }

    private func inline(_ entry: AttachmentEntry) async throws -> JSONValue {
        guard let object = entry.object else { return entry.value }
        var shown = object.filter { $0 != "stub" }
        shown["data"] = .string(Base64.encode(try await content(entry)))
        return .object(shown)
    }

    private func content(_ entry: AttachmentEntry) async throws -> [UInt8] {
        guard let digest = entry.blob else { throw GatewayError.missing }
        return try await call.database.documents.attachment(digest, of: document.id, in: call.collection).bytes()
    }
}
