import DocumentValues
import Testing

@testable import SyncProtocol

/// What happens to bodies on their way: blobs listed for the gateway, reserved members taken out for the store.
@Suite struct BodyTests {
    private static let hello = BlobDigest(of: Array("hello".utf8)).text
    private static let world = BlobDigest(of: Array("world".utf8)).text

    private func pulled(_ text: String) throws -> (body: String, blobs: [String], isRemoved: Bool) {
        switch try PulledBody(reading: Array(text.utf8)) {
        case .document(let body):
            (String(decoding: body.bytes, as: UTF8.self), body.named.map(\.digest.text), false)
        case .removed(let rest): (String(decoding: rest, as: UTF8.self), [], true)
        }
    }

    private func pushed(_ text: String, position: UInt32) throws -> String {
        String(decoding: try AttachmentSplice.body(Array(text.utf8), position: position), as: UTF8.self)
    }

    /// Others would read the first value, and two laptops something different.
    @Test func aNameThatIsThereTwiceIsKeptOnce() throws {
        #expect(try pulled(#"{"a":1,"b":{"c":1,"c":2},"a":3}"#).body == #"{"a":3,"b":{"c":2}}"#)
    }

    /// The pointer of each has the name in it: 16 GB for these.
    @Test(.timeLimit(.minutes(1))) func manyBlobsBehindALongNameAreReadAtOnce() throws {
        let blob = #"{"@type":"blob","digest":"\#(Self.hello)"}"#
        let blobs = Array(repeating: blob, count: 16_000).joined(separator: ",")
        let name = String(repeating: "k", count: 1_000_000)
        let body = "{\"\(name)\":[\(blobs)]}"
        let entry = #"{"digest":"\#(Self.world)","length":5,"stub":true}"#
        let attachments = "{\"blob_/\(name)/7\":\(entry),\"blob_/\(name)/x\":\(entry),\"cv\":\(entry)}"
        #expect(try pulled(body).blobs.count == 16_000)
        let read = try pulled(body.dropLast() + ",\"_attachments\":\(attachments)}")
        // The seventh was replaced; the others of another name are attached beside the blobs.
        #expect(read.blobs.count { $0 == Self.world } == 3)
        let value = try JSONValue(parsing: read.body)
        #expect(value[name]?.arrayValue?[7]["digest"]?.stringValue == Self.world)
        #expect(throws: AttachmentSplice.Failure.self) {
            try AttachmentSplice.body(Array(body.utf8), position: 1, over: RemoteAttachments(body: Array(body.utf8)))
        }
    }

    @Test func namesArePointersOfTheBlobsThatTheyPointTo() throws {
        let blob = #"{"@type":"blob","digest":"\#(Self.hello)"}"#
        let body = #"{"a/b":[0,{"~":\#(blob)},\#(blob)],"":\#(blob),"0":{"0":\#(blob)}}"#
        let blobs = try JSONValue(parsing: Array(body.utf8)).blobReferences()
        let pointers = ["/a~1b/1/~0", "/a~1b/2", "/", "/0/0"]
        #expect(blobs.map(\.pointer) == pointers && blobs.map(\.pointerLength) == pointers.map(\.utf8.count))
        let names = PointerNames((pointers + ["", "a~1b/2", "/a/b/2", "//"]).map { (pointer: $0, value: $0 + "!") })
        #expect(blobs.map { names.find($0)?.value } == pointers.map { $0 + "!" })
        #expect(PointerNames([(pointer: "/0", value: 1)]).find(blobs[3]) == nil)
    }

    // MARK: - Push

    @Test func blobsAreListedAsTheRecordedClientListsThem() throws {
        let body = #"{"n":1,"photo":{"content_type":"text/plain","digest":"\#(Self.hello)","length":5,"@type":"blob"}}"#
        let attachments =
            #""_attachments":{"blob_/photo":{"content_type":"text/plain","digest":"\#(Self.hello)","length":5,"#
            + #""stub":true,"revpos":2}}"#
        #expect(try pushed(body, position: 2) == body.dropLast() + "," + attachments + "}")
    }

    @Test func nestedBlobsHaveTheirPath() throws {
        let blob = #"{"@type":"blob","digest":"\#(Self.hello)"}"#
        let value = try JSONValue(parsing: pushed(#"{"album":[1,{"a/b":\#(blob)}]}"#, position: 1))
        #expect(value["_attachments"]?.objectValue?.keys == ["blob_/album/1/a~1b"])
    }

    @Test func attachmentsOfOthersGoBackUnchanged() throws {
        let other = #"{"stub":true,"digest":"x","revpos":1}"#
        let body =
            #"{"p":{"@type":"blob","digest":"\#(Self.hello)"},"_attachments":{"cv.pdf":\#(other),"blob_/old":{}}}"#
        let entries = try JSONValue(parsing: pushed(body, position: 3))["_attachments"]?.objectValue
        #expect(entries?.keys == ["cv.pdf", "blob_/p"])
        #expect(entries?["cv.pdf"]?.description == other)
    }

    /// What a gateway's attachments of the base are; the names that the blobs of the next revision get.
    @Test(arguments: [
        ([hello, world], [hello, world], ["blob_/list/0", "blob_/list/1"]),
        ([hello, world], [world], ["blob_0/list/0/\(world)"]),
        ([hello, world], [world, hello], ["blob_0/list/0/\(world)", "blob_0/list/1/\(hello)"]),
        ([hello], [hello, world], ["blob_/list/0", "blob_/list/1"]),
        (nil, [hello], ["blob_0/list/0/\(hello)"]),
    ])
    func aNameOfAnotherBlobIsNotUsedAgain(before: [String]?, after: [String], names: [String]) throws {
        func body(_ digests: [String]) -> [UInt8] {
            let blobs = digests.map { #"{"@type":"blob","digest":"\#($0)","length":5}"# }
            return Array("{\"list\":[\(blobs.joined(separator: ","))]}".utf8)
        }
        let wire = try AttachmentSplice.body(
            body(after), position: 2, over: RemoteAttachments(body: before.map { body($0) }))
        let entries = try JSONObject(parsing: wire)["_attachments"]?.objectValue
        #expect(entries?.keys == names)
        #expect(entries?.members.map { $0.value["digest"]?.stringValue } == after)
        // A client that pulls that has what was pushed.
        #expect(
            try PulledBody(reading: wire) == .document(DocumentBody(reading: body(after))))
    }

    @Test func anAttachmentOfOthersHasItsNameForItself() throws {
        let before = RemoteAttachments(body: Array(#"{"_attachments":{"blob_/p":{"digest":"\#(Self.hello)"}}}"#.utf8))
        let body = Array(#"{"p":{"@type":"blob","digest":"\#(Self.world)"}}"#.utf8)
        let wire = try AttachmentSplice.body(body, position: 2, over: before)
        #expect(try JSONObject(parsing: wire)["_attachments"]?.objectValue?.keys == ["blob_0/p/\(Self.world)"])
    }

    @Test func bodiesWithoutBlobsKeepEveryByte() throws {
        let body = #"{ "a" : 1.50, "b":"@type" }"#
        #expect(try pushed(body, position: 1) == body)
    }

    // MARK: - Pull

    @Test(arguments: [#"{}"#, #"{ "a" : 1.0e3 , "b":[{"_x":1}] }"#, #"{"a":"_"}"#])
    func ordinaryBodiesKeepEveryByte(text: String) throws {
        let result = try pulled(text)
        #expect(result.body == text)
        #expect(result.blobs.isEmpty)
    }

    @Test func reservedMembersAreCutOut() throws {
        let result = try pulled(#"{"_id":"x","a": 1.50,"_rev":"1-a","_exp":3}"#)
        #expect(result.body == #"{"a":1.50}"#)
        #expect(try pulled(#"{"_cv":"1@a","_sync":{},"_sync_x":1,"_note":1}"#).body == #"{"_note":1}"#)
    }

    /// A document may have any members but the reserved ones: what one laptop saves, another one gets.
    @Test(arguments: [#"{"_note":1,"a":2}"#, #"{"_":1,"_syncable":[ ]}"#]) func otherMembersArePulled(text: String)
        throws
    {
        #expect(try pulled(text).body == text)
        #expect(try pulled(#"{"_removed":true,"_note":1}"#).body == #"{"_note":1}"#)
    }

    /// Couchbase Lite has not kept them, so that a difference may not fit.
    @Test func noDifferenceTouchesMembersThatOthersDrop() throws {
        let pad = String(repeating: "p", count: 5_000)
        let (old, new) = (#"{"pad":"\#(pad)","_note":1}"#, #"{"pad":"\#(pad)"}"#)
        #expect(try DeltaBody.wireDifference(from: Array(old.utf8), to: Array(new.utf8)) == nil)
    }

    @Test func aRemovedBodyIsNoDocument() throws {
        let result = try pulled(#"{"_removed":true}"#)
        #expect(result.isRemoved && result.body == "{}")
        #expect(try !pulled(#"{"_removed":false,"a":1}"#).isRemoved)
    }

    @Test func entriesOfBlobsInTheBodyAreDropped() throws {
        let blob = #"{"@type":"blob","digest":"\#(Self.hello)","length":5}"#
        let entry = #"{"digest":"\#(Self.hello)","length":5,"revpos":1,"stub":true}"#
        let result = try pulled(#"{"_attachments":{"blob_/p":\#(entry),"blob_0":\#(entry)},"p":\#(blob)}"#)
        #expect(result.body == #"{"p":\#(blob)}"#)
        #expect(result.blobs == [Self.hello])
    }

    @Test func otherAttachmentsAreKeptAndFetched() throws {
        let entry = #"{"digest":"\#(Self.world)","length":5,"revpos":1,"stub":true}"#
        let result = try pulled(#"{"_attachments":{"cv.pdf":\#(entry)},"a":1}"#)
        #expect(result.body == #"{"a":1,"_attachments":{"cv.pdf":\#(entry)}}"#)
        #expect(result.blobs == [Self.world])
    }

    @Test func aReplacedAttachmentChangesTheBlob() throws {
        let blob = #"{"@type":"blob","digest":"\#(Self.hello)","length":5,"content_type":"text/plain"}"#
        let entry = #"{"digest":"\#(Self.world)","length":6,"revpos":2,"stub":true}"#
        let result = try pulled(#"{"_attachments":{"blob_/list/0":\#(entry)},"list":[\#(blob)]}"#)
        let expected = #"{"@type":"blob","digest":"\#(Self.world)","length":6,"content_type":"text/plain"}"#
        #expect(result.body == #"{"list":[\#(expected)]}"#)
        #expect(result.blobs == [Self.world])
    }

    @Test(arguments: ["", "[]", "null", "{", #"{"a":}"#, "{}x"]) func whatIsNoObjectIsRefused(text: String) {
        #expect(throws: JSONError.self) { try PulledBody(reading: Array(text.utf8)) }
    }

    @Test(arguments: [
        ("text/plain", true), ("application/octet-stream", true), ("image/jpeg", false), ("image/svg+xml", true),
        ("application/zip", false), ("application/gzip", false), ("video/mp4", false), ("application/json", true),
    ])
    func whatIsCompressedAlreadyIsNotCompressedAgain(type: String, isCompressible: Bool) {
        let blob = BlobMetadata(digest: BlobDigest(of: []), contentType: type)
        #expect(blob.isCompressible == isCompressible)
    }
}
