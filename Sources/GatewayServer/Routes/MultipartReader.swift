import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes

/// Reads a document that comes as JSON, or as `multipart/related` with its attachments behind it.
enum MultipartReader {
    static func documentBody(
        _ request: GatewayRequest
    ) async throws -> (body: [UInt8], attachments: [BlobDigest: AttachmentContent]) {
        let type = request.header(.contentType) ?? "application/json"
        guard type.lowercased().hasPrefix("multipart/related") else {
            return (try await request.document().bytesOfDocument(), [:])
        }
        guard let boundary = boundary(of: type) else { throw GatewayError(400, "Invalid multipart boundary") }
        let bytes = try await request.bytes(limit: GatewayServerLimits.multipartBody)
        let parts = try parts(of: bytes, boundary: boundary)
        guard let first = parts.first else { throw notAnObject }
        guard first.count <= GatewayServerLimits.body else { throw GatewayError(413, "Document too large!") }
        guard let document = try? JSONObject(parsing: first) else { throw notAnObject }
        let following = try following(in: document)
        try check(parts.dropFirst(), against: following)
        let named = Set(following.compactMap { ($0.value["digest"]?.stringValue).map { Name($0) } })
        var attachments: [BlobDigest: AttachmentContent] = [:]
        for (index, part) in parts.dropFirst().enumerated() {
            let digest = BlobDigest(of: part)
            guard named.isEmpty || named.contains(Name(digest.text)) else {
                throw GatewayError(400, "MIME part #\(index + 2) doesn't match any attachment")
            }
            attachments[digest] = .bytes(part)
        }
        return (first, attachments)
    }

    private static let notAnObject = GatewayError(400, "Bad JSON: the first MIME part is not a JSON object")

    /// The attachments whose bytes come in parts of their own. How many there are is looked at before anything else.
    private static func following(in document: JSONObject) throws(GatewayError) -> [JSONObject.Member] {
        let attachments = document["_attachments"]?.objectValue ?? [:]
        guard attachments.count <= GatewayLimits.attachmentsPerDocument else { throw .tooManyAttachments }
        return attachments.members.filter { $0.value["follows"]?.boolValue == true }
    }

    /// As many as are to follow, and as long as it is said of them.
    private static func check(
        _ parts: ArraySlice<[UInt8]>, against following: [JSONObject.Member]
    ) throws(GatewayError) {
        if parts.count > following.count {
            throw GatewayError(400, "Too many MIME parts (expected \(following.count + 1))")
        }
        if parts.count < following.count {
            throw GatewayError(
                400, "Too few MIME parts: expected \(following.count) attachments, got \(parts.count)")
        }
        let lengths = Dictionary(parts.map { (Name(BlobDigest(of: $0).text), $0.count) }, uniquingKeysWith: { $1 })
        for member in following {
            guard let digest = member.value["digest"]?.stringValue, let length = lengths[Name(digest)],
                let stated = member.value["length"]?.integerValue, stated != Int64(length)
            else { continue }
            throw GatewayError(
                400,
                "Attachment length mismatch for \"\(member.key)\": read \(length) bytes, should be \(stated)")
        }
    }

    static func boundary(of type: String) -> String? {
        for parameter in type.split(atByte: ";").dropFirst() {
            let parts = parameter.split(atByte: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, parts[0].lowercased() == "boundary" {
                return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            }
        }
        return nil
    }

    /// The bodies of the parts, without their headers.
    static func parts(of bytes: [UInt8], boundary: String) throws(GatewayError) -> [[UInt8]] {
        let data = Data(bytes)
        let delimiter = Data("--\(boundary)".utf8)
        let blank = Data("\r\n\r\n".utf8)
        var found: [[UInt8]] = []
        var cursor = data.startIndex
        while let start = data.range(of: delimiter, in: cursor..<data.endIndex) {
            let bodyEnd = data.range(of: Data("\r\n".utf8) + delimiter, in: start.upperBound..<data.endIndex)
            guard let bodyEnd, let headerEnd = data.range(of: blank, in: start.upperBound..<data.endIndex),
                headerEnd.upperBound <= bodyEnd.lowerBound
            else { break }
            // The document is one more.
            guard found.count <= GatewayLimits.attachmentsPerDocument else { throw .tooManyAttachments }
            found.append(Array(data[headerEnd.upperBound..<bodyEnd.lowerBound]))
            cursor = bodyEnd.lowerBound + 2
        }
        return found
    }
}

extension JSONValue {
    /// A document's JSON; `null` is no document.
    fileprivate func bytesOfDocument() throws -> [UInt8] {
        if isNull { throw GatewayError(400, "Document body is empty") }
        guard objectValue != nil else { throw wrongDocument }
        return bytes
    }
}
