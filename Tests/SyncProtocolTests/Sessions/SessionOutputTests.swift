import BLIPProtocol
import Testing

@testable import SyncProtocol

/// What the parts of both sides put their work and their messages into.
@Suite struct SessionOutputTests {
    private enum Action: SessionAction, Equatable {
        case read(JobID)
        case note
        case send([BLIPOutgoing])
        case close
    }

    private struct Job: SessionJob, Equatable {
        var name: String
        var owner: WorkOwner?

        init(_ name: String, of owner: WorkOwner? = nil) {
            self.name = name
            self.owner = owner
        }

        static func owner(of request: RequestTag) -> WorkOwner? {
            WorkOwner(request.kind.part, of: request.collection)
        }
    }

    private func request(_ profile: String) -> BLIPRequest {
        BLIPRequest(properties: [BLIPProperties.profileKey: profile])
    }

    @Test func jobsEndOnceInAnyOrder() {
        var output = SessionOutput<Action, Job>()
        let ids = ["a", "b", "c"].map { name in output.begin(Job(name)) { .read($0) } }
        #expect(Set(ids).count == 3 && output.jobs.count == 3)
        for position in [1, 2, 0] {
            let job = output.end(ids[position])
            let again = output.end(ids[position])
            #expect(job == Job(["a", "b", "c"][position]) && again == nil)
        }
        #expect(output.jobs.isEmpty)
    }

    @Test func aStepTakesAllThatHasGatheredInItsOrder() {
        var output = SessionOutput<Action, Job>()
        output.append(.note)
        let id = output.begin(Job("a")) { .read($0) }
        let tag = output.send(request("rev"), as: .rev, collection: 2)
        output.respond(to: 7)
        output.refuse(8, with: .http(404))
        let step = output.take()
        let messages: [BLIPOutgoing] = [
            .request(request("rev"), tag: tag),
            .response(to: 7, properties: [:], body: .bytes([]), isCompressed: false), .failure(to: 8, .http(404)),
        ]
        #expect(step == [.note, .read(id), .send(messages)])
        let next = output.take()
        #expect(next.isEmpty)
        #expect(output.jobs.count == 1, "a job goes on beyond the step that began it")
    }

    @Test func aRequestThatWantsNoAnswerGetsNone() {
        var output = SessionOutput<Action, Job>()
        output.respond(to: nil)
        output.refuse(nil, with: .http(400))
        let step = output.take()
        #expect(step.isEmpty)
    }

    /// Nothing comes after the last action, also if it was decided on before the rest of its step.
    @Test func theLastActionComesLast() {
        var output = SessionOutput<Action, Job>()
        output.close(by: .close)
        #expect(output.isClosed)
        output.append(.note)
        output.refuse(8, with: .http(404))
        output.close(by: .note)
        let step = output.take()
        #expect(step == [.note, .send([.failure(to: 8, .http(404))]), .close])
        let next = output.take()
        #expect(next.isEmpty && output.isClosed)
    }

    /// Batches are dealt with in the order of their tags.
    @Test func laterTagsAreHigher() {
        var output = SessionOutput<Action, Job>()
        let tags = [(RequestKind.other, 0xFFF), (.changes, 0), (.getCollections, 7), (.rev, 3)].map { kind, index in
            output.tag(kind, collection: index)
        }
        #expect(tags == tags.sorted() && Set(tags).count == tags.count)
    }

    /// Whatever it is for: a session is not idle before the last of them.
    @Test(arguments: RequestKind.allCases) func aRequestIsOutstandingUntilItsAnswer(kind: RequestKind) {
        var output = SessionOutput<Action, Job>()
        let tags = [0, 2, 2].map { output.send(request("any"), as: kind, collection: $0) }
        let owner = WorkOwner(kind.part, of: 2)
        #expect(output.work.isAny(in: 0) && !output.work.isAny(in: 1) && output.work.isAny(in: 2))
        output.answered(tags[1])
        output.answered(tags[1])
        #expect(output.work.isAny(of: owner) && !output.work.hasJobs(of: owner), "it is not that of another")
        output.answered(tags[2])
        #expect(!output.work.isAny(in: 2) && output.work.isAny(in: 0))
        output.answered(tags[0])
        output.answered(tags[0])
        #expect(!output.work.isAny(in: 0), "a second answer ends nothing more")
        output.send(request("any"), as: kind, collection: 0)
        #expect(output.work.isAny(in: 0))
    }

    @Test func aRequestThatIsNotAnsweredIsNotOutstanding() {
        var output = SessionOutput<Action, Job>()
        let notice = BLIPRequest(properties: [BLIPProperties.profileKey: "norev"], isNoReply: true)
        output.send(notice, as: .other, collection: 0)
        #expect(!output.work.isAny(in: 0))
    }

    @Test(arguments: SessionPart.allCases) func aJobIsOutstandingUntilItsResult(part: SessionPart) {
        var output = SessionOutput<Action, Job>()
        let owner = WorkOwner(part, of: 3)
        let ids = ["a", "b"].map { output.begin(Job($0, of: owner)) { .read($0) } }
        _ = output.end(ids[0])
        _ = output.end(ids[0])
        #expect(output.work.hasJobs(of: owner) && output.work.isAny(in: 3) && !output.work.isAny(in: 2))
        _ = output.end(ids[1])
        #expect(!output.work.isAny(of: owner) && !output.work.isAny(in: 3))
    }

    @Test(arguments: RequestKind.allCases) func aTagSaysWhatTheRequestIs(kind: RequestKind) {
        for collection in [0, 1, 999, RequestTag.collections - 1] {
            let tag = RequestTag(RequestTag(kind, collection: collection, number: 12_345_678).value)
            #expect(tag.kind == kind && tag.collection == collection)
        }
    }

    @Test func aTagThatNoSessionMadeIsOfNoKind() { #expect(RequestTag(0xF).kind == .other) }
}
