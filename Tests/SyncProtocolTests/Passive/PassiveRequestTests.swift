import BLIPProtocol
import DocumentValues
import SyncProtocol
import Testing

/// Collections, checkpoints, and requests that are refused.
@Suite struct PassiveRequestTests {
    // MARK: Collections

    @Test func getCollectionsNamesThem() throws {
        var client = PassiveTestClient()
        client.request(
            ["Profile": "getCollections"],
            #"{"checkpoint_ids":["cp-a","cp-b","cp-c"],"collections":["s.a","b","_default"]}"#)
        let names = [try CollectionName(scope: "s", name: "a"), try CollectionName(name: "b"), .default]
        let expected = PassiveAction.resolveCollections(
            try client.job(), names: names, checkpointIDs: ["cp-a", "cp-b", "cp-c"])
        #expect(client.actions == [expected])
        try client.complete(
            .collections([
                .known(checkpoint: nil, revision: nil), .unknown,
                .known(checkpoint: ["remote": 7], revision: "0-3"),
            ]))
        #expect(
            client.sent == [
                .response(
                    to: 1, properties: ["Content-Type": "application/json"],
                    body: .bytes(Array(#"[{},null,{"_rev":"0-3","remote":7,"rev":"0-3"}]"#.utf8)), isCompressed: true)
            ])
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"checkpoint_ids":["a"],"collections":[]}"#, #"{"checkpoint_ids":[1],"collections":["a"]}"#,
        #"{"checkpoint_ids":["a"],"collections":["a.b.c"]}"#, #"{"checkpoint_ids":["a"],"collections":["_x"]}"#,
        #"{"checkpoint_ids":[""],"collections":["a"]}"#, #"{"checkpoint_ids":["a","b"],"collections":["a","a"]}"#,
        #"{"checkpoint_ids":["a","b"],"collections":["_default","_default._default"]}"#,
    ])
    func aBadGetCollectionsIs400(body: String) throws {
        var client = PassiveTestClient()
        client.request(["Profile": "getCollections"], body)
        #expect(try client.failure().code == 400)
    }

    @Test func getCollectionsComesFirstAndOnce() throws {
        let body = #"{"checkpoint_ids":["a"],"collections":["a"]}"#
        var client = PassiveTestClient()
        client.request(["Profile": "getCollections"], body)
        client.request(["Profile": "getCollections"], body)
        #expect(try client.failure().code == 400)
        var late = PassiveTestClient()
        late.request(["Profile": "getCheckpoint", "client": "a"])
        late.request(["Profile": "getCollections"], body)
        #expect(try late.failure().code == 400)
    }

    @Test func requestsNameTheirCollection() throws {
        let text = { (client: PassiveTestClient) in try client.failure().message }
        var unnamed = PassiveTestClient()
        unnamed.request(["Profile": "getCheckpoint", "client": "a", "collection": "0"])
        #expect(try text(unnamed) == "Passing collection requires calling getCollections first")

        var named = PassiveTestClient()
        try named.name(["a", "b"])
        named.request(["Profile": "getCheckpoint", "client": "a"])
        #expect(
            try text(named)
                == "GetCollections already occurred, subsequent messages need a Collection property")
        for index in ["2", "-1", "x", "99999999999999999999"] {
            named.request(["Profile": "getCheckpoint", "client": "a", "collection": index])
            #expect(try named.failure().code == 400)
        }
        named.request(["Profile": "getCheckpoint", "client": "a", "collection": "1"])
        #expect(named.actions == [.loadCheckpoint(try named.job(), collection: 1, client: "a")])

        var none = PassiveTestClient(hasDefaultCollection: false)
        for profile in ["getCheckpoint", "subChanges", "proposeChanges", "rev"] {
            none.request(["Profile": profile, "client": "a"])
            #expect(
                try text(none)
                    == "Collection property not specified and default collection is not configured for this database")
        }
    }

    // MARK: Checkpoints

    @Test func checkpointsAreReadAndSaved() throws {
        var client = PassiveTestClient()
        client.request(["Profile": "getCheckpoint", "client": "cp"])
        try client.complete(.checkpoint(nil, revision: nil))
        #expect(try client.failure() == .http(404, message: "missing"))

        client.request(["Profile": "setCheckpoint", "client": "cp", "rev": ""], #"{"remote":5}"#)
        let expected = PassiveAction.saveCheckpoint(
            try client.job(), collection: 0, client: "cp", revision: nil, body: Array(#"{"remote":5}"#.utf8))
        #expect(client.actions == [expected])
        try client.complete(.saved(revision: "0-1"))
        #expect(client.sent == [.response(to: 2, properties: ["rev": "0-1"], body: .empty, isCompressed: false)])

        client.request(["Profile": "setCheckpoint", "client": "cp"], #"{"remote":6}"#)
        try client.complete(.failed(.http(409, message: "Document update conflict")))
        #expect(try client.failure() == .http(409, message: "Document update conflict"))

        client.request(["Profile": "getCheckpoint", "client": "cp"])
        try client.complete(.checkpoint(["time": 1, "remote": 5], revision: "0-1"))
        #expect(
            client.sent == [
                .response(
                    to: 4, properties: ["rev": "0-1", "Content-Type": "application/json"],
                    body: .bytes(Array(#"{"remote":5,"time":1}"#.utf8)), isCompressed: true)
            ])
    }

    @Test(
        arguments: [
            (["Profile": "getCheckpoint"], ""), (["Profile": "setCheckpoint", "rev": "0-1"], "{}"),
            (["Profile": "setCheckpoint", "client": "a"], ""), (["Profile": "setCheckpoint", "client": "a"], "[]"),
            (["Profile": "getCheckpoint", "client": String(repeating: "x", count: 300)], ""),
            (["Profile": "subChanges", "since": "x"], ""), (["Profile": "subChanges", "filter": "other"], ""),
            (["Profile": "subChanges", "filter": "sync_gateway/bychannel"], ""), (["Profile": "subChanges"], "[]"),
            (["Profile": "subChanges", "continuous": "true"], #"{"docIDs":["a"]}"#),
            (["Profile": "proposeChanges"], "{}"), (["Profile": "proposeChanges"], #"[["a"]]"#),
            (["Profile": "changes"], "nonsense"), (["Profile": "rev", "id": "a"], "{}"),
            (["Profile": "rev", "rev": "1-a"], "{}"),
            (["Profile": "rev", "id": "a", "rev": "x"], "{}"), (["Profile": "rev", "id": "a", "rev": "1-a"], "[]"),
            (["Profile": "rev", "id": "a", "rev": "1-a"], "{"),
            (["Profile": "rev", "id": "a", "rev": "1-a", "history": "x"], "{}"),
            (["Profile": "rev", "id": "a", "rev": "2-a", "deltaSrc": "1-a"], "{}"),
            (["Profile": "getAttachment"], ""), (["Profile": "getAttachment", "digest": "sha1-x"], ""),
            (["Profile": "getRev"], ""),
        ] as [(BLIPProperties, String)])
    func badRequestsAre400(properties: BLIPProperties, body: String) throws {
        var client = PassiveTestClient()
        client.request(properties, body)
        #expect(try client.failure().domain == "HTTP")
        #expect(try client.failure().code == 400)
        let others = client.actions.filter { if case .noteRefusal = $0 { false } else { true } }
        #expect(others.isEmpty)
    }

    @Test(arguments: [
        ("", 200), ("x", 200), ("0", 200), ("-5", 200), ("1", 1), ("10", 10), ("500", 500), ("1000", 1_000),
        ("9223372036854775807", 1_000),
    ])
    func batchesStayWithinBounds(asked: String, given: Int) throws {
        var client = PassiveTestClient()
        client.request(["Profile": "subChanges", "batch": asked])
        try client.complete(.done)
        guard case .nextRows(_, _, given)? = client.actions.first else {
            Issue.record("\(client.actions)")
            return
        }
    }

    @Test func anEmptyListOfDocumentsFiltersNothing() {
        for isContinuous in ["true", "false"] {
            var client = PassiveTestClient()
            client.request(["Profile": "subChanges", "continuous": isContinuous], #"{"docIDs":[]}"#)
            guard case .openFeed(_, _, let options, _)? = client.actions.first else {
                Issue.record("\(client.actions)")
                return
            }
            #expect(options.documentIDs == nil)
        }
    }

    @Test func unknownProfilesAreBLIP404() throws {
        var client = PassiveTestClient()
        for profile in ["query", "function", "proveAttachment", "x"] {
            client.request(["Profile": profile])
            #expect(try client.failure().domain == "BLIP")
            #expect(try client.failure().code == 404)
        }
    }

    @Test func requestsWithoutReplyGetNone() {
        var client = PassiveTestClient()
        client.request(["Profile": "x"], isNoReply: true)
        client.request(["Profile": "proposeChanges"], "[]", isNoReply: true)
        client.request(["Profile": "norev", "id": "a", "rev": "1-a", "error": "404"], isNoReply: true)
        client.request(["Profile": "getCheckpoint"], isNoReply: true)
        #expect(client.sent.isEmpty)
    }

    @Test func pingsAndEmptyAnnouncementsAreAnswered() {
        var client = PassiveTestClient()
        for (properties, body) in [
            (["Profile": "PING"], ""), (["Profile": "changes"], "null"), (["Profile": "unsubChanges"], ""),
        ] as [(BLIPProperties, String)] {
            let number = client.request(properties, body)
            #expect(client.isAnswered(number))
        }
    }

    @Test func nonEmptyChangesAreRefused() throws {
        var client = PassiveTestClient()
        client.request(["Profile": "changes"], #"[[1,"a","1-a"]]"#)
        #expect(try client.failure() == .http(409, message: "Use 'proposeChanges' instead"))
    }

    @Test func announcementsAreAnsweredWhereConflictsAreAllowed() throws {
        var client = PassiveTestClient(usesDeltas: true, allowsConflicts: true)
        client.request(["Profile": "changes"], #"[[1,"a","2-a"],[2,"b","1-b"],[3,"c","3-c",1],[4,"d","1-d"]]"#)
        guard case .checkAnnounced(_, 0, let rows)? = client.actions.first else {
            Issue.record("\(client.actions)")
            return
        }
        #expect(rows.map(\.revision) == ["2-a", "1-b", "3-c", "1-d"])
        try client.complete(
            .wanted([.wanted(ancestors: ["1-x"]), .unwanted, .wanted(ancestors: []), .unwanted]))
        #expect(
            client.sent == [
                .response(
                    to: 1, properties: ["deltas": "true"], body: .bytes(Array(#"[["1-x"],0,[]]"#.utf8)),
                    isCompressed: true)
            ])
        client.request(["Profile": "rev", "id": "a", "rev": "2-a", "history": "1-x", "noconflicts": "1"], "{}")
        guard case .storeRevisions(_, 0, let revisions)? = client.actions.first else {
            Issue.record("\(client.actions)")
            return
        }
        #expect(revisions.map(\.refusesConflicts) == [true])
    }

    /// A driver that has mixed up its jobs decides nothing about the rows.
    @Test(arguments: ["changes", "proposeChanges"]) func aResultWithTooFewElementsIsAnError(profile: String) throws {
        var client = PassiveTestClient(allowsConflicts: true)
        let rows = profile == "changes" ? #"[[1,"a","1-a"],[2,"b","1-b"]]"# : #"[["a","1-a"],["b","1-b"]]"#
        client.request(["Profile": profile], rows)
        try client.complete(profile == "changes" ? .wanted([.unwanted]) : .proposals([.known]))
        #expect(try client.failure().code == 500)
    }

    // MARK: proposeChanges and getRev

    @Test(arguments: [true, false]) func proposalsAreAnsweredWithTrailingZerosDropped(includesRev: Bool) throws {
        var client = PassiveTestClient()
        client.request(
            ["Profile": "proposeChanges", "conflictIncludesRev": includesRev ? "true" : "false"],
            #"[["a","1-a"],["b","2-b","1-a",44],["c","1-c","",2],["d","1-d"],["e","1-e"]]"#)
        guard case .checkProposed(_, 0, let rows)? = client.actions.first else {
            Issue.record("\(client.actions)")
            return
        }
        #expect(rows.map(\.documentID) == ["a", "b", "c", "d", "e"])
        #expect(rows.map(\.serverRevision) == ["", "1-a", "", "", ""])
        try client.complete(
            .proposals([.send, .conflict(serverRevision: "2-x"), .known, .rejected(403), .send]))
        let conflict = includesRev ? #"{"status":409,"rev":"2-x"}"# : "409"
        #expect(
            client.sent == [
                .response(
                    to: 1, properties: [:], body: .bytes(Array("[0,\(conflict),304,403]".utf8)), isCompressed: true)
            ])
    }

    @Test func getRevReadsTheCurrentRevision() throws {
        var client = PassiveTestClient()
        let found = LoadedRevision.found(
            revision: RevisionID(generation: 2, digest: "b"), history: RevisionHistory(), isDeleted: false,
            body: Array(#"{"a":1}"#.utf8), attachments: [])
        client.request(["Profile": "getRev", "id": "doc"])
        try client.complete(.revisions([found]))
        #expect(client.isAnswered(1))
        client.request(["Profile": "getRev", "id": "doc", "ifNotRev": "2-b"])
        try client.complete(.revisions([found]))
        #expect(try client.failure().code == 304)
        client.request(["Profile": "getRev", "id": "doc"])
        try client.complete(.revisions([.unavailable(404, "missing")]))
        #expect(try client.failure().code == 404)
        client.request(["Profile": "getRev", "id": "doc"])
        try client.complete(.revisions([.removed(RevisionHistory())]))
        #expect(try client.failure().code == 403)
    }
}
