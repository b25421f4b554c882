import DocumentValues
import Testing

@testable import SyncFunction

/// Who gets a worker next; without workers and without a clock.
@Suite struct CallScheduleTests {
    private typealias Schedule = CallSchedule<String>

    private static func owner(_ name: String) -> CallOwner {
        let parts = name.split(separator: "/").map(String.init)
        return CallOwner(database: Name(parts[0]), user: Name(parts[1]))
    }

    private static func item(_ name: String, bytes: Int = 10) -> Schedule.Item {
        Schedule.Item(job: name, calls: 1, bytes: bytes)
    }

    private func schedule(workers: Int, _ items: [(job: String, owner: String)]) -> Schedule {
        var schedule = Schedule(workers: workers)
        for (job, owner) in items { schedule.add(Self.item(job), of: Self.owner(owner), at: .zero) }
        return schedule
    }

    /// Six slow documents of ann's never take the worker that bob's write in another database needs, however many
    /// workers there are.
    @Test(arguments: [2, 3, 4, 8])
    func slowDocumentsOfOneLeaveAWorkerToOthers(workers: Int) throws {
        var schedule = Schedule(workers: workers)
        var running: [Schedule.Trip] = []
        for number in 0..<6 {
            schedule.add(Self.item("ann\(number)"), of: Self.owner("rx/ann"), at: .zero)
            while let trip = schedule.next() { running.append(trip) }
        }
        schedule.add(Self.item("bob"), of: Self.owner("ry/bob"), at: .zero)
        let next = schedule.next()
        let bobs = try #require(next)
        #expect(bobs.jobs == ["bob"])
        schedule.finished(bobs, wasSlow: false, at: .zero)
        // They take as long as they may: from then on ann has one worker.
        for trip in running { schedule.finished(trip, wasSlow: true, at: .seconds(5)) }
        for number in 6..<12 { schedule.add(Self.item("ann\(number)"), of: Self.owner("rx/ann"), at: .seconds(5)) }
        #expect(schedule.next()?.owner == Self.owner("rx/ann"))
        #expect(schedule.next() == nil)
    }

    /// With one worker nobody waits for more than one slow call.
    @Test func oneWorkerIsSharedInTurns() {
        var schedule = Schedule(workers: 1)
        var order: [String] = []
        for number in 0..<3 {
            schedule.add(Self.item("ann\(number)", bytes: 3 << 20), of: Self.owner("rx/ann"), at: .zero)
        }
        schedule.add(Self.item("bob"), of: Self.owner("ry/bob"), at: .zero)
        while let trip = schedule.next() {
            order += trip.jobs
            schedule.finished(trip, wasSlow: trip.owner.user?.text == "ann", at: .zero)
        }
        #expect(order.firstIndex(of: "bob").map { $0 <= 1 } == true, "\(order)")
        #expect(order.count == 4)
    }

    @Test func databasesTakeTurnsAndUsersWithinThem() {
        var schedule = schedule(
            workers: 1,
            [
                ("a1", "x/a"), ("b1", "x/b"), ("c1", "y/c"), ("a2", "x/a"), ("c2", "y/c"), ("d1", "z/d"), ("b2", "x/b"),
            ])
        var order: [[String]] = []
        while let trip = schedule.next() {
            order.append(trip.jobs)
            schedule.finished(trip, wasSlow: false, at: .zero)
        }
        // Calls of one user share a trip.
        #expect(order == [["a1", "a2"], ["c1", "c2"], ["d1"], ["b1", "b2"]])
    }

    @Test func oneDatabaseNeverHasAllWorkers() {
        var schedule = schedule(workers: 4, (0..<10).map { ("j\($0)", "x/u\($0)") })
        #expect((0..<4).map { _ in schedule.next()?.owner.database.text } == ["x", "x", "x", nil])
    }

    /// Whoever has slow calls is served again like others when a minute has passed without one.
    @Test func slownessIsForgotten() {
        var schedule = Schedule(workers: 4)
        let ann = Self.owner("x/ann")
        for (time, isHeavy) in [(Duration.zero, false), (.seconds(59), true), (.seconds(120), false)] {
            schedule.add(Self.item("j"), of: ann, at: time)
            guard let trip = schedule.next() else {
                Issue.record("nothing to do at \(time)")
                return
            }
            #expect(trip.isHeavy == isHeavy)
            schedule.finished(trip, wasSlow: time == .zero, at: time)
        }
    }

    /// One person may have many accounts: two slow users make the database slow, and leave the others what they need.
    @Test func manySlowAccountsCountAsOne() throws {
        var schedule = Schedule(workers: 4)
        for user in ["a", "b"] {
            schedule.add(Self.item(user), of: Self.owner("x/\(user)"), at: .zero)
            let next = schedule.next()
            schedule.finished(try #require(next), wasSlow: true, at: .zero)
        }
        for user in ["c", "d", "e"] { schedule.add(Self.item(user), of: Self.owner("x/\(user)"), at: .zero) }
        schedule.add(Self.item("bob"), of: Self.owner("y/bob"), at: .zero)
        #expect([schedule.next(), schedule.next()].map { $0?.jobs } == [["c"], ["bob"]])
        #expect(schedule.next() == nil)
    }

    /// What was cut off goes before what its owner has waiting, in its order.
    @Test func whatWasBegunGoesFirst() throws {
        var schedule = schedule(workers: 1, [("first", "x/a"), ("second", "x/a")])
        let next = schedule.next()
        let trip = try #require(next)
        schedule.add(Self.item("third"), of: trip.owner, at: .zero)
        schedule.finished(trip, wasSlow: false, at: .zero)
        for job in trip.jobs.reversed() { schedule.putBack(Self.item(job), of: trip.owner, at: .zero) }
        #expect(schedule.next()?.jobs == ["first", "second", "third"])
    }

    @Test func aLineKeepsItsOrder() {
        var line = Line<Int>()
        for number in 0..<100 { line.append(number) }
        for _ in 0..<60 { line.removeFirst() }
        line.prepend(7)
        line.moveToEnd(1)
        #expect(line.first == 7)
        #expect(Array(line).prefix(2) == [7, 61])
        #expect(Array(line).last == 60)
        #expect(line.rotate { $0 > 70 } == 71)
        line.removeLast { $0 == 71 }
        #expect(line.count == 40)
    }
}
