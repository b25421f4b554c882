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
        guard let boundary = boundary(of: type) else { throw GatewayError.invalidBoundary }
        let bytes = try await request.bytes(limit: GatewayServerLimits.multipartBody)
        let parts = try parts(of: bytes, boundary: boundary)
        guard let first = parts.first else { throw notAnObject }
        guard first.count <= GatewayServerLimits.body else { throw GatewayError.documentTooLarge }
        guard !first.hasMoreJSONValues(than: GatewayLimits.documentValues) else { throw GatewayError.tooManyValues }
        guard let document = try? JSONObject(parsing: first) else { throw notAnObject }
        let following = try following(in: document)
        let digests = try digests(of: parts.dropFirst(), against: following)
        let named = Set(following.compactMap { ($0.value["digest"]?.stringValue).map { Name($0) } })
        var attachments: [BlobDigest: AttachmentContent] = [:]
        for (index, (part, digest)) in zip(parts.dropFirst(), digests).enumerated() {
            guard named.isEmpty || named.contains(Name(digest.text)) else {
                throw GatewayError.strangePart(index + 2)
            }
            attachments[digest] = .bytes(part)
        }
        return (first, attachments)
    }

    private static let notAnObject = GatewayError.badJSON("the first MIME part is not a JSON object")

    /// The attachments whose bytes come in parts of their own. Their number is checked first.
    private static func following(in document: JSONObject) throws(GatewayError) -> [JSONObject.Member] {
        let attachments = document["_attachments"]?.objectValue ?? [:]
        guard attachments.count <= GatewayLimits.attachmentsPerDocument else { throw .tooManyAttachments }
        return attachments.members.filter { $0.value["follows"]?.boolValue == true }
    }

    /// The digests of the parts; their number and lengths have to be the announced ones.
    private static func digests(
        of parts: ArraySlice<[UInt8]>, against following: [JSONObject.Member]
    ) throws(GatewayError) -> [BlobDigest] {
        if parts.count > following.count {
            throw GatewayError.tooManyParts(expected: following.count + 1)
        }
        if parts.count < following.count {
            throw GatewayError.tooFewParts(parts.count, expected: following.count)
        }
        let digests = parts.map { BlobDigest(of: $0) }
        let lengths = Dictionary(
            zip(digests, parts).map { (Name($0.text), $1.count) }, uniquingKeysWith: { $1 })
        for member in following {
            guard let digest = member.value["digest"]?.stringValue, let length = lengths[Name(digest)],
                let stated = member.value["length"]?.integerValue, stated != Int64(length)
            else { continue }
            throw GatewayError.otherLength(of: member.key, read: length, stated: stated)
        }
        return digests
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
        let delimiter = Array("--\(boundary)".utf8)
        let end = Array("\r\n".utf8) + delimiter
        let blank = Array("\r\n\r\n".utf8)
        var found: [[UInt8]] = []
        var cursor = 0
        while let start = range(of: delimiter, in: bytes, from: cursor) {
            guard let bodyEnd = range(of: end, in: bytes, from: start.upperBound),
                let headerEnd = range(of: blank, in: bytes, from: start.upperBound),
                headerEnd.upperBound <= bodyEnd.lowerBound
            else { break }
            // The document is one more part.
            guard found.count <= GatewayLimits.attachmentsPerDocument else { throw .tooManyAttachments }
            found.append(Array(bytes[headerEnd.upperBound..<bodyEnd.lowerBound]))
            cursor = bodyEnd.lowerBound + 2
        }
        return found
    }

    /// The first position of a pattern, from an offset on; no byte is read twice, whatever the pattern.
    /// (`Data.range(of:in:)` copies the searched range each time, which for many parts would be the whole body again and
    /// again.)
    private static func range(of pattern: [UInt8], in bytes: [UInt8], from offset: Int) -> Range<Int>? {
        let shorter = prefixes(of: pattern)
        var matched = 0
        for index in offset..<bytes.count {
            while matched > 0, bytes[index] != pattern[matched] { matched = shorter[matched - 1] }
            if bytes[index] == pattern[matched] { matched += 1 }
            if matched == pattern.count { return (index + 1 - matched)..<(index + 1) }
        }
        return nil
    }

    /// For each prefix of a pattern, the length of the longest shorter prefix with which it ends.
    private static func prefixes(of pattern: [UInt8]) -> [Int] {
        var lengths = [0]
        for index in 1..<pattern.count {
            var length = lengths[index - 1]
            while length > 0, pattern[index] != pattern[length] { length = lengths[length - 1] }
            lengths.append(pattern[index] == pattern[length] ? length + 1 : 0)
        }
        return lengths
    }
}

extension JSONValue {
    /// A document's JSON; `null` is no document.
    fileprivate func bytesOfDocument() throws -> [UInt8] {
        if isNull { throw GatewayError.emptyDocument }
        guard objectValue != nil else { throw wrongDocument }
        return bytes
    }
}
