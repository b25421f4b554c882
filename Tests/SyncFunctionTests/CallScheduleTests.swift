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

    /// A call of each owner has been quick.
    private func quickSchedule(workers: Int, _ owners: [String]) throws -> Schedule {
        var schedule = Schedule(workers: workers)
        for owner in owners {
            schedule.add(Self.item("first"), of: Self.owner(owner), at: .zero)
            let next = schedule.next(at: .zero)
            schedule.finished(try #require(next), wasSlow: false, at: .zero)
        }
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
            while let trip = schedule.next(at: .zero) { running.append(trip) }
        }
        schedule.add(Self.item("bob"), of: Self.owner("ry/bob"), at: .zero)
        let next = schedule.next(at: .zero)
        let bobs = try #require(next)
        #expect(bobs.jobs == ["bob"])
        schedule.finished(bobs, wasSlow: false, at: .zero)
        // They take as long as they may: from then on ann has one worker.
        for trip in running { schedule.finished(trip, wasSlow: true, at: .seconds(5)) }
        for number in 6..<12 { schedule.add(Self.item("ann\(number)"), of: Self.owner("rx/ann"), at: .seconds(5)) }
        #expect(schedule.next(at: .zero)?.owner == Self.owner("rx/ann"))
        #expect(schedule.next(at: .zero) == nil)
    }

    /// With one worker nobody waits for more than one slow call.
    @Test func oneWorkerIsSharedInTurns() {
        var schedule = Schedule(workers: 1)
        var order: [String] = []
        for number in 0..<3 {
            schedule.add(Self.item("ann\(number)", bytes: 3 << 20), of: Self.owner("rx/ann"), at: .zero)
        }
        schedule.add(Self.item("bob"), of: Self.owner("ry/bob"), at: .zero)
        while let trip = schedule.next(at: .zero) {
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
        while let trip = schedule.next(at: .zero) {
            order.append(trip.jobs)
            schedule.finished(trip, wasSlow: false, at: .zero)
        }
        // Calls of one user share a trip.
        #expect(order == [["a1", "a2"], ["c1", "c2"], ["d1"], ["b1", "b2"]])
    }

    @Test(arguments: [(true, 3), (false, 1)]) func oneDatabaseNeverHasAllWorkers(areKnown: Bool, count: Int) throws {
        let owners = (0..<10).map { "x/u\($0)" }
        var schedule = try quickSchedule(workers: 4, areKnown ? owners : [])
        for owner in owners { schedule.add(Self.item("job"), of: Self.owner(owner), at: .zero) }
        var begun: [Schedule.Kind] = []
        while let trip = schedule.next(at: .zero) { begun.append(trip.kind) }
        let kind: Schedule.Kind = areKnown ? .usual : .unknown
        #expect(begun == Array(repeating: kind, count: count))
    }

    /// Whose calls were quick waits for nobody of whom nothing is known, however many these are; neither does another database.
    @Test(arguments: [10, 100]) func theQuickDoNotWaitForThoseWhoAreNew(count: Int) throws {
        var schedule = try quickSchedule(workers: 5, ["x/bob"])
        for number in 0..<count { schedule.add(Self.item("new"), of: Self.owner("x/u\(number)"), at: .zero) }
        for owner in ["x/bob", "y/carol"] { schedule.add(Self.item(owner), of: Self.owner(owner), at: .zero) }
        var begun: [String] = []
        while let trip = schedule.next(at: .zero) { begun.append(trip.jobs[0]) }
        #expect(begun.sorted() == ["new", "new", "x/bob", "y/carol"])
        // Where long calls have all that they may have, a worker is left.
        var last = try quickSchedule(workers: 5, ["x/bob"])
        for number in 0..<count { last.add(Self.item("new"), of: Self.owner("x/u\(number)"), at: .zero) }
        last.add(Self.item("large", bytes: 3 << 20), of: Self.owner("x/dan"), at: .zero)
        var running = 0
        while last.next(at: .zero) != nil { running += 1 }
        #expect(running == 3)
        last.add(Self.item("bob"), of: Self.owner("x/bob"), at: .zero)
        #expect(last.next(at: .zero)?.jobs == ["bob"])
    }

    /// Nobody waits for ever, also a user who has much.
    @Test(arguments: [1, 2, 5]) func theNewHaveTheirTurnAmongTheQuick(workers: Int) throws {
        var schedule = try quickSchedule(workers: workers, ["x/bob"])
        schedule.add(Self.item("new"), of: Self.owner("x/ann"), at: .zero)
        var begun: [String] = []
        for _ in 0..<3 {
            schedule.add(Self.item("bob"), of: Self.owner("x/bob"), at: .zero)
            let next = schedule.next(at: .zero)
            let trip = try #require(next)
            begun.append(trip.jobs[0])
            schedule.finished(trip, wasSlow: false, at: .zero)
        }
        #expect(begun.contains("new") && begun.contains("bob"), "\(begun)")
    }

    /// Of an hour, or of two; and not of those who have become slow since.
    @Test func quicknessIsForgotten() {
        var owners = QuickOwners()
        let (ann, bob) = (Self.owner("x/ann"), Self.owner("x/bob"))
        owners.note(ann, at: .zero)
        owners.note(bob, at: .seconds(3_700))
        #expect(owners.contains(ann, at: .seconds(3_700)) && owners.contains(bob, at: .seconds(3_700)))
        #expect(!owners.contains(ann, at: .seconds(7_400)) && owners.contains(bob, at: .seconds(7_400)))
        #expect(!owners.contains(bob, at: .seconds(11_000)))
        owners.forget(bob)
        #expect(!owners.contains(bob, at: .seconds(3_700)))
    }

    @Test func ofManyQuickOwnersTheLastAreKnown() {
        var owners = QuickOwners()
        let count = 2 * SyncFunctionLimits.quickOwners + 1
        for number in 0..<count {
            owners.note(CallOwner(database: "x", user: Name("u\(number)")), at: .seconds(1))
        }
        #expect(!owners.contains(CallOwner(database: "x", user: "u0"), at: .seconds(1)))
        for number in [SyncFunctionLimits.quickOwners, count - 1] {
            #expect(owners.contains(CallOwner(database: "x", user: Name("u\(number)")), at: .seconds(1)))
        }
    }

    /// A user who has slow calls is served again like others when a minute has passed without one.
    @Test func slownessIsForgotten() {
        var schedule = Schedule(workers: 4)
        let ann = Self.owner("x/ann")
        let kinds: [(Duration, Schedule.Kind)] = [
            (.zero, .unknown), (.seconds(59), .slow), (.seconds(120), .unknown), (.seconds(121), .usual),
        ]
        for (time, kind) in kinds {
            schedule.add(Self.item("j"), of: ann, at: time)
            guard let trip = schedule.next(at: time) else {
                Issue.record("nothing to do at \(time)")
                return
            }
            #expect(trip.kind == kind)
            schedule.finished(trip, wasSlow: time == .zero, at: time)
        }
    }

    /// So many slow accounts of one database, which have their turns, and what each has waiting.
    ///
    /// - Parameter quick: other owners, whose calls were quick.
    private func slowAccounts(_ count: Int, workers: Int, quick: [String] = []) throws -> Schedule {
        var schedule = try quickSchedule(workers: workers, quick)
        for number in 0..<count {
            let owner = Self.owner("x/slow\(number)")
            schedule.add(Self.item("first"), of: owner, at: .zero)
            let next = schedule.next(at: .zero)
            schedule.finished(try #require(next), wasSlow: true, at: .zero)
        }
        for number in 0..<count {
            for _ in 0..<3 { schedule.add(Self.item("slow"), of: Self.owner("x/slow\(number)"), at: .zero) }
        }
        return schedule
    }

    /// One person may have many accounts: whatever their number, those who share a database with them wait for one call,
    /// and where there is more than one worker for none.
    @Test(arguments: [1, 2, 4], [3, 5, 40])
    func manySlowAccountsHoldNobodyUp(workers: Int, accounts: Int) throws {
        var schedule = try slowAccounts(accounts, workers: workers)
        var running: [Schedule.Trip] = []
        while let trip = schedule.next(at: .zero) { running.append(trip) }
        #expect(running.map(\.kind) == [.slow])
        schedule.add(Self.item("bob"), of: Self.owner("x/bob"), at: .zero)
        schedule.add(Self.item("carol"), of: Self.owner("y/carol"), at: .zero)
        var begun: [String] = []
        if workers == 1 { for trip in running { schedule.finished(trip, wasSlow: true, at: .seconds(5)) } }
        while begun.count < 4, let trip = schedule.next(at: .seconds(5)) {
            begun.append(trip.jobs[0])
            schedule.finished(trip, wasSlow: trip.kind == .slow, at: .seconds(5))
        }
        let expected = workers == 1 ? ["bob", "slow", "carol", "slow"] : ["bob", "carol"]
        #expect(Array(begun.prefix(expected.count)) == expected, "\(begun)")
    }

    /// A large document is none of a slow owner's: where workers are few it has every other turn.
    @Test(arguments: [2, 3]) func slowAccountsHoldNoLargeDocumentUp(workers: Int) throws {
        var schedule = try slowAccounts(20, workers: workers)
        for job in ["large1", "large2"] {
            schedule.add(Self.item(job, bytes: 3 << 20), of: Self.owner("x/bob"), at: .zero)
        }
        var begun: [String] = []
        for _ in 0..<4 {
            let next = schedule.next(at: .zero)
            let trip = try #require(next)
            #expect(schedule.next(at: .zero) == nil)
            begun.append(trip.jobs[0])
            schedule.finished(trip, wasSlow: trip.kind == .slow, at: .zero)
        }
        #expect(begun.filter { $0 != "slow" } == ["large1", "large2"])
        #expect(zip(begun, begun.dropFirst()).allSatisfy { $0 != "slow" || $1 != "slow" }, "\(begun)")
    }

    /// Where there are enough workers large documents have one of their own, and slow accounts another; the usual calls
    /// have the rest.
    @Test(arguments: [4, 5]) func largeDocumentsDoNotWaitForSlowAccounts(workers: Int) throws {
        var schedule = try slowAccounts(20, workers: workers, quick: (0..<9).map { "x/u\($0)" })
        for job in ["large1", "large2"] {
            schedule.add(Self.item(job, bytes: 3 << 20), of: Self.owner("x/bob"), at: .zero)
        }
        for number in 0..<9 { schedule.add(Self.item("usual"), of: Self.owner("x/u\(number)"), at: .zero) }
        var jobs: [String] = []
        while let trip = schedule.next(at: .zero) { jobs.append(trip.jobs[0]) }
        #expect(jobs == ["large1", "slow"] + Array(repeating: "usual", count: workers - 2))
    }

    /// Six accounts that nobody knows as slow send a document each that takes long: somebody else's smaller one waits
    /// for the one that is being worked on, and for none of the others, in the same database and in another.
    @Test(arguments: [1, 2, 5], ["x/bob", "y/bob"])
    func largeDocumentsOfOthersHoldNobodyUp(workers: Int, bob: String) throws {
        var schedule = Schedule(workers: workers)
        for number in 0..<6 {
            let owner = Self.owner("x/ann\(number)")
            schedule.add(Self.item("ann\(number)", bytes: 15_000_000), of: owner, at: .zero)
        }
        let first = schedule.next(at: .zero)
        let running = try #require(first)
        #expect(schedule.next(at: .zero) == nil)
        // It is cut off when it has taken much longer than reading it may take.
        #expect(running.cutAfter == SyncFunctionLimits.slowTrip)
        schedule.add(Self.item("bob", bytes: 1_200_000), of: Self.owner(bob), at: .seconds(1))
        schedule.finished(running, wasSlow: true, at: .seconds(16))
        schedule.putBack(Self.item("ann0", bytes: 15_000_000), of: running.owner, at: .seconds(16))
        var begun: [String] = []
        while let trip = schedule.next(at: .seconds(16)), trip.jobs != ["bob"] {
            begun += trip.jobs
            if workers < 4 { schedule.finished(trip, wasSlow: trip.kind == .slow, at: .seconds(16)) }
        }
        #expect(begun.isEmpty || workers < 4 && begun == ["ann0"], "\(begun)")
    }

    /// What is dear waits for one of each other owner, however many more they have.
    @Test func theDearHaveTheirShare() {
        var turns = CostTurns<String>()
        turns.append("dear", of: Self.owner("x/ann"), cost: .seconds(5))
        var taken: [String] = []
        for number in 0..<40 {
            turns.append("cheap", of: Self.owner("x/u\(number % 4)"), cost: .seconds(1))
            if number >= 4, let next = turns.takeNext() { taken.append(next.element) }
        }
        #expect(taken.firstIndex(of: "dear").map { 3...6 ~= $0 } == true, "\(taken)")
    }

    /// Databases that are deleted would be remembered as long as the gateway runs.
    @Test func costTurnsForgetDatabasesForWhichNothingWaits() {
        var turns = CostTurns<Int>()
        for number in 0..<100 {
            turns.append(number, of: Self.owner("db\(number)/ann"), cost: .seconds(1))
            #expect(turns.takeNext()?.element == number)
        }
        #expect(turns.turns.isEmpty)
    }

    /// Those of one owner keep their order, and nothing that was put in is lost.
    @Test func costTurnsKeepWhatTheyGot() {
        var turns = CostTurns<Int>()
        let owners = ["x/a", "x/b", "y/c"].map(Self.owner)
        for number in 0..<30 {
            turns.append(number, of: owners[number % 3], cost: .seconds(1 + number * 7 % 5))
        }
        let first = turns.takeNext()
        #expect(first?.element == 0)
        turns.putBack(0, of: owners[0])
        #expect(turns.takeAll(of: owners[1]) == Array(stride(from: 1, to: 30, by: 3)))
        #expect(turns.takeAll(of: owners[1]).isEmpty)
        var taken: [CallOwner: [Int]] = [:]
        while let next = turns.takeNext() { taken[next.owner, default: []].append(next.element) }
        #expect(taken[owners[0]] == Array(stride(from: 0, to: 30, by: 3)))
        #expect(taken[owners[2]] == Array(stride(from: 2, to: 30, by: 3)))
        turns.append(1, of: owners[0], cost: .seconds(1))
        #expect(turns.takeAll() == [1])
        #expect(turns.takeAll().isEmpty)
    }

    /// Who is not known to be slow is found out in less time the more others of the database are.
    @Test(arguments: [
        (false, 0, 1_000), (false, 1, 500), (false, 2, 333), (false, 3, 100), (false, 40, 100), (true, 0, 1_000),
        (true, 2, 333), (true, 3, 250), (true, 40, 250),
    ])
    func aUsualCallIsCutTheEarlierTheMoreAreSlow(isQuick: Bool, accounts: Int, milliseconds: Int) throws {
        var schedule = try slowAccounts(accounts, workers: 4, quick: isQuick ? ["x/bob"] : [])
        for owner in ["x/bob", "y/carol"] { schedule.add(Self.item("job"), of: Self.owner(owner), at: .zero) }
        var cuts: [String: Duration] = [:]
        while let trip = schedule.next(at: .zero) { cuts[trip.owner.database.text] = trip.cutAfter }
        let cut = try #require(cuts["x"])
        #expect((cut / .milliseconds(1)).rounded() == Double(milliseconds))
        #expect(cuts["y"] == .seconds(1))
    }

    /// What was cut off goes before what its owner has waiting, in its order.
    @Test func whatWasBegunGoesFirst() throws {
        var schedule = schedule(workers: 1, [("first", "x/a"), ("second", "x/a")])
        let next = schedule.next(at: .zero)
        let trip = try #require(next)
        schedule.add(Self.item("third"), of: trip.owner, at: .zero)
        schedule.finished(trip, wasSlow: false, at: .zero)
        for job in trip.jobs.reversed() { schedule.putBack(Self.item(job), of: trip.owner, at: .zero) }
        #expect(schedule.next(at: .zero)?.jobs == ["first", "second", "third"])
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
