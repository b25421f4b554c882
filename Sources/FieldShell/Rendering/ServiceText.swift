import FieldSync

/// The sync service as a worker reads it.
enum ServiceText {
    /// The lines of `status`.
    ///
    /// - Parameter unsent: records, or versions of records, that are only here; `nil` if they were not counted, because
    ///   that takes the passphrase.
    static func lines(_ status: SyncStatus, unsent: Int?) -> [String] {
        state(status, unsent: unsent) + [status.secondsAhead.map(clockWarning)].compactMap(\.self)
    }

    private static func state(_ status: SyncStatus, unsent: Int?) -> [String] {
        let last = status.sinceExchange.map { seconds in
            switch unsent {
            case nil: "last sync \(ago(seconds))"
            case 0?: "everything was last exchanged \(ago(seconds))"
            case let count?: "last sync \(ago(seconds)); \(wait(count))"
            }
        }
        switch status.service {
        case .none: return ["only by the command sync", last].compactMap(\.self)
        case .stopped:
            return ["only by the command sync (the service was stopped \(ago(status.age)))", last].compactMap(\.self)
        case .gone:
            return [
                "the service is not running: it was killed, or the computer was switched off",
                "start it again: service install. Sync once: sync. Remove the service: service uninstall", last,
            ].compactMap(\.self)
        case .running(let state):
            let shown = state.activity == .idle ? nil : last
            let doing = doing(state, age: status.age, unsent: unsent)
            return ["the service runs" + doing, state.why.map { AdviceText.text($0) }, shown].compactMap(\.self)
        }
    }

    /// `3 records wait to be sent`.
    private static func wait(_ unsent: Int) -> String {
        "\(unsent.of("record")) \(unsent == 1 ? "waits" : "wait") to be sent"
    }

    private static func doing(_ state: ServiceState, age: Int64, unsent: Int?) -> String {
        switch state.activity {
        case .starting, .connecting: ", and is connecting"
        case .exchanging:
            ", and is exchanging"
                + (state.total > 0 ? ": \(state.completed.grouped) of \(state.total.grouped) records" : " records")
        case .idle: unsent.map { $0 == 0 ? "; everything is exchanged" : "; \(wait($0))" } ?? ""
        case .offline: ", offline for \(span(age))"
        case .waiting: ", but cannot sync"
        case .stopping, .stopped: ", and is stopping"
        }
    }

    /// Behind how the photos are sealed.
    static func lock(_ lock: StatusReport.Lock) -> String {
        switch lock {
        case .open: ", open"
        case .onRequest: ", not open yet"
        case .locked: ", locked until you give it"
        }
    }

    /// The note for a worker at the prompt, once for each change of the state; `nil` if there is none.
    static func note(_ status: SyncStatus, after old: SyncTrouble?, waiting: () throws -> Int?) rethrows -> String? {
        let trouble = SyncTrouble(status, after: old)
        guard trouble != old else { return nil }
        switch trouble {
        case nil: return relief(status, old: old)
        case .offline:
            let rest = try waiting().map { $0 > 0 ? "; \(wait($0))" : "" } ?? ""
            return "Sync: offline\(rest). It goes on by itself when the gateway is back."
        case .refused(let why): return "Sync: \(AdviceText.text(why, spelling: .shell))"
        case .gone:
            return "Sync: the service is not running any more. Start it again: service install. "
                + "Sync once: sync"
        }
    }

    private static func relief(_ status: SyncStatus, old: SyncTrouble?) -> String {
        switch (status.service, old) {
        case (.none, _), (.stopped, _), (.gone, _): "Sync: the service was stopped. Sync once: sync"
        case (.running, .gone): "Sync: the service runs again."
        case (.running, .offline): "Sync: the gateway is back."
        case (.running, .refused), (.running, nil): "Sync: it goes on."
        }
    }

    static func remark(_ remark: ServiceRemark) -> String {
        switch remark {
        case .newSignIn: "The new sign-in is used from now on."
        case .unusableSignIn(let why): "\(AdviceText.text(why)) It goes on with the sign-in that it has."
        case .networkUnwatched(let why):
            "\(AdviceText.text(why)) After a refusal the service tries again after fixed times only."
        case .requestsUnreadable(let why): "The requests of the shells cannot be read: \(AdviceText.text(why))"
        case .statusUnwritten(let why): "The shells cannot be notified of the progress: \(AdviceText.text(why))"
        case .clock(let secondsAhead): clockWarning(secondsAhead: secondsAhead)
        case .failed(let why): AdviceText.text(why)
        }
    }

    static func clockWarning(secondsAhead: Int64) -> String {
        "This laptop's clock is \(span(abs(secondsAhead))) \(secondsAhead > 0 ? "ahead of" : "behind") the gateway's. "
            + "Correct it: it dates the records, and decides what \"today\" is."
    }

    /// A time that this laptop's clock has not reached yet is from before the clock was set back.
    static func ago(_ seconds: Int64) -> String {
        switch seconds {
        case ..<(-60): "\(span(-seconds)) from now, by this laptop's clock (is it right?)"
        case ..<60: "just now"
        default: span(seconds) + " ago"
        }
    }

    static func span(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "less than a minute"
        case ..<3_600: Int(seconds / 60).of("minute")
        case ..<86_400: Int(seconds / 3_600).of("hour")
        default: Int(seconds / 86_400).of("day")
        }
    }
}
