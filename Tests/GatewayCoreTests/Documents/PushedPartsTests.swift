import DocumentValues
import NIOCore
import Testing

@testable import GatewayCore
@testable import SyncProtocol

/// A message is parsed once. The stored parts are the same as for the same object in a REST request.
@Suite struct PushedPartsTests {
    private static let now: Int64 = 1_800_000_000

    private func parts(of body: String) throws -> IncomingDocument {
        let rev = Rev(collection: nil, documentID: "a", revision: "1-a", body: ByteBuffer(string: body))
        return try IncomingDocument(IncomingRevision(rev), content: [:], now: Self.now)
    }

    private func object(_ body: String) throws -> IncomingDocument {
        let edit = DocumentWrite.Edit.existing(RevisionID(generation: 1, digest: "a"), RevisionHistory())
        return try IncomingDocument(DocumentWrite(id: "a", body: Array(body.utf8), edit: edit), now: Self.now)
    }

    @Test(arguments: [
        "{}", #"{"a":1}"#, #"{"a":1,"_attachments":{}}"#,
        #"{"_attachments":{"p":{"stub":true,"digest":"sha1-x"}},"a":1}"#,
        #"{"a":1,"_exp":100}"#, #"{"a":1,"_exp":null}"#,
        #"{"_exp":1900000000,"_attachments":{"p":{}},"b":[1,{"_exp":2}]}"#,
        #"{"a":1,"_cv":"1@x","_foo":2}"#, #"{"a":1,"a":2,"_attachments":5}"#,
        #"{ "a" : "é" , "_exp" : "2030-01-01T00:00:00Z" }"#,
    ]) func areWhatTheObjectIs(body: String) throws {
        let (parts, object) = (try parts(of: body), try object(body))
        #expect(try JSONValue(parsing: parts.body) == JSONValue(parsing: object.body))
        #expect(parts.attachments == object.attachments && parts.expires == object.expires)
        #expect(parts.edit == object.edit && parts.isDeleted == object.isDeleted)
    }

    @Test(arguments: [#"{"_exp":true}"#, #"{"_exp":-1}"#, #"{"_exp":"tomorrow"}"#]) func areRefusedAsTheObjectIs(
        body: String
    ) {
        let errors = [Result { try parts(of: body) }, Result { try object(body) }].map { result in
            if case .failure(let error as GatewayError) = result { "\(error.status) \(error)" } else { "no error" }
        }
        #expect(errors[0] == errors[1] && errors[0] != "no error", "\(errors)")
    }

    @Test func theTextOfAttachmentsIsWrittenOnce() throws {
        let pushed = try parts(of: #"{"_attachments": {"p" : {"digest":"sha1-x" , "stub":true},"é":{"stub":true}}}"#)
        let list = try #require(pushed.attachments)
        let stored = try #require(StoredAttachments(entries: list.entries))
        #expect(stored.text == #"{"p":{"digest":"sha1-x","stub":true},"é":{"stub":true}}"#)
        #expect(stored.byteCount == list.object.bytes.count && stored.digests == ["sha1-x"])
        let read = try StoredAttachments(stored: stored.text)
        #expect(read == stored && read.text == stored.text)
        let body = StoredAttachments?.some(read).joined(to: Array(#"{"a":1}"#.utf8))
        #expect(String(decoding: body, as: UTF8.self) == #"{"a":1,"_attachments":\#(stored.text)}"#)
        #expect(StoredAttachments(entries: []) == nil)
    }
}
