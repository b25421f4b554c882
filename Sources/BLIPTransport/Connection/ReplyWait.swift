import NIOCore

/// Whether a server that owes a reply sends any BLIP frames: its WebSocket layer may answer pings although the program behind
/// it is stuck. Each frame counts, also one of another message or an acknowledgement: a server that works may take its time
/// for a reply.
///
/// Times come with the events; nothing here knows a clock.
struct ReplyWait {
    enum Finding {
        /// The server has sent nothing for the time after which that is reported.
        case silent
        case givenUp
    }

    private enum State {
        case nothingOwed
        case waiting(since: NIODeadline)
        /// The silence is already reported.
        case silent(since: NIODeadline)
        /// The time is up. After a sleep of the machine, or on a busy loop, the reply may be unread in the socket, so the
        /// socket is read once more before.
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

    /// A frame has arrived. Or none could arrive: this side did not read, or was still sending data for which the
    /// server waits.
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
    /// The time until the silence is reported.
    public var notice: TimeAmount
    /// The time until the connection is given up.
    public var limit: TimeAmount

    public init(
        notice: TimeAmount = TransportLimits.silenceNotice, limit: TimeAmount = TransportLimits.longestSilence
    ) {
        self.notice = notice
        self.limit = limit
    }
}
