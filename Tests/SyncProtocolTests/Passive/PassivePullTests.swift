import BLIPProtocol
import DocumentValues
import SyncModels
import SyncProtocol
import Testing

/// Feeds, batches, revisions.
@Suite struct PassivePullTests {
    private func rows(_ range: Range<Int>) -> [ChangeRow] {
        range.map { ChangeRow(sequence: "\($0)", documentID: "d\($0)", revision: "1-a") }
    }

    private func found(
        _ revision: String = "1-a", history: String = "", body: String = "{}", attachments: [String] = []
    )
        -> LoadedRevision
    {
        .found(
            revision: RevisionID(revision) ?? RevisionID(generation: 1, digest: "?"),
            history: RevisionHistory(parsing: history) ?? RevisionHistory(), isDeleted: false, body: Array(body.utf8),
            attachments: attachments)
    }

    /// A client whose feed is open and was asked for rows.
    private func subscribed(
        _ properties: BLIPProperties = [:], version: SyncSubprotocol = .version3
    ) throws -> PassiveTestClient {
        var client = PassiveTestClient(version)
        var all: BLIPProperties = ["Profile": "subChanges"]
        for property in properties { all.append(property.key, value: property.value) }
        client.request(all)
        try client.complete(.done)
        #expect(client.isAnswered(1))
        return client
    }

    /// Answers the one open batch with "send all", and gives the revisions.
    private func takeAll(_ client: inout PassiveTestClient, _ revisions: [LoadedRevision]) throws {
        let tag = try #require(client.requests.first?.tag)
        client.answer(tag, "[" + revisions.map { _ in "[]" }.joined(separator: ",") + "]")
        try client.complete(.revisions(revisions))
    }

    /// A filter is counted for as long as its feed lasts.
    @Test func filtersAreCounted() throws {
        let names = (0..<1_000).map { "channel\($0)" }
        var client = try subscribed(
            ["filter": "sync_gateway/bychannel", "channels": names.joined(separator: ","), "continuous": "true"])
        let bytes = client.session.filterBytes
        #expect(bytes >= 1_000 * SyncLimits.bytesOfFilterName + names.reduce(0) { $0 + $1.utf8.count })
        try client.complete(.rows(rows(0..<3), isCaughtUp: false))
        #expect(client.session.filterBytes == bytes)
        client.request(["Profile": "unsubChanges"])
        #expect(client.session.filterBytes == 0)
        let failed = try subscribed()
        #expect(failed.session.filterBytes == 0)
    }

    @Test func rowsAreAnnouncedAndTheirRevisionsSent() throws {
        var client = try subscribed(["batch": "50"])
        guard case .nextRows(_, _, 50)? = client.actions.first else {
            Issue.record("\(client.actions)")
            return
        }
        try client.complete(
            .rows(
                [
                    ChangeRow(sequence: "1", documentID: "a", revision: "1-a"),
                    ChangeRow(sequence: "\"7:2\"", documentID: "b", revision: "3-c"),
                    ChangeRow(sequence: "3", documentID: "c", revision: "1-c", flags: .revoked),
                ], isCaughtUp: true))
        let messages = client.requests
        #expect(
            messages.map { String(decoding: $0.request.body.inMemory, as: UTF8.self) } == [
                #"[[1,"a","1-a"],["7:2","b","3-c"],[3,"c","1-c",2]]"#, "null",
            ])
        #expect(messages.map(\.request.isNoReply) == [false, true])

        client.answer(messages[0].tag, #"[0,["1-x"]]"#, ["maxHistory": "50"])
        try client.complete(.revisions([found("3-c", history: "2-y,1-x,1-w", body: #"{"n":1}"#)]))
        #expect(client.requests.count == 1)
        let rev = client.requests[0].request
        #expect(rev.properties["id"] == "b")
        #expect(rev.properties["sequence"] == "\"7:2\"")
        #expect(rev.properties["history"] == "2-y,1-x")
        #expect(rev.properties["collection"] == nil)
        #expect(rev.isNoReply && rev.isCompressed)
        #expect(rev.body.inMemory == Array(#"{"n":1}"#.utf8))
    }

    @Test func historyStopsAtMaxHistory() throws {
        var client = try subscribed()
        try client.complete(.rows(rows(0..<1), isCaughtUp: true))
        client.answer(client.requests[0].tag, "[[]]", ["maxHistory": "2"])
        try client.complete(.revisions([found("1-a", history: "5-e,4-d,3-c,2-b")]))
        #expect(client.requests[0].request.properties["history"] == "5-e,4-d")
    }

    @Test func aNewerRevisionReplacesTheOneAskedFor() throws {
        for accepts in ["true", "1", "false"] {
            var client = try subscribed(["sendReplacementRevs": accepts])
            try client.complete(.rows(rows(0..<1), isCaughtUp: true))
            try takeAll(&client, [found("2-b", history: "1-a")])
            let message = client.requests[0].request
            if accepts == "false" {
                #expect(message.properties.profile == "norev")
                #expect(message.properties["error"] == "404")
                #expect(message.properties["sequence"] == "0")
            } else {
                #expect(message.properties["rev"] == "2-b")
                #expect(message.properties["replacedRev"] == "1-a")
            }
        }
    }

    @Test func whatIsGoneOrHiddenIsSaid() throws {
        var client = try subscribed()
        try client.complete(.rows(rows(0..<2), isCaughtUp: true))
        try takeAll(
            &client,
            [.unavailable(404, "missing"), .removed(RevisionHistory([RevisionID(generation: 1, digest: "z")]))])
        #expect(client.requests.map(\.request.properties.profile) == ["norev", "rev"])
        #expect(client.requests.allSatisfy { $0.request.isNoReply })
        #expect(client.requests[1].request.body.inMemory == Array(#"{"_removed":true}"#.utf8))
        #expect(client.requests[1].request.properties["history"] == "1-z")
    }

    @Test func versionTwoKnowsDeletionsOnly() throws {
        var client = try subscribed(version: .version2)
        try client.complete(
            .rows(
                [
                    ChangeRow(sequence: "1", documentID: "a", revision: "1-a", flags: [.deleted, .removed]),
                    ChangeRow(sequence: "2", documentID: "b", revision: "1-b", flags: .removed),
                ], isCaughtUp: true))
        #expect(client.requests[0].request.body.inMemory == Array(#"[[1,"a","1-a",true],[2,"b","1-b"]]"#.utf8))
    }

    @Test func atMostTwoBatchesAreOpen() throws {
        var client = try subscribed(["batch": "10"])
        try client.complete(.rows(rows(0..<35), isCaughtUp: false))
        #expect(client.requests.count == 2)
        #expect(client.actions.isEmpty)
        let (first, second) = (client.requests[0].tag, client.requests[1].tag)
        // A batch of which nothing is wanted makes room at once.
        client.answer(first, "[]")
        #expect(client.requests.count == 1)
        // One of which something is wanted only when the last revision is on its way.
        client.answer(second, "[[],[]]")
        try client.complete(.revisions([found(), found()]))
        #expect(client.requests.map(\.request.properties.profile) == ["rev", "rev"])
        let revs = client.requests.map(\.tag)
        client.receive([.sent(tag: revs[0])])
        #expect(client.requests.isEmpty)
        client.receive([.sent(tag: revs[1])])
        #expect(client.requests.map(\.request.properties.profile) == ["changes"])
    }

    @Test func theNextRowsAreReadWhenTheLastAreAnnounced() throws {
        var client = try subscribed(["batch": "10"])
        try client.complete(.rows(rows(0..<10), isCaughtUp: false))
        // One batch is open: rows for the second are asked for already.
        #expect(client.actions.compactMap(\.job).count == 1)
        try client.complete(.rows(rows(10..<20), isCaughtUp: false))
        #expect(client.actions.isEmpty)
    }

    @Test func aRefusedBatchIsPassedOver() throws {
        var client = try subscribed(["batch": "10"])
        try client.complete(.rows(rows(0..<25), isCaughtUp: true))
        client.receive([.failure(tag: client.requests[0].tag, .http(500))])
        // The last five rows, and then that there are no more.
        #expect(client.requests.map(\.request.isNoReply) == [false, true])
    }

    @Test func caughtUpIsAnnouncedOnce() throws {
        var client = try subscribed(["continuous": "true"])
        try client.complete(.rows([], isCaughtUp: true))
        #expect(client.requests.map { $0.request.body.inMemory } == [Array("null".utf8)])
        try client.complete(.rows(rows(0..<1), isCaughtUp: true))
        #expect(client.requests.count == 1 && !client.requests[0].request.isNoReply)
    }

    @Test func aOneShotFeedEndsAndMakesRoomForAnother() throws {
        var client = try subscribed()
        client.request(["Profile": "subChanges"])
        #expect(try client.failure().code == 500)
        // The refused request took the step's actions; the feed's job is the third number given out.
        var other = try subscribed()
        try other.complete(.rows([], isCaughtUp: true))
        guard case .closeFeed? = other.actions.first else {
            Issue.record("\(other.actions)")
            return
        }
        other.request(["Profile": "subChanges"])
        #expect(other.actions.count == 1)
    }

    @Test func rowsOfAClosedFeedAreNotAnnounced() throws {
        var client = try subscribed(["continuous": "true"])
        let old = try client.job()
        client.request(["Profile": "unsubChanges"])
        #expect(client.isAnswered(2))
        client.request(["Profile": "subChanges"])
        let opening = try client.job()
        client.complete(old, .rows(rows(0..<3), isCaughtUp: true))
        #expect(client.sent.isEmpty)
        client.complete(opening, .done)
        #expect(client.isAnswered(3))
    }

    @Test func feedsThatAreGivenUpAreLimited() throws {
        var client = PassiveTestClient()
        var refused = false
        for _ in 0..<20 {
            client.request(["Profile": "subChanges", "continuous": "true"])
            guard !client.actions.isEmpty else {
                refused = try client.failure().code == 503
                break
            }
            try client.complete(.done)
            client.request(["Profile": "unsubChanges"])
        }
        #expect(refused)
    }

    /// What went wrong inside is nobody's business; that the database has changed is.
    @Test(arguments: [
        (BLIPErrorReply.http(500, message: "disk"), "The changes feed failed"),
        (.http(503, message: "It has changed"), "It has changed"),
    ])
    func aFeedThatFailsEndsTheConnection(error: BLIPErrorReply, message: String) throws {
        var client = try subscribed()
        try client.complete(.failed(error))
        guard case .close(4001, let reason)? = client.actions.first else {
            Issue.record("\(client.actions)")
            return
        }
        #expect(reason == message)
        client.request(["Profile": "PING"])
        #expect(
            client.sent.isEmpty && client.actions.isEmpty, "a session that has closed its connection does nothing more")
    }

    @Test func rowsThatNoClientCouldReadAreLeftOut() throws {
        var client = try subscribed()
        try client.complete(
            .rows(
                ["", "a\0b", String(repeating: "x", count: 256), "good"].map {
                    ChangeRow(sequence: "1", documentID: $0, revision: "1-a")
                }, isCaughtUp: true))
        #expect(client.requests[0].request.body.inMemory == Array(#"[[1,"good","1-a"]]"#.utf8))
    }

    @Test func largeRevisionsAreLoadedFewAtATime() throws {
        var client = try subscribed()
        try client.complete(.rows(rows(0..<200), isCaughtUp: true))
        client.answer(client.requests[0].tag, "[" + (0..<200).map { _ in "[]" }.joined(separator: ",") + "]")
        let body = "{\"x\":\"" + String(repeating: "x", count: 1 << 20) + "\"}"
        var loads: [Int] = []
        var unsent: [UInt64] = []
        var mostUnsent = 0
        while loads.reduce(0, +) < 200 {
            if case .loadRevisions(let id, _, let requests, _)? = client.actions.first {
                loads.append(requests.count)
                client.complete(id, .revisions(requests.map { _ in found(body: body) }))
                unsent += client.requests.map(\.tag)
                if loads.count > 1 { mostUnsent = max(mostUnsent, unsent.count) }
            } else {
                try #require(!unsent.isEmpty)
                client.receive(unsent.map { .sent(tag: $0) })
                unsent = []
            }
        }
        // The first load is a guess; from then on no more than about 8 MiB are held.
        #expect(loads[0] <= 32)
        #expect(loads.dropFirst().allSatisfy { $0 <= 4 })
        #expect(mostUnsent <= 8)
    }

    /// How many revisions of 40 KB are loaded next, by the room that the driver has and by how many wait to be sent.
    @Test(arguments: [
        (room: Int.max, unsent: 0, count: 104), (room: 4 << 20, unsent: 20, count: 104),
        (room: 400_000, unsent: 20, count: 10), (room: 65_536, unsent: 20, count: 1),
        (room: 65_535, unsent: 20, count: 0), (room: 0, unsent: 1, count: 0), (room: 0, unsent: 0, count: 1),
        (room: -1_000_000, unsent: 0, count: 1), (room: -1_000_000, unsent: 1, count: 0),
    ])
    func withoutRoomLittleIsLoaded(room: Int, unsent: Int, count: Int) throws {
        var client = try subscribed()
        let revision = found(body: "{\"x\":\"" + String(repeating: "x", count: 39_992) + "\"}")
        try client.complete(.rows(rows(0..<200), isCaughtUp: true))
        let tag = try #require(client.requests.first?.tag)
        client.room = 0
        client.answer(tag, "[" + (0..<200).map { _ in "[]" }.joined(separator: ",") + "]")
        // One at a time, from which the size of the next is known.
        try client.complete(.revisions([revision]))
        client.receive(client.requests.map { .sent(tag: $0.tag) })
        try client.complete(.revisions([revision]))
        client.room = unsent == 0 ? room : unsent * 40_000
        client.receive(client.requests.map { .sent(tag: $0.tag) })
        if unsent > 0 {
            client.room = room
            try client.complete(.revisions((0..<unsent).map { _ in revision }))
        }
        let loads = client.actions.compactMap { action -> (count: Int, bytes: Int)? in
            if case .loadRevisions(_, _, let requests, let bytes) = action { (requests.count, bytes) } else { nil }
        }
        #expect(loads.map(\.count) == (count == 0 ? [] : [count]))
        #expect(loads.allSatisfy { $0.bytes == max(65_536, min(room, 4 << 20)) })
        // What waits is what was loaded and what is being loaded, by its size so far.
        #expect(client.session.bytesToSend == (unsent + count) * 40_000)
    }

    /// Clients that leave everything unread get on one revision at a time.
    @Test func withoutRoomEverythingIsSentInTheEnd() throws {
        var client = try subscribed()
        client.room = -1
        try client.complete(.rows(rows(0..<30), isCaughtUp: true))
        client.answer(client.requests[0].tag, "[" + (0..<30).map { _ in "[]" }.joined(separator: ",") + "]")
        var count = 0
        while case .loadRevisions(let id, _, let requests, _)? = client.actions.first {
            #expect(requests.count == 1)
            client.complete(id, .revisions([found(body: "{\"x\":\"" + String(repeating: "x", count: 70_000) + "\"}")]))
            #expect(client.actions.isEmpty)
            count += 1
            client.receive(client.requests.map { .sent(tag: $0.tag) })
        }
        #expect(count == 30)
        #expect(client.session.bytesToSend == 0)
    }

    // MARK: Attachments

    @Test func attachmentsMayBeReadWhileTheirRevisionIsOpen() throws {
        var client = try subscribed()
        try client.complete(.rows(rows(0..<1), isCaughtUp: true))
        try takeAll(&client, [found(body: #"{"_attachments":{}}"#, attachments: ["sha1-x"])])
        let rev = client.requests[0]
        #expect(!rev.request.isNoReply)
        let ask: BLIPProperties = [
            "Profile": "getAttachment", "digest": "sha1-x", "docID": "d0", "compress": "true",
        ]
        let number = client.request(ask)
        #expect(
            client.actions == [
                .serveAttachment(number: number, collection: 0, documentID: "d0", digest: "sha1-x", compresses: true)
            ])
        for (digest, document) in [("sha1-y", "d0"), ("sha1-x", "d1")] {
            client.request(["Profile": "getAttachment", "digest": digest, "docID": document])
            #expect(try client.failure() == .http(403, message: "Attachment's doc not being synced"))
        }
        client.answer(rev.tag)
        client.request(ask)
        #expect(try client.failure().code == 403)
    }

    @Test func versionTwoNamesNoDocument() throws {
        var client = try subscribed(version: .version2)
        try client.complete(.rows(rows(0..<1), isCaughtUp: true))
        try takeAll(&client, [found(attachments: ["sha1-x"])])
        client.request(["Profile": "getAttachment", "digest": "sha1-x"])
        guard case .serveAttachment(_, 0, "d0", "sha1-x", false)? = client.actions.first else {
            Issue.record("\(client.actions)")
            return
        }
        client.request(["Profile": "getAttachment", "digest": "sha1-y"])
        #expect(try client.failure().code == 403)
    }
}
