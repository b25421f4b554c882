import BLIPProtocol
import DocumentValues
import NIOCore
import Testing

@testable import SyncProtocol

/// What the feed of a passive session is made of.
@Suite struct PassivePullPartsTests {
    private func rows(_ count: Int) -> [ChangeRow] {
        (0..<count).map { ChangeRow(sequence: "\($0)", documentID: "d\($0)", revision: "1-a") }
    }

    private func subscription(isContinuous: Bool = false, batch: Int = 10) -> FeedSubscription {
        var options = SubChanges(collection: nil)
        options.isContinuous = isContinuous
        options.batch = batch
        return FeedSubscription(id: JobID(1), options: options)
    }

    // MARK: - Subscriptions

    @Test(arguments: [true, false])
    func aFeedIsReadUntilItIsCaughtUp(isContinuous: Bool) {
        var feed = subscription(isContinuous: isContinuous)
        #expect(feed.isBusy && !feed.wantsRows, "it is being opened")
        feed.opened()
        #expect(!feed.isBusy && feed.wantsRows)
        feed.readBegan()
        #expect(feed.isBusy && !feed.wantsRows)
        feed.take(rows(3), isCaughtUp: true)
        let early = feed.announcesCaughtUp()
        #expect(!feed.wantsRows && !early, "rows wait")
        #expect(feed.nextRows().count == 3)
        #expect(!feed.hasRows && feed.wantsRows == isContinuous && !feed.isFinished)
        let first = feed.announcesCaughtUp()
        let second = feed.announcesCaughtUp()
        #expect(first && !second, "once")
        #expect(feed.isFinished == !isContinuous)
    }

    @Test func rowsGoInBatchesAsTheClientWantsThem() {
        var feed = subscription(batch: 2)
        feed.opened()
        feed.take(rows(5), isCaughtUp: false)
        let batches = (0..<3).map { _ in feed.nextRows().map(\.sequence) }
        #expect(batches == [["0", "1"], ["2", "3"], ["4"]])
        let announces = feed.announcesCaughtUp()
        #expect(!announces && feed.wantsRows)
    }

    @Test func whatNoClientCouldReadIsLeftOut() {
        var feed = subscription()
        let unreadable = ChangeRow(sequence: "9", documentID: "", revision: "1-a")
        feed.take([unreadable] + rows(1) + [unreadable], isCaughtUp: true)
        #expect(feed.nextRows().map(\.sequence) == ["0"])
    }

    // MARK: - Batches

    private static func load(_ count: Int) -> RevisionsUnderWay.Load {
        RevisionsUnderWay.Load(count: count, bytes: count, limit: 1_000)
    }

    @Test func aBatchIsDoneWhenItsLastRevisionIsOnItsWay() {
        var batch = AnnouncedBatch(rows(3), acceptsReplacements: true)
        #expect(batch.isAnnounced && !batch.isDone && !batch.waitsToBeLoaded)
        var reply = ChangesReply(entries: [.wanted(ancestors: ["1-x"]), .unwanted, .wanted(ancestors: [])])
        reply.maxHistory = 5
        batch.answered(reply)
        #expect(batch.terms.maxHistory == 5 && batch.waitsToBeLoaded)
        batch.loadBegan(Self.load(2))
        #expect(batch.loading.map(\.row.sequence) == ["0", "2"] && !batch.waitsToBeLoaded && !batch.isDone)
        batch.loadEnded(1)
        #expect(batch.waitsToBeLoaded, "the driver had no room for the second")
        batch.loadBegan(Self.load(1))
        #expect(batch.loading.map(\.row.sequence) == ["2"])
        batch.loadEnded(1)
        batch.revisionSent()
        #expect(!batch.isDone)
        batch.revisionSent()
        #expect(batch.isDone)
    }

    /// Texts of any length, of marks that Swift sorts when it compares or hashes them.
    @Test func onlyRevisionsAreAncestors() {
        var batch = AnnouncedBatch(rows(1), acceptsReplacements: true)
        let texts = ["a" + String(repeating: "\u{301}\u{316}", count: 400_000), "", "2-b", "x", "1-a"]
        batch.answered(ChangesReply(entries: [.wanted(ancestors: texts)]))
        batch.loadBegan(Self.load(1))
        #expect(batch.loading.map { $0.ancestors.map(\.description) } == [["2-b", "1-a"]])
    }

    @Test(arguments: [nil, ChangesReply(entries: []), ChangesReply(entries: [.unwanted, .unwanted])])
    func aBatchOfWhichNothingIsWantedIsDone(reply: ChangesReply?) {
        var batch = AnnouncedBatch(rows(2), acceptsReplacements: false)
        batch.answered(reply)
        #expect(batch.isDone && !batch.waitsToBeLoaded)
        batch.answered(ChangesReply(entries: [.wanted(ancestors: [])]))
        #expect(batch.isDone, "it has been answered")
    }

    @Test func whatIsSentOnceMoreWaitsAtOnce() {
        let wanted = AnnouncedBatch.Wanted(row: rows(1)[0], ancestors: [], isWhole: true)
        let batch = AnnouncedBatch(again: wanted, AnnouncedBatch.Terms(acceptsReplacements: true, maxHistory: 2))
        #expect(batch.waitsToBeLoaded && !batch.isAnnounced && !batch.isDone)
    }

    // MARK: - What collections share

    @Test func twoBatchesAreOpenAtATime() {
        var revisions = RevisionsUnderWay()
        for _ in 0..<PassiveLimits.openChanges {
            #expect(revisions.hasRoomForBatch)
            revisions.batchOpened()
        }
        #expect(!revisions.hasRoomForBatch)
        revisions.batchEnded()
        #expect(revisions.hasRoomForBatch)
    }

    /// `held`: bytes on their way already; `limit`: of the load, `nil` for none.
    @Test(arguments: [
        (room: Int.max, held: 0, limit: Int?.some(PassiveLimits.loadedBytes)),
        (Int.max, PassiveLimits.unsentBytes - 1, PassiveLimits.loadedBytes),
        (Int.max, PassiveLimits.unsentBytes, nil),
        (1 << 20, 0, 1 << 20),
        (PassiveLimits.leastLoadedBytes, 1, PassiveLimits.leastLoadedBytes),
        (PassiveLimits.leastLoadedBytes - 1, 0, PassiveLimits.leastLoadedBytes),
        (-5, 0, PassiveLimits.leastLoadedBytes),
        (0, 1, nil),
    ])
    func asMuchIsLoadedAsThereIsRoomFor(room: Int, held: Int, limit: Int?) {
        var revisions = RevisionsUnderWay()
        revisions.room = room
        revisions.willSend(held)
        let load = revisions.beginLoad(of: 1)
        #expect(load?.limit == limit)
        guard let load else { return }
        #expect(load.count == 1 && revisions.bytes == held + load.bytes && revisions.room == room - load.bytes)
        revisions.loadEnded(load)
        revisions.sent(held)
        #expect(revisions.bytes == 0)
    }

    @Test func documentsOfADatabaseAreMostlyAlike() throws {
        var revisions = RevisionsUnderWay()
        let small = LoadedRevision.found(
            revision: RevisionID(generation: 1, digest: "a"), history: RevisionHistory(), isDeleted: false,
            body: Array(repeating: 0, count: 100), attachments: [])
        let firstLoad = revisions.beginLoad(of: 1_000)
        let first = try #require(firstLoad)
        #expect(first.count == PassiveLimits.loadedBytes / PassiveLimits.assumedRevisionBytes)
        revisions.loadEnded(first)
        for _ in 0..<20 { revisions.note([small]) }
        let lastLoad = revisions.beginLoad(of: 1_000)
        let last = try #require(lastLoad)
        #expect(last.count == PassiveLimits.loadedRevisions)
    }

    @Test func asManyDifferencesAsMayHaveToBeSentAgain() throws {
        var revisions = RevisionsUnderWay()
        #expect(revisions.roomForDeltas == 0, "the client has not said that it takes any")
        revisions.clientTakesDeltas = true
        #expect(revisions.roomForDeltas == PassiveLimits.openDeltas)
        let begun = revisions.beginLoad(of: 3)
        let load = try #require(begun)
        revisions.deltaSent()
        #expect(revisions.roomForDeltas == PassiveLimits.openDeltas - load.count - 1)
        revisions.loadEnded(load)
        revisions.deltaAnswered()
        #expect(revisions.roomForDeltas == PassiveLimits.openDeltas)
    }

    // MARK: - Messages

    private static let second = RevisionID(generation: 2, digest: "b")
    private static let long = RevisionID(generation: 2, digest: String(repeating: "b", count: SyncLimits.revisionBytes))

    private static func found(_ revision: RevisionID, _ attachments: [String] = []) -> LoadedRevision {
        .found(revision: revision, history: RevisionHistory(), isDeleted: false, body: [], attachments: attachments)
    }

    private static func delta(from source: RevisionID) -> LoadedRevision {
        .delta(
            from: source, revision: RevisionID(generation: 1, digest: "a"), history: RevisionHistory(), body: [],
            attachments: [])
    }

    /// Of a row that announces `1-a`.
    @Test(arguments: [
        (found(RevisionID(generation: 1, digest: "a")), true, "rev", false, true),
        (found(RevisionID(generation: 1, digest: "a"), ["sha1-x"]), true, "rev", false, false),
        (found(second), true, "rev", false, true),
        (found(second), false, "norev", false, true),
        (found(long), true, "norev", false, true),
        (delta(from: second), true, "rev", true, false),
        (delta(from: long), true, "norev", false, true),
        (LoadedRevision.removed(RevisionHistory()), true, "rev", false, true),
        (.unavailable(404, "missing"), true, "norev", false, true),
    ])
    func aLoadedRevisionBecomesAMessage(
        loaded: LoadedRevision, acceptsReplacements: Bool, profile: String, isDelta: Bool, isNoReply: Bool
    ) {
        let message = RevisionMessage(
            loaded, for: AnnouncedBatch.Wanted(row: rows(1)[0], ancestors: []),
            terms: AnnouncedBatch.Terms(acceptsReplacements: acceptsReplacements, maxHistory: nil), collection: 3)
        #expect(message.request.properties.profile == profile)
        #expect(message.request.properties["collection"] == "3")
        #expect(message.isDelta == isDelta && message.request.isNoReply == isNoReply)
        #expect(message.attachments.isEmpty == (isNoReply || isDelta))
    }
}
