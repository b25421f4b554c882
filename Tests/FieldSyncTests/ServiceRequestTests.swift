import FieldRecords
import Testing

@testable import FieldSync

/// A sync that somebody asks the service for, and its end.
@Suite struct ServiceRequestTests {
    private typealias Policy = ServicePolicy

    private static let request = SyncRequest(id: "1")

    private func news(_ activity: Policy.News.Activity, _ failure: AdvisedText? = nil) -> Policy.Event {
        .replicator(Policy.News(activity: activity, failure: failure))
    }

    private func policy(_ activity: Policy.News.Activity, _ failure: AdvisedText? = nil) -> Policy {
        var policy = Policy(isAttended: false, resetsFirst: false)
        _ = policy.handle(.begun)
        _ = policy.handle(.signInRead(.usable(isNew: true)))
        _ = policy.handle(news(activity, failure))
        return policy
    }

    /// A connection that says nothing may be dead without knowing.
    @Test func anIdleConnectionIsMadeAgain() {
        var policy = policy(.idle)
        #expect(policy.handle(.syncAsked(Self.request)) == [.stop])
        #expect(policy.handle(news(.idle)) == [])
        #expect(policy.handle(news(.stopped)) == [.start(resets: false)])
        _ = policy.handle(news(.connecting))
        #expect(
            policy.handle(news(.idle)) == [
                .report(ServiceState(.idle)), .answer([Self.request], .exchanged),
            ])
        #expect(policy.handle(news(.idle)) == [])
    }

    @Test func anExchangeIsFinishedAndThenDoneAgain() {
        var policy = policy(.exchanging)
        #expect(policy.handle(.syncAsked(Self.request)) == [.check])
        #expect(policy.handle(news(.idle)) == [.report(ServiceState(.idle)), .stop])
        #expect(policy.handle(news(.stopped)) == [.start(resets: false)])
        _ = policy.handle(news(.exchanging))
        #expect(policy.handle(news(.idle)).last == .answer([Self.request], .exchanged))
    }

    @Test func aConnectionBeingMadeIsWaitedFor() {
        var policy = policy(.connecting)
        #expect(policy.handle(.syncAsked(Self.request)) == [])
        #expect(
            policy.handle(news(.offline, "Away.")) == [
                .report(ServiceState(.offline, why: "Away.")), .answer([Self.request], .failed("Away.")),
            ])
    }

    @Test func offlineItTriesAtOnceAndAnswersTheSame() {
        var policy = policy(.offline, "Away.")
        #expect(policy.handle(.syncAsked(Self.request)) == [.stop])
        #expect(policy.handle(news(.stopped)) == [.start(resets: false)])
        _ = policy.handle(news(.connecting))
        #expect(policy.handle(news(.offline, "Away.")) == [.answer([Self.request], .failed("Away."))])
    }

    @Test func whatWasRefusedIsAskedAgain() {
        var policy = policy(.stopped, "No.")
        #expect(policy.handle(.syncAsked(Self.request)) == [.readSignIn])
        #expect(policy.handle(.signInRead(.usable(isNew: false))) == [.start(resets: false)])
        _ = policy.handle(news(.connecting))
        #expect(
            policy.handle(news(.stopped, "No.")) == [
                .report(ServiceState(.waiting, why: "No.")), .answer([Self.request], .failed("No.")),
                .wake(.seconds(120)),
            ])
    }

    @Test func comparingEverythingAgainInterruptsWhatGoesOn() {
        var policy = policy(.exchanging)
        #expect(policy.handle(.syncAsked(SyncRequest(id: "2", resets: true))) == [.stop])
        #expect(policy.handle(news(.stopped)) == [.start(resets: true)])
    }

    @Test func severalAreAnsweredTogether() {
        var policy = policy(.idle)
        let other = SyncRequest(id: "2", resets: true)
        #expect(policy.handle(.syncAsked(Self.request)) == [.stop])
        #expect(policy.handle(.syncAsked(other)) == [])
        #expect(policy.handle(news(.stopped)) == [.start(resets: true)])
        _ = policy.handle(news(.connecting))
        #expect(policy.handle(news(.idle)).last == .answer([Self.request, other], .exchanged))
    }

    // MARK: A reset is not forgotten

    private static let reset = SyncRequest(id: "R", resets: true)

    private func expectStart(_ policy: inout Policy, resets: Bool) {
        let actions = policy.handle(news(.stopped))
        #expect(actions == [.start(resets: resets)])
    }

    /// The gateway was not reached for the request when another user signed in: that one's checkpoint has no mark.
    @Test func aNewSignInDoesNotForgetARequestedReset() {
        var policy = policy(.idle)
        #expect(policy.handle(.syncAsked(Self.reset)) == [.stop])
        expectStart(&policy, resets: true)
        _ = policy.handle(news(.connecting))
        #expect(policy.handle(.signInRead(.usable(isNew: true))) == [.remark(.newSignIn), .stop])
        expectStart(&policy, resets: true)
        #expect(policy.handle(news(.idle)).last == .answer([Self.reset], .exchanged))
        #expect(policy.handle(.syncAsked(Self.request)) == [.stop])
        expectStart(&policy, resets: false)
    }

    /// The exchange for it had begun: the other user's has not.
    @Test func aNewSignInDuringAResetResetsAgain() {
        var policy = policy(.idle)
        _ = policy.handle(.syncAsked(Self.reset))
        expectStart(&policy, resets: true)
        _ = policy.handle(news(.exchanging))
        #expect(policy.handle(.signInRead(.usable(isNew: true))).last == .stop)
        expectStart(&policy, resets: true)
    }

    @Test func anotherRequestDoesNotForgetAReset() {
        var policy = policy(.idle)
        _ = policy.handle(.syncAsked(Self.reset))
        expectStart(&policy, resets: true)
        // The new replicator has not reported anything yet.
        #expect(policy.handle(.syncAsked(Self.request)) == [.stop])
        expectStart(&policy, resets: true)
        _ = policy.handle(news(.offline, "Away."))
        #expect(policy.handle(.syncAsked(Self.request)) == [.stop])
        expectStart(&policy, resets: true)
    }

    /// Its request was answered with the failure, and the service goes on trying.
    @Test func aBusyFolderDoesNotForgetAReset() {
        var policy = policy(.stopped, "No.")
        #expect(policy.handle(.syncAsked(Self.reset)) == [.readSignIn])
        #expect(policy.handle(.signInRead(.usable(isNew: false))) == [.start(resets: true)])
        _ = policy.handle(.folderIsBusy)
        #expect(policy.handle(.timeIsUp) == [.readSignIn])
        #expect(policy.handle(.signInRead(.usable(isNew: false))) == [.start(resets: true)])
    }

    // MARK: The end

    @Test func itEndsWhenTheReplicatorHasStopped() {
        var policy = policy(.idle)
        #expect(policy.handle(.stopAsked) == [.expectEnd, .report(ServiceState(.stopping)), .stop])
        #expect(policy.handle(news(.offline, "Away.")) == [])
        #expect(policy.handle(.reloadAsked) == [])
        #expect(
            policy.handle(.syncAsked(Self.request)) == [
                .answer([Self.request], .failed("The sync service is being stopped."))
            ])
        #expect(policy.handle(news(.stopped)) == [.report(ServiceState(.stopped)), .end])
        #expect(policy.handle(.stopAsked) == [])
    }

    @Test func itEndsAtOnceWhereNothingRuns() {
        var policy = policy(.stopped, "No.")
        #expect(policy.handle(.stopAsked) == [.expectEnd, .report(ServiceState(.stopped)), .end])
    }

    @Test func itEndsThoughTheReplicatorDoesNot() {
        var policy = policy(.exchanging)
        #expect(policy.handle(.stopOverdue) == [])
        _ = policy.handle(.stopAsked)
        #expect(policy.handle(.stopOverdue) == [.report(ServiceState(.stopped)), .end])
    }

    @Test func aStopDuringARestartIsAStop() {
        var policy = policy(.idle)
        _ = policy.handle(.syncAsked(Self.request))
        #expect(
            policy.handle(.stopAsked) == [
                .expectEnd, .answer([Self.request], .failed("The sync service is being stopped.")),
                .report(ServiceState(.stopping)), .stop,
            ])
        #expect(policy.handle(news(.stopped)) == [.report(ServiceState(.stopped)), .end])
    }
}
