import FieldRecords

/// Decides what the sync service does next: events in, actions out. No clock, no replicator, no file.
///
/// If a gateway cannot be reached, the replicator tries again by itself. If the replicator gives up (a wrong password,
/// an unknown database, a certificate), it is not started again at once: the service waits for an event that can change
/// the outcome, and tries from time to time in case the cause was at the gateway.
struct ServicePolicy {
    enum SignIn: Sendable, Hashable {
        /// - Parameter isNew: whether it differs from the one with which the replicator was started.
        case usable(isNew: Bool)
        /// Why, in a sentence.
        case unusable(AdvisedText)
    }

    /// The report of a replicator.
    struct News: Sendable, Hashable {
        enum Activity: Sendable, Hashable { case connecting, exchanging, idle, offline, stopped }

        var activity: Activity
        var completed: UInt64 = 0
        var total: UInt64 = 0
        /// Why it is offline or stopped, in sentences.
        var failure: AdvisedText?

        init(activity: Activity, completed: UInt64 = 0, total: UInt64 = 0, failure: AdvisedText? = nil) {
            self.activity = activity
            self.completed = completed
            self.total = total
            self.failure = failure
        }
    }

    enum Event: Sendable, Hashable {
        case begun
        case signInRead(SignIn)
        case replicator(News)
        /// Another program is exchanging this folder's records.
        case folderIsBusy
        /// The sign-in may have changed.
        case signInChanged
        /// A reload was requested.
        case reloadAsked
        case networkCameBack
        case syncAsked(SyncRequest)
        case timeIsUp
        case stopAsked
        /// The replicator should have stopped long ago.
        case stopOverdue
    }

    enum Outcome: Sendable, Hashable {
        case exchanged
        case failed(AdvisedText)
    }

    enum Action: Sendable, Hashable {
        /// Its result is the event `signInRead`.
        case readSignIn
        case start(resets: Bool)
        /// Checks whether the gateway still answers.
        case check
        /// Its result is the news that the replicator has stopped.
        case stop
        case report(ServiceState)
        case answer([SyncRequest], Outcome)
        case remark(ServiceRemark)
        /// Its result is the event `timeIsUp`; replaces an earlier alarm.
        case wake(Duration)
        case beginReload
        case endReload
        case expectEnd
        case end
    }

    private enum Phase: Hashable {
        /// No replicator runs until something changes.
        case waiting
        case running
        /// Being stopped, to be started again.
        case restarting
        case ending
        case ended
    }

    /// The requests that wait for the result of an exchange.
    private enum Requests {
        case none
        case waiting([SyncRequest])
        /// A request came during an exchange that may have begun before the change that it is about: another exchange
        /// follows.
        case waitingForNext([SyncRequest])

        var all: [SyncRequest] {
            switch self {
            case .none: []
            case .waiting(let requests), .waitingForNext(let requests): requests
            }
        }
    }

    /// A person is watching, who has to act on a refusal: then the service ends.
    let isAttended: Bool
    private let wording: any SyncWording
    private var phase = Phase.waiting
    private(set) var state = ServiceState(.starting)
    private var requests = Requests.none
    private var isReloading = false
    /// How often in a row it has given up.
    private var refusals = 0
    /// A reset was requested, at the start or by a request, and no gateway was reached for it yet. Each start has it until
    /// then: a start that is stopped before that, or that signs in as another user, has reset nothing.
    private var owesReset: Bool

    init(isAttended: Bool, resetsFirst: Bool, wording: any SyncWording = PlainWording()) {
        self.isAttended = isAttended
        self.wording = wording
        owesReset = resetsFirst
    }

    mutating func handle(_ event: Event) -> [Action] {
        guard phase != .ended else { return [] }
        switch event {
        case .begun: return [.readSignIn]
        case .signInRead(let signIn): return signInRead(signIn) + reloadEnds()
        case .replicator(let news): return replicator(news)
        case .folderIsBusy: return folderIsBusy()
        case .signInChanged: return phase == .ending ? [] : [.readSignIn]
        case .reloadAsked: return reloadAsked()
        case .networkCameBack:
            // A network comes back in steps, so wait for the rest; a running replicator watches it itself.
            return phase == .waiting ? [.wake(ServiceLimits.networkSettles)] : []
        case .syncAsked(let request): return asked(request)
        case .timeIsUp: return phase == .waiting ? [.readSignIn] : []
        case .stopAsked: return stopAsked()
        case .stopOverdue: return phase == .ending ? end() : []
        }
    }
}

// MARK: - Signing in

extension ServicePolicy {
    private mutating func signInRead(_ signIn: SignIn) -> [Action] {
        switch (phase, signIn) {
        case (.waiting, .usable): return start()
        case (.waiting, .unusable(let why)): return giveUp(why)
        case (.running, .usable(isNew: true)):
            // Another user, or gateway, has another checkpoint: the requests are about that one from now on.
            if requests.all.contains(where: \.resets) { owesReset = true }
            return [.remark(.newSignIn)] + restart()
        case (.running, .usable(isNew: false)):
            // A reload without an exchange means another try.
            return isReloading && state.activity == .offline ? restart() : []
        case (.running, .unusable(let why)): return [.remark(.unusableSignIn(why: why))]
        case (.restarting, _), (.ending, _), (.ended, _): return []
        }
    }

    private mutating func reloadAsked() -> [Action] {
        guard phase != .ending else { return [] }
        isReloading = true
        return [.beginReload, .readSignIn]
    }

    private mutating func reloadEnds() -> [Action] {
        guard isReloading else { return [] }
        isReloading = false
        return [.endReload]
    }

    private mutating func start() -> [Action] {
        phase = .running
        return [.start(resets: owesReset)]
    }

    private mutating func restart() -> [Action] {
        if case .waitingForNext(let all) = requests { requests = .waiting(all) }
        phase = .restarting
        return [.stop]
    }
}

// MARK: - The replicator

extension ServicePolicy {
    private mutating func replicator(_ news: News) -> [Action] {
        switch phase {
        case .running: return running(news)
        case .restarting: return news.activity == .stopped ? start() : []
        case .ending: return news.activity == .stopped ? end() : []
        case .waiting, .ended: return []
        }
    }

    private mutating func running(_ news: News) -> [Action] {
        switch news.activity {
        case .connecting:
            // Every try begins with this; the result of the last one stays reported.
            return state.activity == .offline ? [] : report(ServiceState(.connecting))
        case .exchanging:
            owesReset = false
            return report(ServiceState(.exchanging, completed: news.completed, total: news.total))
        case .idle: return idle()
        case .offline:
            let why = news.failure ?? text(.gatewayUnreached)
            return report(ServiceState(.offline, why: why)) + answer(.failed(why))
        case .stopped:
            phase = .waiting
            return giveUp(news.failure ?? text(.exchangeEnded))
        }
    }

    private mutating func idle() -> [Action] {
        refusals = 0
        owesReset = false
        let actions = report(ServiceState(.idle))
        switch requests {
        case .waitingForNext: return actions + restart()
        case .none, .waiting: return actions + answer(.exchanged)
        }
    }

    /// Waits for an event that may change the outcome.
    private mutating func giveUp(_ why: AdvisedText) -> [Action] {
        let actions = report(ServiceState(.waiting, why: why)) + answer(.failed(why))
        guard !isAttended else { return actions + end() }
        defer { refusals += 1 }
        return actions + [.wake(ServiceLimits.recheck(after: refusals))]
    }

    private mutating func folderIsBusy() -> [Action] {
        guard phase == .running else { return [] }
        phase = .waiting
        let why = text(.folderIsBusy)
        return report(ServiceState(.waiting, why: why)) + answer(.failed(why)) + [.wake(ServiceLimits.busyFolder)]
    }
}

// MARK: - Asked by others

extension ServicePolicy {
    private mutating func asked(_ request: SyncRequest) -> [Action] {
        if phase == .ending { return [.answer([request], .failed(text(.isEnding)))] }
        if request.resets { owesReset = true }
        let all = requests.all + [request]
        if case .waitingForNext = requests { requests = .waitingForNext(all) } else { requests = .waiting(all) }
        switch phase {
        case .waiting: return [.readSignIn]
        case .running:
            switch state.activity {
            case .exchanging where !request.resets:
                requests = .waitingForNext(all)
                return [.check]
            case .connecting where !request.resets: return []
            // A silent connection may be dead: a new one shows it.
            case .starting, .connecting, .exchanging, .idle, .offline, .waiting, .stopping, .stopped:
                return restart()
            }
        case .restarting, .ending, .ended: return []
        }
    }

    private func text(_ obstacle: ServiceObstacle) -> AdvisedText { wording.text(of: obstacle) }

    private mutating func answer(_ outcome: Outcome) -> [Action] {
        let all = requests.all
        requests = .none
        return all.isEmpty ? [] : [.answer(all, outcome)]
    }

    private mutating func stopAsked() -> [Action] {
        switch phase {
        case .waiting: return [.expectEnd] + answer(.failed(text(.isEnding))) + end()
        case .running, .restarting:
            phase = .ending
            return [.expectEnd] + answer(.failed(text(.isEnding))) + report(ServiceState(.stopping)) + [.stop]
        case .ending, .ended: return []
        }
    }

    private mutating func end() -> [Action] {
        phase = .ended
        return report(ServiceState(.stopped)) + [.end]
    }

    private mutating func report(_ state: ServiceState) -> [Action] {
        guard state != self.state else { return [] }
        self.state = state
        return [.report(state)]
    }
}
