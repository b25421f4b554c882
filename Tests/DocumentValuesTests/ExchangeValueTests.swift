import DocumentValues
import Testing

/// Revisions on their way between a store and a session.
@Suite struct ExchangeValueTests {
    private struct Failure: Error, Equatable {
        let number: Int
    }

    private struct Other: Error, Equatable {
        let text: String
    }

    private static let outcomes: [(InsertOutcome<Failure>, InsertOutcome<Other>)] = [
        (.inserted, .inserted), (.alreadyThere, .alreadyThere), (.sameContent, .sameContent), (.conflict, .conflict),
        (.missingBlob(Failure(number: 1)), .missingBlob(Other(text: "1"))),
        (.failed(Failure(number: 2)), .failed(Other(text: "2"))),
    ]

    @Test(arguments: outcomes.indices) func anOutcomeKeepsItsKind(index: Int) {
        let (outcome, mapped) = Self.outcomes[index]
        #expect(outcome.mapFailure { Other(text: "\($0.number)") } == mapped)
        for (otherIndex, other) in Self.outcomes.enumerated() where otherIndex != index { #expect(outcome != other.0) }
        #expect(InsertOutcome.failed(Failure(number: 1)) != .failed(Failure(number: 3)))
    }

    private func revision(_ id: String, body: String = #"{"n":1}"#) throws -> LocalRevision {
        LocalRevision(
            documentID: id, revision: try #require(RevisionID("2-b")),
            history: try #require(RevisionHistory(parsing: "1-a")), isDeleted: true, body: Array(body.utf8),
            sequence: 7,
            remoteRevision: RevisionID("1-a"))
    }

    @Test func aChangeIsWhatItsRevisionSays() throws {
        let change = LocalChange(try revision("a"))
        #expect(change.documentID == "a" && change.revision.description == "2-b" && change.sequence == 7)
        #expect(change.remoteRevision?.description == "1-a" && change.isDeleted && change.bodySize == 7)
        var other = change
        #expect(other == change)
        other.remoteRevision = nil
        #expect(other != change)
    }

    @Test func documentsThatLookAlikeAreTwo() throws {
        let (one, other) = (try revision("caf\u{E9}"), try revision("cafe\u{301}"))
        #expect(one != other && Set([one, other]).count == 2 && LocalChange(one) != LocalChange(other))
        #expect(try one == revision("caf\u{E9}"))
        let revision = try #require(RevisionID("1-a"))
        let rows = ["caf\u{E9}", "cafe\u{301}"].map {
            AnnouncedRevision(documentID: $0, revision: revision, isDeleted: false)
        }
        #expect(rows[0] != rows[1] && rows[0] == rows[0])
    }

    /// Equal bytes are an equal body, however its blobs became known.
    @Test func aBodyIsItsBytes() throws {
        let digest = BlobDigest(of: [1])
        let bytes = Array(#"{"p":{"@type":"blob","digest":"\#(digest.text)"}}"#.utf8)
        let (read, plain) = (try DocumentBody(reading: bytes), DocumentBody(bytes: bytes, blobs: [], attachments: []))
        #expect(read == plain && read.hashValue == plain.hashValue)
        #expect(read.digests == [digest] && plain.digests.isEmpty)
        #expect(read != .empty && DocumentBody.empty.named.isEmpty)
    }

    /// A hyphen is looked for first: what is before it may be nothing, or the beginning of the text.
    @Test(arguments: ["-", "1-", "a1-", "ha1-", "sha1-", "xsha1-", #"{"a":"---"}"#, #"{"a":"sha-1"}"#, #"{"sha1-":1}"#])
    func aBodyWithoutADigestNamesNothing(text: String) throws {
        guard text.hasPrefix("{") else {
            #expect(throws: JSONError.self) { try DocumentBody(reading: Array(text.utf8)) }
            return
        }
        #expect(try DocumentBody(reading: Array(text.utf8)).named.isEmpty)
    }
}

/// Values that are found by the blobs that their names point to.
@Suite struct PointerNamesTests {
    private static let blob: JSONValue = ["@type": "blob", "digest": .string(BlobDigest(of: [1]).text)]

    private func blobs(_ value: JSONValue) -> [BlobReference] { value.blobReferences() }

    @Test func eachBlobFindsItsOwn() {
        let value: JSONValue = [
            "photo": Self.blob, "album": [1, Self.blob, ["thumb": Self.blob]], "a/b": ["c~d": Self.blob], "": Self.blob,
        ]
        let names = PointerNames(
            ["/album/1", "/a~1b/c~0d", "/", "/album/2/thumb", "/gone"].enumerated().map {
                (pointer: $0.element, value: $0.offset)
            })
        let found = blobs(value).map { names.find($0)?.value }
        #expect(blobs(value).map(\.pointer) == ["/photo", "/album/1", "/album/2/thumb", "/a~1b/c~0d", "/"])
        #expect(found == [nil, 0, 3, 1, 2])
        #expect(names.find(blobs(value)[1])?.pointer == "/album/1")
    }

    @Test func namesThatLookAlikeAreTwo() {
        let value = JSONValue.object(
            JSONObject(members: ["caf\u{E9}", "cafe\u{301}"].map { JSONObject.Member(key: $0, value: Self.blob) }))
        let names = PointerNames([(pointer: "/cafe\u{301}", value: "two")])
        #expect(blobs(value).map { names.find($0)?.value } == [nil, "two"])
    }

    @Test func whatIsNoPointerFindsNothing() {
        let names = PointerNames([
            (pointer: "photo", value: 1), (pointer: "/photo/", value: 2), (pointer: "//photo", value: 3),
        ])
        #expect(blobs(["photo": Self.blob]).allSatisfy { names.find($0) == nil })
        #expect(blobs(Self.blob).allSatisfy { names.find($0) == nil })
    }

    @Test func aLengthIsThatOfThePointer() {
        let value: JSONValue = ["é/~": ["x": Self.blob]]
        #expect(blobs(value).map(\.pointerLength) == [Array("/é~1~0/x".utf8).count])
        #expect(blobs(Self.blob).map(\.pointerLength) == [0] && blobs(Self.blob).map(\.pointer) == [""])
    }
}
