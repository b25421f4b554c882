import NIOCore
import Testing

@testable import BLIPTransport

/// The time for which a client's bytes were read, in seconds.
@Suite struct ReadingTimeTests {
    private enum Step: Sendable {
        case pause(Int64)
        case resume(Int64)
        case take(Int64, is: Int64)
    }

    private static let histories: [(name: String, isPaused: Bool, steps: [Step])] = [
        ("without a pause", false, [.take(10, is: 10), .take(15, is: 5)]),
        ("a pause", false, [.pause(3), .resume(5), .take(10, is: 8), .take(11, is: 1)]),
        ("two pauses", false, [.pause(1), .resume(2), .pause(4), .resume(7), .take(10, is: 6)]),
        (
            "a pause that goes on", false,
            [.pause(3), .take(10, is: 3), .take(20, is: 0), .resume(25), .take(30, is: 5)]
        ),
        ("paused from the start", true, [.take(10, is: 0), .resume(12), .take(20, is: 8)]),
        ("the same twice", false, [.pause(1), .pause(5), .resume(6), .resume(9), .take(10, is: 5)]),
    ]

    @Test(arguments: histories.indices) func pausesDoNotCount(index: Int) {
        let history = Self.histories[index]
        func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }
        var time = ReadingTime(from: at(0), isPaused: history.isPaused)
        for step in history.steps {
            switch step {
            case .pause(let now): time.note(isPaused: true, at: at(now))
            case .resume(let now): time.note(isPaused: false, at: at(now))
            case .take(let now, let expected):
                let read = time.take(until: at(now))
                #expect(read == .seconds(expected), "\(history.name) at \(now)")
            }
        }
    }
}
