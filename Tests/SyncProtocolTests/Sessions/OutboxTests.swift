import BLIPProtocol
import Testing

@testable import SyncProtocol

/// What the parts of both sides put their work and their messages into.
@Suite struct OutboxTests {
    private enum Action: Sendable, Equatable {
        case read(JobID)
        case note
    }

    private func request(_ profile: String) -> BLIPRequest {
        BLIPRequest(properties: [BLIPProperties.profileKey: profile])
    }

    @Test func jobsEndOnceInAnyOrder() {
        var outbox = Outbox<Action, String>()
        let ids = ["a", "b", "c"].map { name in outbox.begin(name) { .read($0) } }
        #expect(Set(ids).count == 3 && outbox.jobs.count == 3)
        for position in [1, 2, 0] {
            let job = outbox.end(ids[position])
            let again = outbox.end(ids[position])
            #expect(job == ["a", "b", "c"][position] && again == nil)
        }
        #expect(outbox.jobs.isEmpty)
    }

    @Test func aStepTakesAllThatHasGatheredInItsOrder() {
        var outbox = Outbox<Action, String>()
        outbox.append(.note)
        let id = outbox.begin("a") { .read($0) }
        let tag = outbox.send(request("rev"), as: .rev, collection: 2)
        outbox.respond(to: 7)
        outbox.refuse(8, with: .http(404))
        let step = outbox.take()
        #expect(step.actions == [.note, .read(id)])
        #expect(
            step.messages == [
                .request(request("rev"), tag: tag),
                .response(to: 7, properties: [:], body: .bytes([]), isCompressed: false), .failure(to: 8, .http(404)),
            ])
        let next = outbox.take()
        #expect(next.actions.isEmpty && next.messages.isEmpty)
        #expect(outbox.jobs.count == 1, "a job goes on beyond the step that began it")
    }

    @Test func aRequestThatWantsNoAnswerGetsNone() {
        var outbox = Outbox<Action, String>()
        outbox.respond(to: nil)
        outbox.refuse(nil, with: .http(400))
        #expect(outbox.take().messages.isEmpty)
    }

    /// Batches are dealt with in the order of their tags.
    @Test func laterTagsAreHigher() {
        var outbox = Outbox<Action, String>()
        let tags = [(RequestKind.other, 0xFFF), (.changes, 0), (.getCollections, 7), (.rev, 3)].map { kind, index in
            outbox.tag(kind, collection: index)
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
