import BLIPProtocol
import DocumentValues
import NIOCore
import Testing

@testable import SyncProtocol

/// What the push side of a passive session is made of, and what decides for the whole session.
@Suite struct PassivePushPartsTests {
    // MARK: - Memory

    /// Names come in any length, and wait as they are: for the store, for the source of a difference, for attachments.
    @Test(arguments: ["documentID", "digest", "ancestor", "source"])
    func everythingThatWaitsIsCounted(what: String) throws {
        let long = String(repeating: "a", count: 90_000)
        var rev = Rev(
            collection: nil, documentID: what == "documentID" ? long : "a",
            revision: what == "digest" ? "2-\(long)" : "2-a", body: ByteBuffer(string: "{}"))
        if what == "ancestor" { rev.history = "1-\(long)" }
        let source = what == "source" ? "1-\(long)" : "1-b"
        rev.deltaSource = source
        #expect(try PushedRevision(rev, collection: 0, number: 1).bytes > 90_000)
        #expect(try PushedDelta(rev, from: source, collection: 0, number: 1).bytes > 90_000)
    }

    // MARK: - Attachments

    private func pushed(_ attachments: String = "{}") throws -> PushedRevision {
        let rev = Rev(
            collection: nil, documentID: "a", revision: "1-a",
            body: ByteBuffer(string: #"{"_attachments":\#(attachments)}"#))
        return try PushedRevision(rev, collection: 0, number: 1)
    }

    @Test func eachAttachmentIsAskedForOnce() throws {
        let needs: [AttachmentNeed] = ["x", "y", "x", "z"].map { .content(digest: $0) }
        var fetch = AttachmentFetch(try pushed(), needs: needs, attachmentBytes: 10)
        #expect(fetch.nextNeeds(2).map(\.digest) == ["x", "y"])
        #expect(fetch.nextNeeds(2).map(\.digest) == ["z"])
        #expect(fetch.nextNeeds(2).isEmpty)
        for digest in ["x", "y", "z"] {
            #expect(!fetch.isComplete)
            fetch.take(.proof("p", nonce: []), for: digest)
        }
        #expect(fetch.isComplete && fetch.pushed.revision.provided.count == 3)
    }

    @Test(arguments: [
        (#"{"a":{"digest":"x","length":7}}"#, 7),
        (#"{"a":{"digest":"x","length":7},"b":{"digest":"x","length":7}}"#, 7),
        (#"{"a":{"digest":"x","length":-7}}"#, 0),
        (#"{"a":{"digest":"x","length":700}}"#, 100),
        (#"{"a":{"digest":"x"}}"#, 0),
        (#"{"a":{"digest":"proved","length":7},"b":{"digest":"other","length":7}}"#, 0),
    ])
    func theMetadataSayWhatIsToCome(attachments: String, bytes: Int) throws {
        let needs: [AttachmentNeed] = [.content(digest: "x"), .proof(digest: "proved", nonce: [])]
        #expect(
            AttachmentFetch(try pushed(attachments), needs: needs, attachmentBytes: 100).expectedBytes == bytes)
    }

    @Test func theDriverGetsOnePieceAtATime() {
        var request = AttachmentRequest(fetch: 1, need: .content(digest: "x"))
        request.take(ByteBuffer(string: "ab"), isLast: false)
        #expect(request.nextPiece() == ByteBuffer(string: "ab"))
        request.take(ByteBuffer(string: "c"), isLast: false)
        request.take(ByteBuffer(string: "d"), isLast: true)
        #expect(request.nextPiece() == nil && request.waitingBytes == 2, "it is at work on the first")
        request.pieceKept()
        #expect(!request.isKept)
        #expect(request.nextPiece() == ByteBuffer(string: "cd") && !request.isKept)
        request.pieceKept()
        #expect(request.isKept && request.nextPiece() == nil && request.receivedBytes == 4)
    }

    @Test func theDriverKnowsOfAnEmptyAttachment() {
        var request = AttachmentRequest(fetch: 1, need: .content(digest: "x"))
        request.take(ByteBuffer(), isLast: true)
        #expect(!request.isKept)
        #expect(request.nextPiece() == ByteBuffer())
        request.pieceKept()
        #expect(request.isKept)
    }

    // MARK: - Differences

    @Test func sourcesAreReadOneCollectionAtATime() throws {
        let configuration = PassiveConfiguration(
            version: .version3, hasDefaultCollection: true, usesDeltas: true, allowsConflicts: false,
            attachmentBytes: 0)
        var context = PassiveContext(configuration)
        var deltas = PushedDeltas()
        for (position, collection) in [0, 0, 1, 0].enumerated() {
            let rev = Rev(
                collection: collection, documentID: "d\(position)", revision: "2-b",
                body: ByteBuffer(string: #"{"n":1}"#))
            deltas.append(try PushedDelta(rev, from: "1-a", collection: collection, number: nil), &context)
        }
        var asked: [[String]] = []
        var whole = 0
        while !deltas.isEmpty {
            deltas.loadSources(for: [], &context)
            deltas.loadSources(for: [], &context)
            let actions = context.output.take()
            #expect(actions.count == 1, "one batch at a time")
            guard case .loadSources(let id, _, let sources)? = actions.first, context.output.end(id) != nil else {
                Issue.record("\(actions)")
                return
            }
            asked.append(sources.map(\.documentID))
            whole += deltas.sourcesLoaded(.sources(sources.map { _ in Array("{}".utf8) }), &context).count
        }
        #expect(asked == [["d0", "d1"], ["d2"], ["d3"]] && whole == 4 && context.storeBytes == 0)
    }

    // MARK: - The session

    /// `full` bytes or `busy` jobs stop the reading, `low` bytes and `idle` jobs let it go on.
    @Test func readingStopsAndGoesOnAtDifferentMarks() {
        let (full, low) = (PassiveLimits.storeBytes + 1, PassiveLimits.storeBytesToResume)
        let (busy, idle) = (PassiveLimits.jobs + 1, PassiveLimits.jobs / 2)
        var gate = ReadingGate()
        let steps: [(bytes: Int, jobs: Int, action: PassiveAction?)] = [
            (full - 1, busy - 1, nil), (full, 0, .pauseReading), (full, busy, nil), (low + 1, 0, nil),
            (low, idle + 1, nil), (low, idle, .resumeReading), (low, idle, nil), (0, busy, .pauseReading),
            (0, 0, .resumeReading),
        ]
        for (position, step) in steps.enumerated() {
            let action = gate.adjust(storeBytes: step.bytes, jobs: step.jobs)
            #expect(action == step.action, "step \(position)")
        }
    }

    private func message(_ collection: String?) -> BLIPMessage {
        var properties: BLIPProperties = ["Profile": "rev"]
        if let collection { properties["collection"] = collection }
        return BLIPMessage(kind: .request, number: 1, properties: properties, body: ByteBuffer())
    }

    /// `index`: `nil` where the request is refused.
    @Test(arguments: [
        (CollectionNaming.undecided, String?.none, true, Int?.some(0)), (.undecided, nil, false, nil),
        (.undecided, "0", true, nil), (.byDefault, nil, true, 0), (.byDefault, "0", true, nil),
        (.resolving, nil, true, nil), (.resolving, "0", true, nil), (.byIndex([true, false]), "0", true, 0),
        (.byIndex([true, false]), "1", true, nil), (.byIndex([true, false]), "2", true, nil),
        (.byIndex([true, false]), "-1", true, nil), (.byIndex([true, false]), nil, true, nil),
    ])
    func aRequestMeansACollection(naming: CollectionNaming, text: String?, hasDefault: Bool, index: Int?) {
        var after = naming
        let meant = try? after.collection(of: message(text), hasDefault: hasDefault)
        #expect(meant == index)
        #expect(after == (naming == .undecided && index != nil ? .byDefault : naming))
        #expect(after.wireIndex(0) == (text != nil && index != nil ? 0 : after == naming ? naming.wireIndex(0) : nil))
    }
}
