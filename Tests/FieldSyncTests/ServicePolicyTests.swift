import FieldRecords
import Testing

@testable import FieldSync

/// What the sync service decides, event by event.
@Suite struct ServicePolicyTests {
    private typealias Policy = ServicePolicy

    private static let refused: AdvisedText = "The gateway does not accept your name and password."
    private static let away: AdvisedText = "The gateway cannot be reached."

    private func begun(isAttended: Bool = false, resets: Bool = false) -> Policy {
        var policy = Policy(isAttended: isAttended, resetsFirst: resets)
        #expect(policy.handle(.begun) == [.readSignIn])
        #expect(policy.handle(.signInRead(.usable(isNew: true))) == [.start(resets: resets)])
        return policy
    }

    private func news(_ activity: Policy.News.Activity, _ failure: AdvisedText? = nil) -> Policy.Event {
        .replicator(Policy.News(activity: activity, failure: failure))
    }

    private func idle() -> Policy {
        var policy = begun()
        _ = policy.handle(news(.connecting))
        #expect(policy.handle(news(.idle)) == [.report(ServiceState(.idle))])
        return policy
    }

    private func waiting(_ why: AdvisedText = refused) -> Policy {
        var policy = begun()
        let state = ServiceState(.waiting, why: why)
        #expect(policy.handle(news(.stopped, why)) == [.report(state), .wake(.seconds(60))])
        return policy
    }

    /// What it says without an error of another part is in the app's language, too.
    @Test func itsOwnTextsAreThoseOfTheWording() {
        struct German: SyncWording {
            func text(of error: any Error) -> AdvisedText { error is ServiceObstacle ? "Nicht erreichbar." : "" }
            func contested(_ conflict: RecordConflict) -> ContestedText { ContestedText(subjects: "", lines: []) }
        }
        var policy = Policy(isAttended: false, resetsFirst: false, wording: German())
        _ = policy.handle(.begun)
        _ = policy.handle(.signInRead(.usable(isNew: true)))
        let state = ServiceState(.offline, why: "Nicht erreichbar.")
        #expect(policy.handle(news(.offline)) == [.report(state)])
    }

    // MARK: The network

    @Test func withoutANetworkItRunsAndSaysSoOnce() {
        var policy = begun()
        #expect(policy.handle(news(.connecting)) == [.report(ServiceState(.connecting))])
        #expect(policy.handle(news(.offline, Self.away)) == [.report(ServiceState(.offline, why: Self.away))])
        #expect(policy.handle(news(.connecting)) == [])
        #expect(policy.handle(news(.offline, Self.away)) == [])
        // The replicator watches the network itself.
        #expect(policy.handle(.networkCameBack) == [])
        #expect(
            policy.handle(.replicator(Policy.News(activity: .exchanging, completed: 1, total: 3))) == [
                .report(ServiceState(.exchanging, completed: 1, total: 3))
            ])
        #expect(policy.handle(news(.idle)) == [.report(ServiceState(.idle))])
    }

    @Test func afterARefusalAnotherNetworkIsTriedOnceItHasSettled() {
        var policy = waiting("The gateway's certificate is signed by nobody your system knows.")
        #expect(policy.handle(.networkCameBack) == [.wake(.seconds(2))])
        #expect(policy.handle(.timeIsUp) == [.readSignIn])
        #expect(policy.handle(.signInRead(.usable(isNew: false))) == [.start(resets: false)])
    }

    // MARK: Refusals

    @Test func aRefusalIsTriedAgainLessAndLessOften() {
        var policy = waiting()
        var waits: [Duration] = []
        for _ in 0..<8 {
            #expect(policy.handle(.timeIsUp) == [.readSignIn])
            #expect(policy.handle(.signInRead(.usable(isNew: false))) == [.start(resets: false)])
            _ = policy.handle(news(.connecting))
            for case .wake(let wait) in policy.handle(news(.stopped, Self.refused)) { waits.append(wait) }
        }
        #expect(waits == [120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600].map { .seconds($0) })
        // What worked once begins again.
        _ = policy.handle(.timeIsUp)
        _ = policy.handle(.signInRead(.usable(isNew: true)))
        _ = policy.handle(news(.idle))
        #expect(policy.handle(news(.stopped, Self.refused)).last == .wake(.seconds(60)))
    }

    @Test func aNewSignInIsUsedAtOnce() {
        var refused = waiting()
        #expect(refused.handle(.signInChanged) == [.readSignIn])
        #expect(refused.handle(.signInRead(.usable(isNew: true))) == [.start(resets: false)])
        var connected = idle()
        #expect(connected.handle(.signInChanged) == [.readSignIn])
        let actions = connected.handle(.signInRead(.usable(isNew: true)))
        #expect(actions == [.remark(.newSignIn), .stop])
        #expect(connected.handle(news(.stopped)) == [.start(resets: false)])
    }

    @Test func theSameSignInDisturbsNothing() {
        var policy = idle()
        #expect(policy.handle(.signInChanged) == [.readSignIn])
        #expect(policy.handle(.signInRead(.usable(isNew: false))) == [])
        #expect(
            policy.handle(.signInRead(.unusable("The settings cannot be read."))) == [
                .remark(.unusableSignIn(why: "The settings cannot be read."))
            ])
    }

    @Test func nobodyHasSignedInYet() {
        var policy = Policy(isAttended: false, resetsFirst: true)
        _ = policy.handle(.begun)
        let state = ServiceState(.waiting, why: "Nobody has signed in yet.")
        #expect(
            policy.handle(.signInRead(.unusable("Nobody has signed in yet."))) == [
                .report(state), .wake(.seconds(60)),
            ])
        _ = policy.handle(.signInChanged)
        #expect(policy.handle(.signInRead(.usable(isNew: true))) == [.start(resets: true)])
    }

    /// What keeps the first start from comparing everything only puts it off.
    @Test(arguments: [Policy.Event.folderIsBusy, .replicator(.init(activity: .stopped, failure: refused))])
    func everythingIsComparedOnceAGatewayIsReached(trouble: ServicePolicy.Event) {
        var policy = begun(resets: true)
        func starts(resets: Bool) {
            _ = policy.handle(.timeIsUp)
            #expect(policy.handle(.signInRead(.usable(isNew: false))) == [.start(resets: resets)])
        }
        _ = policy.handle(trouble)
        starts(resets: true)
        _ = policy.handle(news(.connecting))
        _ = policy.handle(trouble)
        starts(resets: true)
        _ = policy.handle(news(.exchanging))
        _ = policy.handle(trouble)
        starts(resets: false)
    }

    @Test func aNewSignInDoesNotForgetToCompareEverything() {
        var policy = begun(resets: true)
        _ = policy.handle(news(.offline, Self.away))
        #expect(policy.handle(.signInRead(.usable(isNew: true))).last == .stop)
        #expect(policy.handle(news(.stopped)) == [.start(resets: true)])
    }

    @Test func whereAPersonLooksOnARefusalIsTheEnd() {
        var policy = begun(isAttended: true)
        let actions = policy.handle(news(.stopped, Self.refused))
        #expect(
            actions == [
                .report(ServiceState(.waiting, why: Self.refused)), .report(ServiceState(.stopped)), .end,
            ])
        #expect(policy.handle(.stopAsked) == [])
    }

    @Test func anotherProgramsSyncIsWaitedFor() {
        var policy = begun()
        #expect(policy.handle(.folderIsBusy).last == .wake(.seconds(2)))
        _ = policy.handle(.timeIsUp)
        _ = policy.handle(.signInRead(.usable(isNew: false)))
        #expect(policy.handle(.folderIsBusy) == [.wake(.seconds(2))])
    }

    // MARK: Reloading

    @Test func aReloadBeginsAndEnds() {
        var policy = idle()
        #expect(policy.handle(.reloadAsked) == [.beginReload, .readSignIn])
        #expect(policy.handle(.signInRead(.usable(isNew: false))) == [.endReload])
        #expect(policy.handle(.reloadAsked) == [.beginReload, .readSignIn])
        #expect(
            policy.handle(.signInRead(.unusable("No.")))
                == [.remark(.unusableSignIn(why: "No.")), .endReload])
    }

    @Test func aReloadWhileOfflineTriesAtOnce() {
        var policy = begun()
        _ = policy.handle(news(.offline, Self.away))
        _ = policy.handle(.reloadAsked)
        #expect(policy.handle(.signInRead(.usable(isNew: false))) == [.stop, .endReload])
    }
}
