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

    private func request(_ profile: String) -> BLIPRequest {
        BLIPRequest(properties: [BLIPProperties.profileKey: profile])
    }

    @Test func jobsEndOnceInAnyOrder() {
        var output = SessionOutput<Action, String>()
        let ids = ["a", "b", "c"].map { name in output.begin(name) { .read($0) } }
        #expect(Set(ids).count == 3 && output.jobs.count == 3)
        for position in [1, 2, 0] {
            let job = output.end(ids[position])
            let again = output.end(ids[position])
            #expect(job == ["a", "b", "c"][position] && again == nil)
        }
        #expect(output.jobs.isEmpty)
    }

    @Test func aStepTakesAllThatHasGatheredInItsOrder() {
        var output = SessionOutput<Action, String>()
        output.append(.note)
        let id = output.begin("a") { .read($0) }
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
        var output = SessionOutput<Action, String>()
        output.respond(to: nil)
        output.refuse(nil, with: .http(400))
        let step = output.take()
        #expect(step.isEmpty)
    }

    /// Nothing comes after the last action, also if it was decided on before the rest of its step.
    @Test func theLastActionComesLast() {
        var output = SessionOutput<Action, String>()
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
        var output = SessionOutput<Action, String>()
        let tags = [(RequestKind.other, 0xFFF), (.changes, 0), (.getCollections, 7), (.rev, 3)].map { kind, index in
            output.tag(kind, collection: index)
        }
        #expect(tags == tags.sorted() && Set(tags).count == tags.count)
    }

    @Test(arguments: [
        RequestKind.getCollections, .getCheckpoint, .setCheckpoint, .subChanges, .proposeChanges, .rev, .attachment,
        .other, .changes,
    ])
    func aTagSaysWhatTheRequestIs(kind: RequestKind) {
        for collection in [0, 1, 999, RequestTag.collections - 1] {
            let tag = RequestTag(RequestTag(kind, collection: collection, number: 12_345_678).value)
            #expect(tag.kind == kind && tag.collection == collection)
        }
    }

    @Test func aTagThatNoSessionMadeIsOfNoKind() { #expect(RequestTag(0xF).kind == .other) }
}
