import BLIPProtocol
import DocumentValues
import NIOCore
import SyncModels
import Testing
import WorkCount

@testable import SyncProtocol

/// What waits in a session, however much of it, is taken at its front and looked up without a search.
@Suite(.serialized, .timeLimit(.minutes(5))) struct QueueGrowthTests {
    private static func digest(_ number: Int) -> BlobDigest { BlobDigest(of: Array("\(number)".utf8)) }

    private static func arrival(_ number: Int, _ digests: [BlobDigest]) -> Arrival {
        Arrival(
            sequence: "\(number)", feedIndex: number, replyTo: nil,
            revision: PulledRevision(
                documentID: "d\(number)", revision: RevisionID(generation: 1, digest: "a"),
                history: RevisionHistory(), isDeleted: false,
                body: DocumentBody(
                    bytes: [], blobs: digests.map { BlobMetadata(digest: $0, length: 1) }, attachments: [])))
    }

    /// Begins what may be begun, and ends it, until nothing waits.
    ///
    /// - Returns: how many revisions got their blobs, and how many did not.
    private static func run(_ attachments: inout PulledAttachments, _ failure: SyncFailure?) -> (
        complete: Int, failed: Int
    ) {
        var context = ActiveContext(namesCollections: true)
        var (complete, failed) = (0, 0)
        while !attachments.isEmpty {
            attachments.start(0, &context)
            for case .fetchAttachment(_, _, _, _, let tag) in context.output.take() {
                let outcome = attachments.finished(tag, failure: failure, &context)
                complete += outcome.complete.count
                failed += outcome.failed == nil ? 0 : 1
            }
        }
        return (complete, failed)
    }

    @Test func blobsOfOneRevision() async throws {
        let growth = try await Growth.of(500, prepare: { (0..<$0).map(Self.digest) }) { digests in
            var attachments = PulledAttachments()
            attachments.add(0, arrival: Self.arrival(0, digests), missing: digests.map { Name($0.text) })
            #expect(Self.run(&attachments, nil) == (1, 0))
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// Each asks once more for its own document's sake.
    @Test func revisionsThatWaitForOneBlobThatCannotBeHad() async throws {
        let digest = Self.digest(0)
        let growth = try await Growth.of(1_000, prepare: { (0..<$0).map { Self.arrival($0, [digest]) } }) { arrivals in
            var attachments = PulledAttachments()
            for (number, arrival) in arrivals.enumerated() {
                attachments.add(number, arrival: arrival, missing: [Name(digest.text)])
            }
            #expect(Self.run(&attachments, .http(404, message: "missing")) == (0, arrivals.count))
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// A revision that was given up leaves its other blobs to those who want them, who ask for each once.
    @Test func aBlobOfARevisionThatWasGivenUpIsFetchedOnceForOthers() throws {
        let (first, second) = (Self.digest(0), Self.digest(1))
        var attachments = PulledAttachments()
        var context = ActiveContext(namesCollections: true)
        attachments.add(0, arrival: Self.arrival(0, [first, second]), missing: [first, second].map { Name($0.text) })
        attachments.start(0, &context)
        var tags: [UInt64] = []
        for case .fetchAttachment(_, _, _, _, let tag) in context.output.take() { tags.append(tag) }
        #expect(tags.count == 2)
        #expect(attachments.finished(tags[0], failure: .http(404, message: "missing"), &context).failed?.0 == 0)
        attachments.add(1, arrival: Self.arrival(1, [second]), missing: [Name(second.text)])
        attachments.start(0, &context)
        #expect(context.output.take().isEmpty)
        #expect(attachments.finished(tags[1], failure: nil, &context).complete == [1])
        #expect(attachments.isEmpty)
    }

    /// Announcements that wait because as many revisions as may be asked for were asked for.
    @Test func announcementsThatWait() async throws {
        let growth = try await Growth.of(500, prepare: { $0 }) { count in
            var gateway = try ScriptedGateway.opened(pushes: false)
            let first = (0..<ActiveLimits.requestedRevisions).map { "[\($0),\"d\($0)\",\"1-a\"]" }
            _ = gateway.announce("[\(first.joined(separator: ","))]")
            let last = ActiveLimits.requestedRevisions + count
            for number in ActiveLimits.requestedRevisions..<last {
                _ = gateway.announce("[[\(number),\"d\(number)\",\"1-a\"]]")
            }
            for number in 0..<last { gateway.sendRev("d\(number)", "1-a", sequence: "\(number)") }
            #expect(gateway.peer.closing == nil)
            #expect(gateway.peer.store.live(in: 0).count == last)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    private static func pushed(_ id: String) -> BLIPProperties {
        ["Profile": "rev", "id": id, "rev": "2-b", "history": "1-a", "noconflicts": "1"]
    }

    private static let photo = #"{"_attachments":{"p":{"stub":true,"digest":"sha1-p","length":5}}}"#

    /// Pushed revisions that wait until their attachment is asked for.
    @Test func revisionsThatWaitForTheirAttachments() async throws {
        let growth = try await Growth.of(300, prepare: { $0 }) { count in
            var client = PassiveTestClient()
            var open: [UInt64] = []
            for number in 0..<count {
                client.request(Self.pushed("doc\(number)"), Self.photo)
                try client.complete(.stored([.needs([.proof(digest: "sha1-p", nonce: [1])])]))
                open += client.requests.map(\.tag)
            }
            var answered = 0
            while let tag = open.popLast() {
                client.answer(tag, "proof")
                answered += 1
                open += client.requests.map(\.tag)
            }
            #expect(answered == count)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// Attachments of one pushed revision that come one after the other.
    @Test func attachmentsOfOnePushedRevision() async throws {
        let growth = try await Growth.of(300, prepare: { $0 }) { count in
            var client = PassiveTestClient()
            client.request(Self.pushed("doc"), Self.photo)
            let needs = (0..<count).map { AttachmentNeed.proof(digest: "sha1-\($0)", nonce: [1]) }
            try client.complete(.stored([.needs(needs)]))
            var open = client.requests.map(\.tag)
            var answered = 0
            while let tag = open.popLast() {
                client.answer(tag, "proof")
                answered += 1
                open += client.requests.map(\.tag)
            }
            #expect(answered == count)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// Pieces of an attachment that come while the driver is busy with the first of them.
    @Test func piecesOfAnAttachmentThatWaitForTheDisk() async throws {
        let piece = ByteBuffer(repeating: 1, count: 1_000)
        let growth = try await Growth.of(200, prepare: { $0 }) { count in
            var client = PassiveTestClient()
            client.request(Self.pushed("doc"), Self.photo)
            try client.complete(.stored([.needs([.content(digest: "sha1-p")])]))
            let tag = client.requests[0].tag
            client.receive([.responsePart(tag: tag, piece, isLast: false)])
            let first = try client.job()
            for number in 1..<count {
                client.receive([.responsePart(tag: tag, piece, isLast: number == count - 1)])
            }
            client.complete(first, .done)
            guard case .keepAttachment(_, _, let rest)? = client.actions.first else {
                Issue.record("\(client.actions)")
                return
            }
            #expect(rest.readableBytes == (count - 1) * 1_000)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// Pushed differences of which the driver can read one source at a time, as large as those are.
    @Test func differencesThatWaitForTheirSources() async throws {
        let growth = try await Growth.of(300, prepare: { $0 }) { count in
            var client = PassiveTestClient(usesDeltas: true)
            var jobs: [JobID] = []
            for number in 0..<count {
                var properties = Self.pushed("doc\(number)")
                properties["deltaSrc"] = "1-a"
                client.request(properties, "{}")
                jobs += client.sourcesAskedFor
            }
            var read = 0
            while let job = jobs.popLast() {
                client.complete(job, .sources([Array("{}".utf8)]))
                read += 1
                jobs += client.sourcesAskedFor
            }
            #expect(read == count)
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// A client of version 2 names no document when it asks for an attachment.
    @Test func servedAttachmentsAreFoundByTheirDigest() async throws {
        let growth = try await Growth.of(500, prepare: { $0 }) { count in
            var served = ServedAttachments()
            for number in 0..<count {
                served.allow(["sha1-\(number)", "sha1-shared"], of: "doc\(number)", until: UInt64(number))
            }
            for number in 0..<count {
                #expect(served.document(referringTo: "sha1-\(number)") == "doc\(number)")
                #expect(served.allows("sha1-shared", of: "doc\(number)"))
                served.end(UInt64(number))
                #expect(served.document(referringTo: "sha1-\(number)") == nil)
                #expect(!served.allows("sha1-shared", of: "doc\(number)"))
            }
            #expect(served.document(referringTo: "sha1-shared") == nil)
        }
        #expect(!growth.isSquare, "\(growth)")
    }
}

extension PassiveTestClient {
    /// The driver's work of the last step that is reading sources.
    fileprivate var sourcesAskedFor: [JobID] {
        actions.compactMap { if case .loadSources(let id, _, _) = $0 { id } else { nil } }
    }
}
