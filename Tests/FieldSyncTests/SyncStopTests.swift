import Synchronization
import Testing

@testable import FieldSync

/// A stop that is asked for before the sync has begun, or while it goes.
@Suite struct SyncStopTests {
    private final class Counter: Sendable {
        let value = Atomic(0)

        func add() { value.add(1, ordering: .relaxed) }
        var count: Int { value.load(ordering: .relaxed) }
    }

    @Test(arguments: [true, false]) func whatIsToBeDoneIsDoneOnce(isEarly: Bool) {
        let (stop, counter) = (SyncStop(), Counter())
        if isEarly { stop.ask() }
        #expect(stop.isAsked == isEarly)
        stop.whenAsked { counter.add() }
        #expect(counter.count == (isEarly ? 1 : 0))
        stop.ask()
        stop.ask()
        #expect(stop.isAsked && counter.count == 1)
    }
}
