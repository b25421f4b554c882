import BLIPProtocol
import DocumentValues
import NIOCore
import SyncModels
import SyncProtocol
import Testing

/// Pushed revisions and their attachments.
@Suite struct PassivePushTests {
    private func rev(_ id: String, _ more: BLIPProperties = [:]) -> BLIPProperties {
        var properties: BLIPProperties = [
            "Profile": "rev", "id": id, "rev": "2-b", "history": "1-a", "noconflicts": "1",
        ]
        for property in more { properties[property.key] = property.value }
        return properties
    }

    private func stored(_ client: PassiveTestClient) -> [IncomingRevision] {
        for case .storeRevisions(_, _, let revisions) in client.actions { return revisions }
        return []
    }

    @Test func aRevisionIsTakenApartAndStored() throws {
        var client = PassiveTestClient()
        let number = client.request(rev("doc"), #"{"a":1,"_exp":99,"b":2,"_attachments":{"x":{"stub":true}}}"#)
        let revision = try #require(stored(client).first)
        #expect(revision.documentID == "doc")
        #expect(revision.revision.description == "2-b")
        #expect(revision.history.description == "1-a")
        #expect(!revision.isDeleted)
        #expect(revision.body == Array(#"{"a":1,"b":2}"#.utf8))
        #expect(revision.expiry == 99)
        #expect(revision.attachments == ["x": ["stub": true]])
        try client.complete(.stored([.stored]))
        #expect(client.sent == [.response(to: number, properties: [:], body: .empty, isCompressed: false)])
    }

    /// Announcements that wait for the store are counted like revisions, and stop the reading like them.
    @Test func announcementsAreCountedUntilTheyAreAnswered() throws {
        var client = PassiveTestClient()
        let rows = "[" + (0..<8_000).map { "[\"d\($0)\",\"1-a\"]" }.joined(separator: ",") + "]"
        client.request(["Profile": "proposeChanges"], rows)
        #expect(client.session.heldBytes > 8_000 * 160)
        try client.complete(.proposals(Array(repeating: .known, count: 8_000)))
        #expect(client.session.heldBytes == 0)
        var isPaused = false
        for _ in 0..<20 {
            client.request(["Profile": "proposeChanges"], rows)
            isPaused = isPaused || client.actions.contains { if case .pauseReading = $0 { true } else { false } }
        }
        #expect(isPaused)
    }

    @Test func tombstonesAreMarked() {
        for (value, isDeleted) in [("1", true), ("true", true), ("0", false), ("false", false), ("", false)] {
            var client = PassiveTestClient()
            client.request(rev("doc", ["deleted": value]), "{}")
            #expect(stored(client).first?.isDeleted == isDeleted)
        }
    }

    @Test(arguments: [
        ("_id", 404), ("_rev", 404), ("_deleted", 404), ("_revisions", 404), ("_sync", 404), ("_removed", 404),
        ("_purged", 400), ("_sync_x", 400),
    ])
    func reservedMembersAreRefused(key: String, status: Int) throws {
        var client = PassiveTestClient()
        client.request(rev("doc"), "{\"\(key)\":1}")
        #expect(try client.failure().code == status)
    }

    @Test func textThatIsNotUTF8IsRefused() throws {
        var client = PassiveTestClient()
        let body = ByteBuffer(bytes: Array(#"{"a":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8))
        client.receive([.request(BLIPMessage(kind: .request, number: 1, properties: rev("doc"), body: body))])
        guard case .failure(1, let error)? = client.sent.first else {
            Issue.record("\(client.sent)")
            return
        }
        #expect(error.code == 400)
    }

    @Test func revisionsGatherWhileTheStoreIsBusy() throws {
        var client = PassiveTestClient()
        client.request(rev("d0"), "{}")
        let first = try client.job()
        for index in 1...500 { client.request(rev("d\(index)"), "{}") }
        #expect(client.actions.isEmpty)
        client.complete(first, .stored([.stored]))
        #expect(stored(client).count == 400)
        try client.complete(.stored([StoreOutcome](repeating: .stored, count: 400)))
        #expect(client.sent.count == 400)
        #expect(stored(client).map(\.documentID).last == "d500")
    }

    @Test func eachRevisionGetsItsOwnAnswer() throws {
        var client = PassiveTestClient()
        client.request(rev("a"), "{}")
        let first = try client.job()
        for id in ["b", "c", "d"] { client.request(rev(id), "{}") }
        client.complete(first, .failed(.http(503, message: "busy")))
        #expect(client.failure(of: 1) == .http(503, message: "busy"))
        try client.complete(
            .stored([
                .stored, .refused(.http(403, message: "no")),
                .refused(.http(409, message: "Document revision conflict")),
            ]))
        #expect(client.isAnswered(2))
        #expect(client.failure(of: 3) == .http(403, message: "no"))
        #expect(client.failure(of: 4) == .http(409, message: "Document revision conflict"))
    }

    @Test func aFastClientIsSlowedDown() throws {
        var client = PassiveTestClient()
        let body = "{\"x\":\"" + String(repeating: "x", count: 1 << 20) + "\"}"
        client.request(rev("d0"), "{}")
        let first = try client.job()
        for index in 1...15 {
            client.request(rev("d\(index)"), body)
            #expect(client.actions.isEmpty)
        }
        client.request(rev("d16"), body)
        #expect(client.actions == [.pauseReading])
        client.complete(first, .stored([.stored]))
        #expect(!client.actions.contains(.resumeReading))
        try client.complete(.stored([StoreOutcome](repeating: .stored, count: 16)))
        #expect(client.actions == [.resumeReading])
    }

    @Test func tooMuchWorkAtOnceStopsTheReading() throws {
        var client = PassiveTestClient()
        var jobs: [JobID] = []
        while !client.actions.contains(.pauseReading), jobs.count < 200 {
            client.request(["Profile": "getCheckpoint", "client": "a"])
            jobs += client.actions.compactMap(\.job)
        }
        #expect(jobs.count == 101)
        var resumed = 0
        for job in jobs {
            client.complete(job, .checkpoint(nil, revision: nil))
            if client.actions.contains(.resumeReading) { resumed += 1 }
        }
        #expect(resumed == 1)
    }

    // MARK: Attachments

    /// What the driver was given to keep in the last step.
    private func kept(_ client: PassiveTestClient) -> [(handle: AttachmentHandle, bytes: String)] {
        client.actions.compactMap { action in
            guard case .keepAttachment(_, let handle, let bytes) = action else { return nil }
            return (handle, String(buffer: bytes))
        }
    }

    /// How many attachments the driver was asked to forget in the last step.
    private func dropped(_ client: PassiveTestClient) -> Int {
        client.actions.reduce(0) { sum, action in
            if case .dropAttachments(let handles) = action { sum + handles.count } else { sum }
        }
    }

    private let withPhoto = #"{"_attachments":{"p":{"stub":true,"digest":"sha1-p","length":5}}}"#

    @Test func attachmentsAreFetchedFirst() throws {
        var client = PassiveTestClient()
        let number = client.request(rev("doc"), withPhoto)
        try client.complete(.stored([.needs([.content(digest: "sha1-p")])]))
        let question = client.requests[0]
        #expect(question.request.properties.profile == "getAttachment")
        #expect(question.request.properties["digest"] == "sha1-p")
        #expect(question.request.properties["docID"] == "doc")
        #expect(question.request.properties["compress"] == "true")
        #expect(question.request.streamsReply)
        // The driver keeps the bytes, a piece at a time.
        client.receive([.responsePart(tag: question.tag, ByteBuffer(string: "he"), isLast: false)])
        let first = try client.job()
        #expect(kept(client).map(\.bytes) == ["he"])
        client.receive([.responsePart(tag: question.tag, ByteBuffer(string: "ll"), isLast: false)])
        client.receive([.responsePart(tag: question.tag, ByteBuffer(string: "o"), isLast: true)])
        #expect(client.actions.isEmpty)
        client.complete(first, .done)
        #expect(kept(client).map(\.bytes) == ["llo"])
        let handle = try #require(kept(client).first?.handle)
        try client.complete(.done)
        #expect(stored(client).first?.provided == ["sha1-p": .content(handle)])
        try client.complete(.stored([.stored]))
        #expect(client.isAnswered(number))
        #expect(client.actions == [.dropAttachments([handle])])
    }

    @Test func aProofIsAskedForAndOtherwiseTheBytes() throws {
        for knows in [true, false] {
            var client = PassiveTestClient()
            client.request(rev("doc"), withPhoto)
            try client.complete(.stored([.needs([.proof(digest: "sha1-p", nonce: [1, 2, 3])])]))
            let question = client.requests[0]
            #expect(question.request.properties.profile == "proveAttachment")
            #expect(question.request.body.inMemory == [1, 2, 3])
            if knows {
                client.answer(question.tag, "sha1-proof")
                #expect(stored(client).first?.provided == ["sha1-p": .proof("sha1-proof", nonce: [1, 2, 3])])
            } else {
                client.receive([.failure(tag: question.tag, .unknownProfile("proveAttachment"))])
                #expect(client.requests[0].request.properties.profile == "getAttachment")
            }
        }
    }

    @Test func bytesThatAreMissingInEitherFormAreAskedFor() throws {
        for error in [BLIPErrorReply.http(404), BLIPErrorReply(domain: "LiteCore", code: 7, message: "not found")] {
            var client = PassiveTestClient()
            client.request(rev("doc"), withPhoto)
            try client.complete(.stored([.needs([.proof(digest: "sha1-p", nonce: [1, 2, 3])])]))
            let question = client.requests[0]
            client.receive([.failure(tag: question.tag, error)])
            #expect(client.requests.first?.request.properties.profile == "getAttachment")
        }
    }

    /// On a slow link each has to have its turn before it counts as left unfinished.
    @Test func fewAttachmentsAreAskedForAtOnceOfAllRevisionsTogether() throws {
        var client = PassiveTestClient()
        var open: [UInt64] = []
        for revision in 0..<3 {
            client.request(rev("doc\(revision)"), withPhoto)
            let needs = (0..<25).map { AttachmentNeed.proof(digest: "sha1-\(revision)-\($0)", nonce: [1]) }
            try client.complete(.stored([.needs(needs)]))
            open += client.requests.map(\.tag)
        }
        var answered = 0
        var most = 0
        while let tag = open.first {
            most = max(most, open.count)
            open.removeFirst()
            client.answer(tag, "proof")
            answered += 1
            open += client.requests.map(\.tag)
        }
        #expect(answered == 75)
        #expect(most == 16)
    }

    /// A few at a time: each may be an incomplete message.
    @Test func aRevisionMayBringThousandsOfAttachments() throws {
        for count in [5_000, 5_001] {
            let needs = (0..<count).map { AttachmentNeed.proof(digest: "sha1-\($0)", nonce: [1]) }
            var client = PassiveTestClient()
            client.request(rev("doc"), withPhoto)
            try client.complete(.stored([.needs(needs)]))
            guard count <= 5_000 else {
                #expect(try client.failure().code == 413)
                continue
            }
            var open = client.requests.map(\.tag)
            var answered = 0
            #expect(open.count == 16)
            while let tag = open.popLast() {
                client.answer(tag, "proof")
                answered += 1
                open += client.requests.map(\.tag)
                #expect(open.count <= 16)
            }
            #expect(answered == count)
            #expect(stored(client).first?.provided.count == count)
        }
    }

    @Test func refusedAttachmentsFailTheirRevision() throws {
        for (need, status) in [
            (AttachmentNeed.content(digest: "sha1-p"), 500), (.proof(digest: "sha1-p", nonce: [1]), 403),
        ] {
            var client = PassiveTestClient()
            client.request(rev("doc"), withPhoto)
            try client.complete(.stored([.needs([need])]))
            client.receive([.failure(tag: client.requests[0].tag, .http(500, message: "disk"))])
            let error = try client.failure()
            #expect(error.code == status)
            #expect(client.actions.contains(noted(error)))
        }
    }

    private func noted(_ error: BLIPErrorReply) -> PassiveAction {
        .noteRefusal(RefusedRevision(collection: 0, documentID: "doc", revision: "2-b", error: error))
    }

    /// Administrators who look into the refusals read a sentence.
    @Test(arguments: [
        BLIPErrorReply(domain: "LiteCore", code: 7, message: "not found"), .http(404, message: "missing"),
    ])
    func anAttachmentThatTheClientDoesNotHaveIsNamed(answer: BLIPErrorReply) throws {
        var client = PassiveTestClient()
        client.request(rev("doc"), withPhoto)
        try client.complete(.stored([.needs([.content(digest: "sha1-p")])]))
        client.receive([.failure(tag: client.requests[0].tag, answer)])
        let message = "The client does not have the attachment sha1-p of this document itself"
        #expect(try client.failure().message == message)
    }

    /// What the store refuses, the store notes.
    @Test func aRevisionThatNoStoreHasSeenIsNoted() throws {
        var client = PassiveTestClient()
        client.request(rev("doc"), #"{"_purged":true}"#)
        #expect(client.actions.contains(noted(try client.failure())))
        client.request(rev("doc"), "{}")
        try client.complete(.stored([.refused(.http(403, message: "no"))]))
        #expect(client.actions.isEmpty)
        client.request(rev("doc"), "{}")
        try client.complete(.failed(.http(500, message: "no store")))
        #expect(client.actions.contains(noted(try client.failure())))
    }

    /// What the driver does not hand on, since it would take too long to read.
    @Test func aRevisionThatTheSessionDoesNotGetIsNamed() throws {
        let error = BLIPErrorReply.http(413, message: "too many")
        func named(_ properties: BLIPProperties, in client: PassiveTestClient) -> RefusedRevision? {
            let message = BLIPMessage(kind: .request, number: 1, properties: properties, body: ByteBuffer())
            return client.session.refused(message, with: error)
        }
        var client = PassiveTestClient()
        let expected = RefusedRevision(collection: 0, documentID: "doc", revision: "2-b", error: error)
        #expect(named(rev("doc"), in: client) == expected)
        #expect(named(["Profile": "changes"], in: client) == nil)
        // It has decided nothing: collections may be named still.
        try client.name(["field.sites", "field.forms"])
        #expect(named(rev("doc", ["collection": "1"]), in: client)?.collection == 1)
        for index in ["2", "-1", "x", ""] { #expect(named(rev("doc", ["collection": index]), in: client) == nil) }
    }

    @Test func aStoreThatAsksTwiceIsNotObeyed() throws {
        var client = PassiveTestClient()
        client.request(rev("doc"), withPhoto)
        try client.complete(.stored([.needs([.content(digest: "sha1-p")])]))
        client.receive([.responsePart(tag: client.requests[0].tag, ByteBuffer(string: "x"), isLast: true)])
        try client.complete(.done)
        try client.complete(.stored([.needs([.content(digest: "sha1-p")])]))
        #expect(try client.failure().code == 500)
        #expect(dropped(client) == 1)
    }

    @Test func aDiskThatFailsFailsTheRevision() throws {
        var client = PassiveTestClient()
        client.request(rev("doc"), withPhoto)
        try client.complete(.stored([.needs([.content(digest: "sha1-p")])]))
        client.receive([.responsePart(tag: client.requests[0].tag, ByteBuffer(string: "x"), isLast: false)])
        try client.complete(.failed(.http(503, message: "full")))
        #expect(try client.failure().code == 503)
        #expect(dropped(client) == 1)
    }

    @Test func attachmentsThatAreTooLargeAreRefused() throws {
        var client = PassiveTestClient()
        client.request(rev("doc"), withPhoto)
        try client.complete(.stored([.needs([.content(digest: "sha1-p")])]))
        let tag = client.requests[0].tag
        let part = ByteBuffer(repeating: 0, count: 1 << 20)
        for _ in 1...20 {
            client.receive([.responsePart(tag: tag, part, isLast: false)])
            try client.complete(.done)
            #expect(client.sent.isEmpty && client.actions.isEmpty)
        }
        client.receive([.responsePart(tag: tag, part, isLast: false)])
        #expect(try client.failure().code == 413)
        #expect(dropped(client) == 1)
        client.receive([.responsePart(tag: tag, part, isLast: true)])
        #expect(client.sent.isEmpty && client.actions.isEmpty)
    }

    @Test func aSlowDiskStopsTheReading() throws {
        var client = PassiveTestClient()
        client.request(rev("doc"), withPhoto)
        try client.complete(.stored([.needs([.content(digest: "sha1-p")])]))
        let tag = client.requests[0].tag
        let part = ByteBuffer(repeating: 0, count: 1 << 20)
        client.receive([.responsePart(tag: tag, part, isLast: false)])
        let first = try client.job()
        for _ in 1...15 { client.receive([.responsePart(tag: tag, part, isLast: false)]) }
        #expect(client.actions.isEmpty)
        client.receive([.responsePart(tag: tag, part, isLast: false)])
        #expect(client.actions == [.pauseReading])
        // The rest in one piece; reading goes on when it is kept.
        client.complete(first, .done)
        #expect(kept(client).map(\.bytes.utf8.count) == [16 << 20])
        try client.complete(.done)
        #expect(client.actions == [.resumeReading])
    }

    /// What is given up while the driver works on it is dropped when that is done, and only then.
    @Test func whatIsBeingKeptIsDroppedAfterwards() throws {
        var client = PassiveTestClient()
        client.request(rev("doc"), withPhoto)
        try client.complete(.stored([.needs([.content(digest: "sha1-p")])]))
        let tag = client.requests[0].tag
        client.receive([.responsePart(tag: tag, ByteBuffer(repeating: 0, count: 20 << 20), isLast: false)])
        let job = try #require(client.actions.compactMap(\.job).first)
        client.receive([.responsePart(tag: tag, ByteBuffer(string: "x"), isLast: true)])
        #expect(try client.failure().code == 413)
        #expect(dropped(client) == 0)
        client.complete(job, .done)
        #expect(dropped(client) == 1)
    }

    @Test func fewRevisionsAreFetchedForAtTheSameTime() throws {
        var client = PassiveTestClient()
        client.request(rev("d0"), "{}")
        let first = try client.job()
        for index in 1...10 { client.request(rev("d\(index)"), withPhoto) }
        client.complete(first, .stored([.stored]))
        let needs = StoreOutcome.needs([.content(digest: "sha1-p")])
        try client.complete(.stored([StoreOutcome](repeating: needs, count: 10)))
        #expect(client.requests.count == 4)
        client.receive([.responsePart(tag: client.requests[0].tag, ByteBuffer(), isLast: true)])
        try client.complete(.done)
        #expect(client.requests.count == 1)
        #expect(stored(client).map(\.documentID) == ["d1"])
    }

    @Test func tooManyRevisionsWaitingForAttachmentsAreTurnedAway() throws {
        var client = PassiveTestClient()
        let body = "{\"x\":\"" + String(repeating: "x", count: 9 << 20) + "\"}"
        var refused = 0
        for index in 0..<10 {
            client.request(rev("d\(index)"), body)
            try client.complete(.stored([.needs([.content(digest: "sha1-p")])]))
            if client.failure(of: client.lastNumber)?.code == 503 { refused += 1 }
        }
        #expect(refused == 3)
    }

    @Test func answersToNothingAreIgnored() {
        var client = PassiveTestClient()
        client.answer(99, "[]")
        client.receive([
            .failure(tag: 98, .http(500)), .responsePart(tag: 97, ByteBuffer(), isLast: true), .sent(tag: 96),
        ])
        #expect(client.sent.isEmpty && client.actions.isEmpty)
    }
}
