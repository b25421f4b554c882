import BLIPProtocol
import DocumentValues
import NIOCore
import Testing

@testable import SyncProtocol

/// Revisions as differences, at the gateway.
@Suite struct PassiveDeltaTests {
    private static let filler = String(repeating: "inspected and found in order. ", count: 10)

    private static let digest = BlobDigest(of: Array("x".utf8)).text
    private static let oneBlob = #""_attachments":{"blob_/p":{"stub":true}}"#
    private static let blob = #"{"@type":"blob","digest":"\#(digest)"}"#
    private static let ownNames = #""_attachments":{"blob_0/p/\#(digest)":{},"blob_0/q/\#(digest)":{}}"#

    private func revision(_ text: String) throws -> RevisionID { try #require(RevisionID(text)) }

    // MARK: - Push

    private func rev(_ id: String, from source: String, _ more: BLIPProperties = [:]) -> BLIPProperties {
        var properties: BLIPProperties = [
            "Profile": "rev", "id": id, "rev": "2-b", "history": "1-a", "noconflicts": "1", "deltaSrc": source,
        ]
        for property in more { properties[property.key] = property.value }
        return properties
    }

    private func sources(_ client: PassiveTestClient) -> [DeltaSource]? {
        for case .loadSources(_, _, let sources) in client.actions { return sources }
        return nil
    }

    private func stored(_ client: PassiveTestClient) -> [IncomingRevision]? {
        for case .storeRevisions(_, _, let revisions) in client.actions { return revisions }
        return nil
    }

    @Test(arguments: [true, false]) func proposalsAreAnsweredWithWhetherDifferencesAreWelcome(uses: Bool) throws {
        var client = PassiveTestClient(usesDeltas: uses)
        client.request(["Profile": "proposeChanges"], #"[["a","2-b","1-a",300]]"#)
        try client.complete(.proposals([.send]))
        guard case .response(_, let properties, _, _)? = client.sent.first else {
            Issue.record("\(client.sent)")
            return
        }
        #expect(properties["deltas"] == (uses ? "true" : nil))
    }

    @Test func whereTheyAreOffTheyAreRefused() throws {
        var client = PassiveTestClient()
        client.request(rev("a", from: "1-a"), #"{"n":2}"#)
        #expect(try client.failure() == .badRequest("Deltas are disabled for this peer"))
    }

    @Test(
        arguments: [
            ("a changed member", #"{"n":1,"t":"x"}"#, #"{"n":2}"#, #"{"n":2,"t":"x"}"#, nil),
            ("a deleted member", #"{"n":1,"t":"x"}"#, #"{"t":[]}"#, #"{"n":1}"#, nil),
            ("nothing", #"{"n":1}"#, "{}", #"{"n":1}"#, nil),
            ("a whole", #"{"n":1}"#, #"[{"m":1}]"#, #"{"m":1}"#, nil),
            (
                "attachments that stay", #"{"n":1,"_attachments":{"blob_/p":{"digest":"sha1-x","revpos":1}}}"#,
                #"{"n":2,"_attachments":{"blob_/p":{"revpos":2}}}"#, #"{"n":2}"#,
                ["blob_/p": ["digest": "sha1-x", "revpos": 2] as JSONValue]
            ),
            (
                "attachments that nobody mentions", #"{"n":1,"_attachments":{"a":{"digest":"sha1-x"}}}"#, #"{"n":2}"#,
                #"{"n":2}"#, ["a": ["digest": "sha1-x"]]
            ),
            (
                "a blob that goes without a word", #"{"p":{"@type":"blob","digest":"sha1-x"},\#(Self.oneBlob)}"#,
                #"{"p":[]}"#, "{}", nil
            ),
            (
                "a blob that stays", #"{"n":1,"p":{"@type":"blob","digest":"\#(Self.digest)"},\#(Self.oneBlob)}"#,
                #"{"n":[]}"#, #"{"p":{"@type":"blob","digest":"\#(Self.digest)"}}"#, ["blob_/p": ["stub": true]]
            ),
            (
                "a blob with a name of its own", #"{"n":1,"p":\#(Self.blob),\#(Self.ownNames)}"#, #"{"n":[]}"#,
                #"{"p":\#(Self.blob)}"#, ["blob_0/p/\(Self.digest)": [:]]
            ),
            ("attachments that go", #"{"n":1,"_attachments":{"a":{}}}"#, #"{"_attachments":[]}"#, #"{"n":1}"#, nil),
        ] as [(String, String, String, String, JSONObject?)])
    func aDifferenceIsStoredAsTheWhole(
        name: String, source: String, delta: String, whole: String, attachments: JSONObject?
    ) throws {
        var client = PassiveTestClient(usesDeltas: true)
        let number = client.request(rev("a", from: "1-a"), delta)
        #expect(sources(client) == [DeltaSource(documentID: "a", revision: try revision("1-a"))])
        try client.complete(.sources([Array(source.utf8)]))
        let incoming = try #require(stored(client)?.first)
        #expect(String(decoding: incoming.body, as: UTF8.self) == whole)
        #expect(incoming.attachments?.object == attachments)
        #expect(incoming.revision.description == "2-b" && incoming.isFromDelta)
        try client.complete(.stored([.stored]))
        #expect(client.isAnswered(number))
        #expect(client.session.context.storeBytes == 0)
    }

    @Test(arguments: [
        ("the source is not here", String?.none, #"{"n":2}"#, 422),
        ("it does not fit", #"{"n":1}"#, #"{"n":{"x":1}}"#, 422),
        ("nothing to delete", #"{"n":1}"#, #"{"x":[]}"#, 422),
        ("no JSON", #"{"n":1}"#, #"{"n""#, 422),
        ("no object", #"{"n":1}"#, "[1]", 422),
        ("a text that is none", #"{"n":1}"#, #"{"n":["3=",0,2]}"#, 422),
        ("a reserved member", #"{"n":1}"#, #"{"_rev":"1-a"}"#, 404),
    ])
    func whatCannotBeMadeWholeIsRefused(name: String, source: String?, delta: String, status: Int) throws {
        var client = PassiveTestClient(usesDeltas: true)
        client.request(rev("a", from: "1-a"), delta)
        try client.complete(.sources([source.map { Array($0.utf8) }]))
        #expect(try client.failure().code == status)
        #expect(client.session.context.storeBytes == 0)
        // The whole follows, and is stored.
        client.request(rev("a", from: ""), #"{"n":2}"#)
        #expect(stored(client)?.first?.isFromDelta == false)
    }

    @Test func aSourceThatIsNoRevisionIsRefused() throws {
        var client = PassiveTestClient(usesDeltas: true)
        client.request(rev("a", from: "x"), "{}")
        #expect(try client.failure().code == 422)
    }

    @Test func aTombstoneIsNoDifference() throws {
        for uses in [true, false] {
            var client = PassiveTestClient(usesDeltas: uses)
            client.request(rev("a", from: "1-a", ["deleted": "1"]), "{}")
            #expect(stored(client)?.first?.isDeleted == true)
        }
    }

    @Test func sourcesThatCannotBeReadRefuseAll() throws {
        var client = PassiveTestClient(usesDeltas: true)
        client.request(rev("a", from: "1-a"), "{}")
        try client.complete(.failed(.http(503, message: "busy")))
        let error = BLIPErrorReply.http(503, message: "busy")
        #expect(client.failure(of: 1) == error)
        // Whether it is a refusal is the driver's to say.
        let noted = RefusedRevision(collection: 0, documentID: "a", revision: "2-b", error: error)
        #expect(client.actions.contains(.noteRefusal(noted)))
        #expect(client.session.context.storeBytes == 0)
    }

    @Test func theDriverMayReadFewerSourcesThanItWasAsked() throws {
        var client = PassiveTestClient(usesDeltas: true)
        client.request(rev("a", from: "1-a"), #"{"n":2}"#)
        let first = try client.job()
        for id in ["b", "c", "d"] { client.request(rev(id, from: "1-a"), #"{"n":2}"#) }
        client.complete(first, .sources([Array("{}".utf8)]))
        #expect(sources(client)?.map(\.documentID) == ["b", "c", "d"])
        let second = try #require(
            client.actions.compactMap { if case .loadSources(let id, _, _) = $0 { id } else { nil } }.first)
        client.complete(second, .sources([Array("{}".utf8)]))
        #expect(sources(client)?.map(\.documentID) == ["c", "d"])
    }

    @Test func fewBytesThatBecomeManyWaitForTheStore() throws {
        var client = PassiveTestClient(usesDeltas: true)
        let large = Array("{\"x\":\"\(String(repeating: "x", count: 20 << 20))\"}".utf8)
        client.request(rev("a", from: "1-a"), #"{"n":2}"#)
        try client.complete(.sources([large]))
        let store = try client.job()
        client.request(rev("b", from: "1-a"), #"{"n":2}"#)
        #expect(sources(client) == nil, "as long as there is no room")
        client.complete(store, .stored([.stored]))
        #expect(sources(client)?.map(\.documentID) == ["b"])
    }

    // MARK: - Pull

    /// A client to which `count` documents were announced, whose `changes` have these tags.
    private func announced(
        _ count: Int = 1, usesDeltas: Bool = true
    ) throws -> (client: PassiveTestClient, tags: [UInt64]) {
        var client = PassiveTestClient(usesDeltas: usesDeltas)
        client.request(["Profile": "subChanges", "batch": "200", "continuous": "true", "sendReplacementRevs": "true"])
        try client.complete(.done)
        try client.complete(
            .rows(
                (0..<count).map { ChangeRow(sequence: "\($0)", documentID: "d\($0)", revision: "2-b") },
                isCaughtUp: false))
        return (client, client.requests.map(\.tag))
    }

    private func requests(_ client: PassiveTestClient) -> [RevisionRequest]? {
        for case .loadRevisions(_, _, let requests, _) in client.actions { return requests }
        return nil
    }

    private func load(_ client: PassiveTestClient) throws -> JobID {
        try #require(
            client.actions.compactMap { if case .loadRevisions(let id, _, _, _) = $0 { id } else { nil } }.first)
    }

    private func delta(_ revision: String = "2-b", attachments: [String] = []) throws -> LoadedRevision {
        .delta(
            from: try self.revision("1-a"), revision: try self.revision(revision),
            history: RevisionHistory([try self.revision("1-a")]), body: Array(#"{"n":2}"#.utf8),
            attachments: attachments)
    }

    private func whole() throws -> LoadedRevision {
        .found(
            revision: try revision("2-b"), history: RevisionHistory([try revision("1-a")]), isDeleted: false,
            body: Array(Self.filler.utf8), attachments: [])
    }

    @Test(
        arguments: [
            ("both sides agree", true, "true", #"[["1-a","1-b"]]"#, "1-a"),
            ("the gateway does not", false, "true", #"[["1-a"]]"#, nil),
            ("the client does not", true, "", #"[["1-a"]]"#, nil),
            ("the client refuses", true, "false", #"[["1-a"]]"#, nil),
            ("the client has nothing", true, "true", "[[]]", nil),
            ("what it has is no revision", true, "true", #"[["x"]]"#, nil),
        ] as [(String, Bool, String, String, String?)])
    func aDifferenceIsRequestedWhere(
        name: String, uses: Bool, says: String, answer: String, source: String?
    ) throws {
        var (client, tags) = try announced(usesDeltas: uses)
        client.answer(tags[0], answer, ["deltas": says])
        #expect(requests(client)?.map { $0.deltaSource?.description } == [source])
    }

    @Test func theClientSaysItOnce() throws {
        var (client, tags) = try announced(300)
        client.answer(tags[0], #"[["1-a"]]"#, ["deltas": "true"])
        client.answer(tags[1], #"[["1-a"]]"#)
        #expect(requests(client)?.map { $0.deltaSource?.description } == ["1-a"])
    }

    @Test func aDifferenceIsSentAndItsAnswerWaitedFor() throws {
        for revision in ["2-b", "3-c"] {
            var (client, tags) = try announced()
            client.answer(tags[0], #"[["1-a"]]"#, ["deltas": "true"])
            client.complete(try load(client), .revisions([try delta(revision)]))
            let rev = try #require(client.requests.first)
            #expect(rev.request.properties["deltaSrc"] == "1-a" && rev.request.properties["rev"] == revision)
            #expect(rev.request.properties["history"] == "1-a" && rev.request.properties["sequence"] == "0")
            #expect(rev.request.properties["replacedRev"] == (revision == "2-b" ? nil : "2-b"))
            #expect(!rev.request.isNoReply)
            #expect(rev.request.body.inMemory == Array(#"{"n":2}"#.utf8))
            client.answer(rev.tag)
            #expect(client.session.context.revisions.openDeltas == 0 && client.requests.isEmpty)
        }
    }

    @Test(arguments: [
        (BLIPErrorReply.http(422), true), (.http(404), false), (BLIPErrorReply(domain: "LiteCore", code: 31), true),
        (BLIPErrorReply(domain: "LiteCore", code: 32), true), (.http(403), false), (.http(500), false),
        (BLIPErrorReply(domain: "LiteCore", code: 7), false),
    ])
    func aRefusedDifferenceIsFollowedByTheWhole(error: BLIPErrorReply, isRepeated: Bool) throws {
        var (client, tags) = try announced()
        client.answer(tags[0], #"[["1-a"]]"#, ["deltas": "true", "maxHistory": "5"])
        client.complete(try load(client), .revisions([try delta()]))
        let tag = try #require(client.requests.first?.tag)
        client.receive([.sent(tag: tag)])
        client.receive([.failure(tag: tag, error)])
        guard isRepeated else {
            #expect(requests(client) == nil && client.session.context.revisions.openDeltas == 0)
            return
        }
        #expect(requests(client)?.map(\.deltaSource) == [nil])
        client.complete(try load(client), .revisions([try whole()]))
        let rev = try #require(client.requests.first)
        #expect(rev.request.properties["deltaSrc"] == nil && rev.request.properties["sequence"] == "0")
        #expect(rev.request.properties["history"] == "1-a" && rev.request.isNoReply)
        client.receive([.sent(tag: rev.tag)])
        let revisions = client.session.context.revisions
        #expect(revisions.openBatches == 0 && revisions.unsentBytes == 0)
        #expect(client.session.collections[0].feed.isEmpty)
    }

    @Test func theWholeGoesOutAlsoWhileTwoBatchesAreOpen() throws {
        var (client, tags) = try announced(600)
        client.answer(tags[0], #"[["1-a"]]"#, ["deltas": "true"])
        client.complete(try load(client), .revisions([try delta()]))
        let tag = try #require(client.requests.first?.tag)
        client.receive([.sent(tag: tag)])
        #expect(client.session.context.revisions.openBatches == 2)
        client.receive([.failure(tag: tag, .http(422))])
        client.complete(try load(client), .revisions([try whole()]))
        #expect(client.requests.map(\.request.properties.profile) == ["rev"])
    }

    @Test func aDocumentThatIsStillOnItsWayIsNoBase() throws {
        var client = try announced(0).client
        var asked: [JobID] = []
        func step(_ change: () -> Void) {
            change()
            asked += client.actions.compactMap { if case .nextRows(let id, _, _) = $0 { id } else { nil } }
        }
        /// Announces the document and has it asked for; what is requested then.
        func announce(_ revision: String) throws -> RevisionRequest? {
            let row = ChangeRow(sequence: "1", documentID: "d", revision: revision)
            let last = asked.popLast()
            let job = try #require(last)
            step { client.complete(job, .rows([row], isCaughtUp: false)) }
            let tag = try #require(client.requests.first?.tag)
            step { client.answer(tag, #"[["1-a"]]"#, ["deltas": "true"]) }
            return requests(client)?.first
        }
        func send(_ job: JobID, _ revision: LoadedRevision) throws -> UInt64 {
            step { client.complete(job, .revisions([revision])) }
            let tag = try #require(client.requests.first?.tag)
            step { client.receive([.sent(tag: tag)]) }
            return tag
        }
        step {}
        #expect(try announce("2-b")?.deltaSource != nil)
        let job = try load(client)
        #expect(try announce("3-c")?.deltaSource == nil, "while it is loaded")
        _ = try send(try load(client), try whole())
        let open = try send(job, try delta())
        #expect(try announce("4-d")?.deltaSource == nil, "and until it is answered")
        _ = try send(try load(client), try whole())
        step { client.answer(open) }
        #expect(try announce("5-e")?.deltaSource != nil)
    }

    @Test func attachmentsMayBeReadWhileTheDifferenceIsOpen() throws {
        var (client, tags) = try announced()
        client.answer(tags[0], #"[["1-a"]]"#, ["deltas": "true"])
        client.complete(try load(client), .revisions([try delta(attachments: ["sha1-x"])]))
        let tag = try #require(client.requests.first?.tag)
        client.request(["Profile": "getAttachment", "digest": "sha1-x", "docID": "d0"])
        #expect(client.actions.contains { if case .serveAttachment = $0 { true } else { false } })
        client.answer(tag)
        client.request(["Profile": "getAttachment", "digest": "sha1-x", "docID": "d0"])
        #expect(try client.failure().code == 403)
    }

    @Test func aClientThatNeverAnswersGetsWholes() throws {
        var client = try announced(0).client
        let answer = "[" + (0..<200).map { _ in #"["1-a"]"# }.joined(separator: ",") + "]"
        var (rounds, sentDeltas, requestedLast) = (0, 0, Int.max)
        var work = client.actions[...]
        while let action = work.popFirst() {
            switch action {
            case .nextRows(let id, _, _):
                guard rounds < 8 else { continue }
                rounds += 1
                requestedLast = 0
                let rows = (0..<200).map { row in
                    ChangeRow(sequence: "\(row)", documentID: "d\(rounds)-\(row)", revision: "2-b")
                }
                client.complete(id, .rows(rows, isCaughtUp: false))
                work += client.actions
                client.answer(try #require(client.requests.first?.tag), answer, ["deltas": "true"])
                work += client.actions
            case .loadRevisions(let id, _, let requests, _):
                requestedLast += requests.count { $0.deltaSource != nil }
                client.complete(id, .revisions(try requests.map { try $0.deltaSource == nil ? whole() : delta() }))
                work += client.actions
                sentDeltas += client.requests.count { $0.request.properties["deltaSrc"] != nil }
                client.receive(client.requests.map { .sent(tag: $0.tag) })
                work += client.actions
            default: Issue.record("\(action)")
            }
        }
        #expect(rounds == 8 && requestedLast == 0)
        #expect(sentDeltas == PassiveLimits.openDeltas)
    }
}
