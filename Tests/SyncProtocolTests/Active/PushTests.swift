import BLIPProtocol
import DocumentValues
import SyncModels
import Testing

@testable import SyncProtocol

@Suite struct PushTests {
    private func client(_ ids: String...) -> ModelClient {
        var client = ModelClient(collections: 1)
        for id in ids { client.edit(id, in: 0, body: #"{"id":"\#(id)"}"#) }
        return client
    }

    private func ids(_ messages: [BLIPMessage]) -> [String] { messages.compactMap { $0.properties["id"] } }

    @Test func proposesThenSendsWhatIsWanted() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, client("a", "b", "c"))
        let proposed = try ProposeChanges(try #require(gateway.sent(.proposeChanges).first))
        #expect(proposed.rows.map(\.documentID) == ["a", "b", "c"])
        #expect(gateway.sent(.rev).isEmpty)
        try gateway.answer(.proposeChanges, [:], "[0,304]")
        #expect(ids(gateway.sent(.rev)) == ["a", "c"])
        try gateway.answer(.rev)
        #expect(gateway.peer.closing == nil)
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.code == 1000)
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.store.collections[0].documents.values.allSatisfy { $0.remote == $0.current.id })
        // What the gateway had already is no event.
        #expect(gateway.peer.events.map(\.documentID) == ["a", "c"])
    }

    @Test func withNothingToPushItSaysSo() throws {
        let gateway = try ScriptedGateway.opened(pulls: false)
        let message = try #require(gateway.sent(.proposeChanges).first)
        #expect(message.isNoReply && message.isUrgent && !message.isCompressed)
        #expect(message.bodyBytes == Array("[]".utf8))
        #expect(gateway.peer.closing?.code == 1000)
    }

    @Test func whatWasRefusedIsTriedAgainAfterAWhile() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, client("a", "b"))
        try gateway.answer(.proposeChanges, [:], "[403,413]")
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.map(\.failure?.code) == [403, 413])
        for isAllowed in [false, true] {
            gateway.wake()
            let proposed = try ProposeChanges(try #require(gateway.sent(.proposeChanges).last))
            #expect(proposed.rows.map(\.documentID) == ["a"], "what is too large stays so")
            try gateway.answer(.proposeChanges, [:], isAllowed ? "[]" : "[403]")
            #expect(gateway.peer.events.count == 2, "the same refusal is not reported again")
        }
        try gateway.answer(.rev)
        #expect(gateway.peer.events.last?.failure == nil)
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
    }

    @Test func aForbiddenDocumentIsTriedTwice() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, client("a", "b"))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        #expect(gateway.sent(.proposeChanges).isEmpty, "the retry waits until all else is done")
        try gateway.answer(.rev)
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.filter { $0.failure != nil }.map(\.documentID) == ["a"])
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
        let checkpoint = try #require(gateway.peer.store.collections[0].checkpoint)
        #expect(Checkpoint(parsing: checkpoint)?.completed.through == 2)
    }

    /// Nothing has changed what the user may do: neither an acceptance nor the rows of old access changes.
    @Test(arguments: [false, true]) func aForbiddenDocumentAloneIsSentOnce(pulls: Bool) throws {
        var gateway = try ScriptedGateway.opened(pulls: pulls, client("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        if pulls {
            _ = gateway.announce(#"[["7:3","b","1-bb"]]"#)
            gateway.sendRev("b", "1-bb", sequence: #""7:3""#)
            gateway.announceCaughtUp()
        }
        #expect(gateway.sent(.proposeChanges).allSatisfy(\.isNoReply) && gateway.sent(.rev).isEmpty)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.filter(\.isPush).map(\.failure?.code) == [403])
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
    }

    @Test func whatWasForbiddenIsTriedAgainInSilence() throws {
        var client = client("a")
        client.reject("a", in: 0)
        client.collections[0].checkpoint = Array(#"{"local":1}"#.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"], pulls: false), client)
        try gateway.answer(.getCollections, [:], #"[{"_rev":"0-1","local":1}]"#)
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.isEmpty)
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
    }

    /// Who asks for another try hears what comes of it.
    @Test func whatIsOfferedAgainIsReportedAgain() throws {
        var client = client("a")
        client.reject("a", in: 0)
        client.offerAgain("a", in: 0)
        client.collections[0].checkpoint = Array(#"{"local":1}"#.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"], pulls: false), client)
        try gateway.answer(.getCollections, [:], #"[{"_rev":"0-1","local":1}]"#)
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(403, message: "no"))
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.map(\.failure?.code) == [403])
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
        let checkpoint = try #require(gateway.peer.store.collections[0].checkpoint)
        #expect(Checkpoint(parsing: checkpoint)?.completed.through == 2)
    }

    @Test(arguments: [401, 404, 409, 413, 422, 500]) func otherRefusalsAreFinal(status: Int) throws {
        var gateway = try ScriptedGateway.opened(pulls: false, client("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(status, message: "no"))
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.map(\.failure?.code) == [status])
        #expect(gateway.peer.closing?.failure == nil)
    }

    @Test func anOverloadedGatewayEndsTheSessionAndKeepsTheDocument() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, client("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(503, message: "busy"))
        #expect(gateway.peer.closing?.code == 4001)
        #expect(gateway.peer.closing?.failure?.isTransient == true)
        #expect(gateway.peer.store.collections[0].checkpoint == nil)
    }

    /// On a good network a connection lasts for days.
    @Test(arguments: [408, 429, 502, 504]) func whatMayPassIsTriedAgainWhileTheSessionGoesOn(status: Int) throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, client("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        for _ in 0..<2 {
            try gateway.refuse(.rev, .http(status, message: "later"))
            try gateway.settle(until: gateway.peer.now + ActiveLimits.refusalRetry)
            #expect(gateway.peer.events.map(\.failure?.code) == [status], "it is reported once")
            try gateway.answer(.proposeChanges, [:], "[]")
        }
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing == nil)
        #expect(gateway.peer.events.map(\.failure?.code) == [status, nil])
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
    }

    /// Without retries of refusals, too: the session would never send the document.
    @Test func postponedDocumentsAreTriedAgainEvenIfRefusedOnesAreNot() throws {
        var configuration = try ActiveConfiguration.test(["field.sites"], pulls: false, isContinuous: true)
        configuration.retriesRefusals = false
        var gateway = ScriptedGateway(configuration, client("a", "b"))
        try gateway.answer(.getCollections, [:], "[{}]")
        try gateway.answer(.proposeChanges, [:], "[429,403]")
        try gateway.settle(until: gateway.peer.now + ActiveLimits.refusalRetry)
        let proposed = try ProposeChanges(try #require(gateway.sent(.proposeChanges).last))
        #expect(proposed.rows.map(\.documentID) == ["a"])
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.answer(.rev)
        try gateway.settle(until: gateway.peer.now + 2 * ActiveLimits.refusalRetry)
        #expect(!gateway.sent(.proposeChanges).contains { !$0.isNoReply })
        #expect(gateway.peer.events.map(\.failure?.code) == [429, 403, nil])
    }

    /// A change is not held back by what the gateway could not take, and is sent once.
    @Test func aChangeOvertakesWhatIsToBeTriedAgain() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, client("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.refuse(.rev, .http(429, message: "later"))
        gateway.edit("a", #"{"n":2}"#)
        try gateway.answer(.proposeChanges, [:], "[]")
        try gateway.answer(.rev)
        try gateway.settle(until: gateway.peer.now + 2 * ActiveLimits.refusalRetry)
        #expect(gateway.sent(.proposeChanges).allSatisfy(\.isNoReply) && gateway.sent(.rev).isEmpty)
        #expect(gateway.peer.events.map(\.failure?.code) == [429, nil])
    }

    @Test func aConflictWithARevisionThatIsAnAncestorIsNone() throws {
        var client = client("a")
        let first = try #require(client.collections[0].documents["a"]?.current.id)
        client.edit("a", in: 0, body: "{}")
        var gateway = try ScriptedGateway.opened(pulls: false, client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"\#(first)"}]"#)
        let rows = try ProposeChanges(try #require(gateway.sent(.proposeChanges).first)).rows
        #expect(rows.map(\.serverRevision) == [first.description])
        try gateway.answer(.proposeChanges)
        #expect(gateway.sent(.rev).first?.properties["history"] == first.description)
    }

    /// The gateway has `1-other`, against which another gateway's revision has won.
    private func onAnotherBranch() throws -> (client: ModelClient, branch: RevisionID) {
        var client = client("a")
        client.collections[0].documents["a"]?.remote = RevisionID("1-other")
        let body = try #require(client.collections[0].documents["a"]?.current.body)
        return (
            client,
            RevisionDigest.clientRevision(parent: RevisionID("1-other"), body: body, isDeleted: false)
        )
    }

    @Test(arguments: [true, false]) func whatWonElsewhereIsSentAsAChildOfWhatIsThere(isRemembered: Bool) throws {
        var (client, branch) = try onAnotherBranch()
        // A gateway that has lost its checkpoint may have lost more; it says itself what it has.
        if !isRemembered { client.collections[0].checkpoint = Array(#"{"local":1}"#.utf8) }
        var gateway = try ScriptedGateway.opened(client)
        let rows = try ProposeChanges(try #require(gateway.sent(.proposeChanges).first)).rows
        #expect(rows.map(\.serverRevision) == [isRemembered ? "1-other" : ""])
        if !isRemembered { try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-other"}]"#) }
        try gateway.answer(.proposeChanges)
        let rev = try #require(gateway.sent(.rev).first?.properties)
        #expect(rev["rev"] == branch.description && rev["history"] == "1-other")
        try gateway.answer(.rev)
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.map(\.failure) == [nil])
        let document = try #require(gateway.peer.store.collections[0].documents["a"])
        #expect(document.remote == branch && document.localRevision == document.current.id)
    }

    /// The acknowledgement of an earlier push was lost.
    @Test func whatTheGatewayHasUnderAnotherNameIsNotSentAgain() throws {
        let (client, branch) = try onAnotherBranch()
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"\#(branch)"}]"#)
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.sent(.rev).isEmpty && gateway.peer.events.isEmpty)
        #expect(gateway.peer.closing?.failure == nil)
        let document = try #require(gateway.peer.store.collections[0].documents["a"])
        #expect(document.remote == branch && document.localRevision == document.current.id)
    }

    /// Before the proposal is answered, or after it was answered with another revision.
    @Test(arguments: [true, false]) func whatThePullBringsUnderAnotherNameIsNotSent(isApproved: Bool) throws {
        var (client, _) = try onAnotherBranch()
        client.repeated = ["a"]
        var gateway = try ScriptedGateway.opened(client)
        if !isApproved { try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"2-cc"}]"#) }
        _ = gateway.announce(#"[[7,"a","2-cc"]]"#)
        gateway.sendRev("a", "2-cc", sequence: "7")
        if isApproved { try gateway.answer(.proposeChanges) }
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.sent(.rev).isEmpty && gateway.sent(.proposeChanges).isEmpty)
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.isEmpty, "nothing came, and nothing went")
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
        #expect(gateway.peer.store.collections[0].documents["a"]?.remote == RevisionID("2-cc"))
    }

    @Test func withoutAPullAConflictIsAnError() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, client("a"))
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-other"}]"#)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.map(\.failure?.code) == [409])
        #expect(gateway.peer.closing?.failure == nil)
    }

    /// An application may take its own document away when it hears of the other one.
    @Test func aConflictEndsWithTheDocumentThatWasInIt() throws {
        var gateway = try ScriptedGateway.opened(client("a"))
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        gateway.peer.store.collections[0].documents["a"] = nil
        _ = gateway.announce(#"[[7,"a","1-bb"]]"#)
        gateway.sendRev("a", "1-bb", sequence: "7")
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.map(\.failure) == [nil], "it came, and nothing was refused")
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
    }

    /// It says by that that something live has the id, which is no ancestor.
    @Test func aDeletionThatTheGatewayNamesAsItsOwnRevisionIsInConflict() throws {
        var client = client("a")
        client.share("a", in: 0)
        client.edit("a", in: 0, isDeleted: true)
        let deletion = try #require(client.collections[0].documents["a"]?.current.id)
        var gateway = try ScriptedGateway.opened(pulls: false, client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"\#(deletion)"}]"#)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.events.map(\.failure?.code) == [409])
        #expect(gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.store.collections[0].documents["a"]?.isKnownToRemote == false)
    }

    @Test func aWonConflictIsPushedByTheSameRun() throws {
        var client = client("a")
        client.edit("a", in: 0, body: "{}")
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        _ = gateway.announce(#"[[7,"a","1-bb"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "1-bb", sequence: "7")
        let rows = try ProposeChanges(try #require(gateway.sent(.proposeChanges).last)).rows
        #expect(rows.map(\.serverRevision) == ["1-bb"])
        try gateway.answer(.proposeChanges)
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.filter { $0.isPush }.map(\.failure) == [nil], "no refusal is reported")
        let document = try #require(gateway.peer.store.collections[0].documents["a"])
        #expect(document.current.history.ancestors.first == RevisionID("1-bb"))
        #expect(document.isKnownToRemote)
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
    }

    /// A deletion here meets an edit there: the tombstone goes on top of the edit, in the same run.
    @Test func aDeletionThatWonIsPushedByTheSameRun() throws {
        var client = client("a")
        client.share("a", in: 0)
        client.edit("a", in: 0, isDeleted: true)
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"2-bb"}]"#)
        _ = gateway.announce(#"[[7,"a","2-bb"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "2-bb", sequence: "7")
        try gateway.answer(.proposeChanges)
        #expect(gateway.sent(.rev).first?.properties["deleted"] == "1")
        try gateway.answer(.rev)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.allSatisfy { $0.failure == nil })
        #expect(gateway.peer.store.collections[0].documents["a"]?.isKnownToRemote == true)
    }

    /// Nothing of what the gateway has is proposed again.
    @Test func aLostConflictNeedsNoSecondPush() throws {
        var client = client("a")
        client.share("a", in: 0)
        client.edit("a", in: 0, body: "{}")
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"3-ff"}]"#)
        _ = gateway.announce(#"[[7,"a","3-ff"]]"#)
        gateway.announceCaughtUp()
        gateway.sendRev("a", "3-ff", sequence: "7")
        #expect(gateway.sent(.proposeChanges).isEmpty)
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.allSatisfy { $0.failure == nil })
    }

    /// Somebody saves at the gateway after it has asked for our revision.
    @Test(arguments: [true, false]) func aRevisionThatCameTooLateIsAConflict(isBrought: Bool) throws {
        var client = client("a")
        client.edit("a", in: 0, body: "{}")
        var gateway = try ScriptedGateway.opened(client)
        try gateway.answer(.proposeChanges)
        try gateway.refuse(.rev, .http(409, message: "Document update conflict"))
        #expect(gateway.peer.events.isEmpty, "it is not settled yet")
        if isBrought {
            _ = gateway.announce(#"[[7,"a","1-bb"]]"#)
            gateway.sendRev("a", "1-bb", sequence: "7")
        }
        gateway.announceCaughtUp()
        if isBrought {
            try gateway.answer(.proposeChanges)
            try gateway.answer(.rev)
        }
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.closing?.failure == nil)
        #expect(gateway.peer.events.filter { $0.isPush }.map(\.failure?.code) == [isBrought ? nil : 409])
        #expect(gateway.peer.store.collections[0].rejected.isEmpty == isBrought)
    }

    @Test func aConflictThatThePullDoesNotBringStaysInTheOutbox() throws {
        var gateway = try ScriptedGateway.opened(client("a"))
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        gateway.announceCaughtUp()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil)
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
    }

    @Test func aConflictThatThePullDoesNotBringIsReportedWhileTheSessionGoesOn() throws {
        var gateway = try ScriptedGateway.opened(isContinuous: true, client("a"))
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        let start = gateway.peer.now
        // Not before the pull has had its chance.
        try gateway.settle(until: start + ActiveLimits.conflictReportDelay)
        #expect(gateway.peer.events.isEmpty && gateway.peer.store.collections[0].rejected.isEmpty)
        gateway.announceCaughtUp()
        #expect(gateway.peer.events.map(\.failure?.code) == [409])
        #expect(gateway.peer.store.collections[0].rejected.keys.sorted() == ["a"])
        // It is tried again like all that may pass, and reported once.
        try gateway.settle(until: start + 2 * ActiveLimits.refusalRetry)
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        try gateway.settle(until: gateway.peer.now + ActiveLimits.conflictReportDelay)
        #expect(gateway.peer.events.count == 1 && gateway.peer.closing == nil)
        // Here it comes after all, with the rights to see it.
        _ = gateway.announce(#"[[7,"a","1-bb"]]"#)
        gateway.sendRev("a", "1-bb", sequence: "7")
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
        #expect(gateway.peer.store.collections[0].documents["a"]?.remote == RevisionID("1-bb"))
        gateway.stop()
        try gateway.takeCheckpoints()
        #expect(gateway.peer.closing != nil && gateway.peer.events.filter { $0.failure != nil }.count == 1)
    }

    @Test func aConflictThatThePullBringsInTimeIsNotReported() throws {
        var gateway = try ScriptedGateway.opened(isContinuous: true, client("a"))
        gateway.announceCaughtUp()
        try gateway.answer(.proposeChanges, [:], #"[{"status":409,"rev":"1-bb"}]"#)
        let start = gateway.peer.now
        try gateway.settle(until: start + ActiveLimits.conflictReportDelay - 1)
        _ = gateway.announce(#"[[7,"a","1-bb"]]"#)
        // What is announced is waited for, however long it takes.
        gateway.peer.now = start + 2 * ActiveLimits.conflictReportDelay
        gateway.edit("b")
        #expect(gateway.peer.events.isEmpty)
        gateway.sendRev("a", "1-bb", sequence: "7")
        try gateway.settle(until: gateway.peer.now + 2 * ActiveLimits.conflictReportDelay)
        #expect(gateway.peer.events.allSatisfy { $0.failure == nil })
        #expect(gateway.peer.store.collections[0].rejected.isEmpty)
    }

    @Test func aNewerRevisionWaitsForTheOneInFlight() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, client("a"))
        try gateway.answer(.proposeChanges, [:], "[]")
        let first = try #require(gateway.sent(.rev).first?.properties["rev"])
        gateway.edit("a", #"{"n":2}"#)
        #expect(gateway.sent(.proposeChanges).filter { !$0.isNoReply }.isEmpty)
        try gateway.answer(.rev)
        let rows = try ProposeChanges(try #require(gateway.sent(.proposeChanges).first { !$0.isNoReply })).rows
        #expect(rows.map(\.serverRevision) == [first])
    }

    @Test func aDocumentThatChangesMeanwhileIsSentAsItIsNow() throws {
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, client("a"))
        gateway.edit("a", #"{"n":2}"#)
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(gateway.sent(.norev).first?.properties["error"] == "410")
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(gateway.sent(.rev).first?.bodyBytes == Array(#"{"n":2}"#.utf8))
    }

    /// The gateway has the first two; what is edited next is pushed over what it is known to have, if anything.
    @Test func blobsThatHaveMovedHaveNamesOfTheirOwn() throws {
        let digests = ["x", "y", "z"].map { BlobDigest(of: Array($0.utf8)).text }
        func body(_ indices: Int...) -> String {
            let blobs = indices.map { #"{"@type":"blob","digest":"\#(digests[$0])","length":1}"# }
            return "{\"list\":[\(blobs.joined(separator: ","))]}"
        }
        func names(_ gateway: ScriptedGateway) throws -> [String]? {
            let rev = try #require(gateway.sent(.rev).first)
            return try JSONObject(parsing: rev.bodyBytes)["_attachments"]?.objectValue?.keys
        }
        var client = ModelClient(collections: 1)
        client.edit("a", in: 0, body: body(0, 1))
        var gateway = try ScriptedGateway.opened(pulls: false, isContinuous: true, client)
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(try names(gateway) == ["blob_/list/0", "blob_/list/1"])
        try gateway.answer(.rev)
        gateway.edit("a", body(0, 1, 2))
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(try names(gateway) == ["blob_/list/0", "blob_/list/1", "blob_/list/2"])
        try gateway.answer(.rev)
        gateway.edit("a", body(1, 2))
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(try names(gateway) == ["blob_0/list/0/\(digests[1])", "blob_0/list/1/\(digests[2])"])
        // Which body the gateway has when this is saved is not known yet.
        gateway.edit("a", body(1))
        try gateway.answer(.rev)
        try gateway.answer(.proposeChanges, [:], "[]")
        #expect(try names(gateway) == ["blob_0/list/0/\(digests[1])"])
    }

    @Test func bytesWithoutAcknowledgementAreBounded() throws {
        var client = ModelClient(collections: 1)
        let text = String(repeating: "x", count: 300_000)
        for number in 0..<20 { client.edit("d\(number)", in: 0, body: #"{"t":"\#(text)"}"#) }
        var gateway = try ScriptedGateway.opened(pulls: false, client)
        try gateway.answer(.proposeChanges, [:], "[]")
        let count = gateway.sent(.rev).count
        #expect((1...7).contains(count))
        try gateway.answer(.rev)
        #expect(gateway.sent(.rev).count == count)
    }

    @Test func largePushesGoInBatchesOfTwoHundred() throws {
        var client = ModelClient(collections: 1)
        for number in 0..<2_500 { client.edit("d\(number)", in: 0) }
        let gateway = try ScriptedGateway.opened(pulls: false, client)
        let proposals = try gateway.sent(.proposeChanges).map { try ProposeChanges($0).rows.count }
        // As many as may be without an answer.
        #expect(proposals == [Int](repeating: 200, count: 10))
    }

    @Test func aServerThatForgotEverythingGetsEverythingProposed() throws {
        var client = client("a", "b")
        for id in ["a", "b"] {
            client.share(id, in: 0)
        }
        client.collections[0].checkpoint = Array(#"{"local":2,"remote":9}"#.utf8)
        var gateway = ScriptedGateway(try .test(["field.sites"], pulls: false), client)
        try gateway.answer(.getCollections, [:], "[{}]")
        let rows = try ProposeChanges(try #require(gateway.sent(.proposeChanges).first)).rows
        #expect(rows.map(\.documentID) == ["a", "b"])
        #expect(rows.map(\.serverRevision) == ["", ""])
    }
}
