import NIOCore

/// Whether a server that owes a reply sends anything of BLIP: its WebSocket layer may answer pings where nothing behind it gets
/// on. Each frame counts, also of another message, and acknowledgements: a server may take its time for a reply while it works.
///
/// Times come with the events; nothing here knows a clock.
struct ReplyWait {
    enum Finding {
        /// It has sent nothing for the time of a notice.
        case silent
        case givenUp
    }

    private enum State {
        case nothingOwed
        case waiting(since: NIODeadline)
        /// That was found once already.
        case silent(since: NIODeadline)
        /// The time is up. A machine that slept, or a loop that was kept busy, may have the reply unread in its socket, and
        /// gets one look at that first.
        case doubted(until: NIODeadline)
    }

    private let silence: SilenceLimits
    private var state = State.nothingOwed

    init(_ silence: SilenceLimits) { self.silence = silence }

    /// When `timerFired` is due; `nil` where nothing is owed.
    var deadline: NIODeadline? {
        switch state {
        case .nothingOwed: nil
        case .waiting(let since): since + silence.notice
        case .silent(let since): since + silence.limit
        case .doubted(let until): until
        }
    }

    /// - Parameter isOwed: some request has no whole reply yet.
    mutating func note(isOwed: Bool, at now: NIODeadline) {
        if !isOwed {
            state = .nothingOwed
        } else if case .nothingOwed = state {
            state = .waiting(since: now)
        }
    }

    /// A frame has come, or none could: this side did not read, or was still sending what the server waits for.
    mutating func heard(at time: NIODeadline) {
        switch state {
        case .nothingOwed: return
        case .waiting(let since), .silent(let since):
            if time > since { state = .waiting(since: time) }
        case .doubted: state = .waiting(since: time)
        }
    }

    mutating func timerFired(at now: NIODeadline) -> Finding? {
        guard let deadline, deadline <= now else { return nil }
        switch state {
        case .nothingOwed: return nil
        case .waiting(let since):
            state = .silent(since: since)
            return .silent
        case .silent:
            state = .doubted(until: now + min(silence.limit, TransportLimits.longestPongGrace))
            return nil
        case .doubted: return .givenUp
        }
    }
}

/// How long a server may owe a reply and send nothing but pongs.
public struct SilenceLimits: Sendable, Hashable {
    /// Until that is reported.
    public var notice: TimeAmount
    /// Until the connection is given up.
    public var limit: TimeAmount

    public init(
        notice: TimeAmount = TransportLimits.silenceNotice, limit: TimeAmount = TransportLimits.longestSilence
    ) {
        self.notice = notice
        self.limit = limit
    }
}
