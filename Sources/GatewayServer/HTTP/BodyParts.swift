/// The pieces in which a body comes. Each costs as much as a kilobyte of one, so a body of pieces of one byte keeps everybody else
/// of the event loop waiting: its connection is closed. Pure.
struct BodyParts {
    enum Outcome {
        case taken
        /// The connection is to be closed.
        case tooSmall
        /// It is closed already.
        case dropped
    }

    private enum State {
        case arriving(small: Int)
        case refused
    }

    private var state = State.arriving(small: 0)

    /// Another request. The whole body of one may be a few bytes.
    mutating func begin() {
        if case .arriving(let small) = state { state = .arriving(small: max(0, small - 4)) }
    }

    mutating func note(_ bytes: Int) -> Outcome {
        guard case .arriving(let before) = state else { return .dropped }
        let small = bytes < GatewayServerLimits.leastBodyPart ? before + 1 : before
        guard small <= GatewayServerLimits.smallBodyParts else {
            state = .refused
            return .tooSmall
        }
        state = .arriving(small: small)
        return .taken
    }
}
