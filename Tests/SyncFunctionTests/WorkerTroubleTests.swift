import DocumentValues
import Foundation
import Glibc
import Logging
import SyncFunction
import Testing

/// Functions that loop, eat memory or kill their worker take nothing with them.
@Suite(.timeLimit(.minutes(2))) struct WorkerTroubleTests {
    private static let loops = "function(doc){ if (doc.loop) while (true) {} channel('c' + doc.n); }"

    @Test func aLoopIsCutAndTheRestGoesOn() async throws {
        let pool = WorkerExecutable.pool { $0.time = .milliseconds(300) }
        let calls = (0..<300).map { n in
            Trial(function: Self.loops, document: #"{"n":\#(n),"loop":\#(n == 7 || n == 200)}"#).call
        }
        let outcomes = try await pool.run(calls)
        for (n, outcome) in outcomes.enumerated() {
            if n == 7 || n == 200 {
                #expect(outcome == .refused(500, "JS sync function timed out"))
            } else {
                #expect(outcome == SyncFunctionOutcome(channels: ["c\(n)"]))
            }
        }
    }

    /// Hours of them would outlast the client.
    @Test(arguments: [true, false]) func aRequestOfSlowDocumentsIsLeftOut(hasBudget: Bool) async throws {
        // The first document has to be done within it on a busy machine, too, where all are run to the end.
        let pool = WorkerExecutable.pool { $0.time = .milliseconds(hasBudget ? 100 : 500) }
        let budget = hasBudget ? SlowCallBudget(calls: 10) : nil
        // More than fit into one trip.
        let calls = (0..<(hasBudget ? 300 : 12)).map { n in
            var call = Trial(function: Self.loops, document: #"{"n":\#(n),"loop":\#(n > 0)}"#).call
            call.budget = budget
            return call
        }
        let outcomes = try await pool.run(calls)
        // With a budget others may have spent it while it waits for its turn.
        let accepted = outcomes.count { $0 == SyncFunctionOutcome(channels: ["c0"]) }
        let slow = outcomes.count { $0 == .refused(500, "JS sync function timed out") }
        let leftOut = outcomes.count { $0.rejection == .leftOut && $0.failure == nil }
        #expect(accepted + slow + leftOut == calls.count)
        // Workers of several trips may be at a call at the same time.
        #expect(hasBudget ? slow >= 10 && slow < 20 : accepted == 1 && leftOut == 0)
    }

    /// They wait until it is their turn, and are left out then.
    @Test func cancelledCallsTakeNoTimeOfAWorker() async throws {
        let pool = WorkerExecutable.pool { $0.time = .milliseconds(500) }
        let call = Trial(function: Self.loops, document: #"{"loop":true}"#, user: SyncFunctionUser(name: "ann")).call
        let slow = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do { return try await pool.run([call])[0].rejection != nil } catch is CancellationError {
                        return false
                    }
                }
            }
            let first = try await group.next() ?? false
            group.cancelAll()
            return try await group.reduce(into: [first]) { $0.append($1) }.count { $0 }
        }
        // Others may have been with a worker already.
        #expect(slow >= 1 && slow < 5)
    }

    /// The same for a client that waits for the outcome, by a task that goes on.
    @Test func callsOfAClientThatIsGoneTakeNoTimeOfAWorker() async throws {
        let pool = WorkerExecutable.pool { $0.time = .milliseconds(500) }
        let client = ClientPresence()
        var call = Trial(function: Self.loops, document: #"{"loop":true}"#, user: SyncFunctionUser(name: "ann")).call
        call.client = client
        let slow = try await withThrowingTaskGroup(of: Bool.self) { [call] group in
            for _ in 0..<8 {
                group.addTask {
                    do { return try await pool.run([call])[0].rejection != nil } catch is CancellationError {
                        return false
                    }
                }
            }
            let first = try await group.next() ?? false
            client.noteGone()
            return try await group.reduce(into: [first]) { $0.append($1) }.count { $0 }
        }
        // Others may have been with a worker already.
        #expect(slow >= 1 && slow < 5)
    }

    /// Other people's documents may grant somebody tens of thousands of channels, and change one of them again and again.
    @Test func whatAUserHoldsTakesNoTimeFromTheirWrites() async throws {
        // Read inside of the engine, so many names take longer than that; outside of it, a busy machine has enough.
        let pool = WorkerExecutable.pool { $0.time = .seconds(15) }
        let function = "function(doc){ requireRole('r7'); requireAccess(doc.channel); channel(doc.channel); }"
        let granted = (0..<500_000).map { Name("granted-\($0)") }
        let calls = (0..<3).map { n in
            let user = SyncFunctionUser(name: "bob", roles: ["r7"], channels: Set(granted + [Name("own\(n)")]))
            return Trial(function: function, document: #"{"channel":"own\#(n)"}"#, user: user).call
        }
        let outcomes = try await pool.run(calls)
        #expect(outcomes == (0..<3).map { SyncFunctionOutcome(channels: [Name("own\($0)")]) })
    }

    /// A usual pattern that goes through all ways to match: each of ann's documents takes the whole time.
    @Test func slowDocumentsOfOneDatabaseHoldNoOtherUp() async throws {
        let pool = WorkerExecutable.pool { $0.time = .seconds(1) }
        let pattern = #"function(doc){ if (!/^([a-zA-Z0-9]+[._-]?)+@example\.org$/.test(doc.email)) channel('bad'); }"#
        let document = #"{"email":"\#(String(repeating: "a", count: 40))!"}"#
        var slow = Trial(function: pattern, document: document, user: SyncFunctionUser(name: "ann")).call
        slow.keyspace = "rx._default._default"
        var quick = Trial(function: "function(doc){ channel('x' + 1); }", user: SyncFunctionUser(name: "bob")).call
        quick.keyspace = "ry._default._default"
        let order = try await withThrowingTaskGroup(of: String.self) { [slow, quick] group in
            for _ in 0..<6 {
                group.addTask { try await pool.run([slow])[0].rejection?.reason ?? "no reason" }
            }
            // As soon as one of them has ended, the others of ann's are at the workers or wait for them.
            let first = try await group.next() ?? ""
            group.addTask { try await pool.run([quick])[0].channels.map(\.text).joined() }
            return try await group.reduce(into: [first]) { $0.append($1) }
        }
        // Those that were under way may end at the same time; in a queue it would be the last.
        #expect(order.firstIndex(of: "x1").map { $0 <= 3 } == true, "\(order)")
        #expect(order.count { $0 == "JS sync function timed out" } == 6)
    }

    /// Six accounts of one database whose documents take the whole time, and bob in the same database.
    @Test func manySlowAccountsHoldNoOtherOfTheirDatabaseUp() async throws {
        let pool = WorkerExecutable.pool { $0.time = .milliseconds(700) }
        func call(_ user: String, loops: Bool) -> SyncFunctionCall {
            Trial(
                function: Self.loops, document: #"{"n":1,"loop":\#(loops)}"#, user: SyncFunctionUser(name: Name(user))
            ).call
        }
        let slow = (0..<6).map { call("slow\($0)", loops: true) }
        func run(also quick: SyncFunctionCall?) async throws -> [String] {
            try await withThrowingTaskGroup(of: String.self) { group in
                for call in slow { group.addTask { try await pool.run([call])[0].rejection?.reason ?? "no reason" } }
                guard let quick else { return try await group.reduce(into: []) { $0.append($1) } }
                let first = try await group.next() ?? ""
                group.addTask { try await pool.run([quick])[0].channels.map(\.text).joined() }
                return try await group.reduce(into: [first]) { $0.append($1) }
            }
        }
        // Each is found out.
        let timedOut = [String](repeating: "JS sync function timed out", count: 6)
        #expect(try await run(also: nil) == timedOut)
        let order = try await run(also: call("bob", loops: false))
        #expect(order.firstIndex(of: "c1").map { $0 <= 2 } == true, "\(order)")
        #expect(order.filter { $0 != "c1" } == timedOut)
    }

    /// A call that is not finished when others want the worker has all its time afterwards.
    @Test func aCallThatIsCutIsRunAgain() async throws {
        let pool = WorkerExecutable.pool { $0.time = .seconds(20) }
        let slow = "function(doc){ var end = Date.now() + doc.ms; while (Date.now() < end) {} channel('c' + doc.ms); }"
        let calls = [1, 1_500, 2].map { Trial(function: slow, document: #"{"ms":\#($0)}"#).call }
        #expect(try await pool.run(calls).map(\.channels) == [["c1"], ["c1500"], ["c2"]])
    }

    @Test func aCallMayHaveATimeOfItsOwn() async throws {
        let pool = WorkerExecutable.pool { $0.time = .seconds(60) }
        var call = Trial(function: Self.loops, document: #"{"n":1,"loop":true}"#).call
        call.time = .milliseconds(200)
        #expect(try await pool.run([call]) == [.refused(500, "JS sync function timed out")])
    }

    @Test func aTextThatLoopsIsNoFunction() async throws {
        let pool = WorkerExecutable.pool { $0.time = .milliseconds(300) }
        let source = SyncFunctionSource("(function(){ while (true) {} })()")
        #expect(try await pool.problem(with: source)?.contains("runs for ever") == true)
        #expect(try await pool.problem(with: SyncFunctionSource("function(){ }")) == nil)
    }

    @Test func memoryIsBounded() async throws {
        let pool = WorkerExecutable.pool { $0.memory = 64 << 20 }
        let hungry = "function(doc){ if (doc.n === 1) { var s = 'x'; while (true) s += s; } channel('c' + doc.n); }"
        let greedy =
            "function(doc){ if (doc.n === 1) { var a = []; while (true) a.push({n: a.length}); } channel('c'); }"
        let calls = [hungry, greedy].flatMap { text in
            (0..<3).map { Trial(function: text, document: #"{"n":\#($0)}"#).call }
        }
        let outcomes = try await pool.run(calls)
        #expect(outcomes[1] == .exception)
        #expect(outcomes[4] == .exception)
        #expect([0, 2].map { outcomes[$0].channels } == [["c0"], ["c2"]])
        #expect([3, 5].map { outcomes[$0].channels } == [["c"], ["c"]])
    }

    /// Only the engine says that it had no memory: a channel, a reason or a line of the log may say what it likes.
    @Test func aDocumentThatSpeaksOfMemoryCostsNoWorker() async throws {
        let memory: UInt = 234_567_891
        let pool = WorkerExecutable.pool {
            $0.memory = memory
            $0.workers = 1
        }
        let function = """
            function(doc) {
                console.log(doc.t);
                if (doc.n === 1) throw({forbidden: doc.t});
                if (doc.n === 2) throw(doc.t);
                channel(doc.t);
            }
            """
        let calls = (0..<4).map { Trial(function: function, document: #"{"n":\#($0),"t":"alloc failed"}"#).call }
        #expect(try await pool.run([calls[0]]).map(\.channels) == [["alloc failed"]])
        let worker = try Self.workers(withMemory: memory)
        #expect(worker.count == 1)
        let outcomes = try await pool.run(calls)
        #expect([0, 3].map { outcomes[$0].channels } == [["alloc failed"], ["alloc failed"]])
        #expect(outcomes[1] == .refused(403, "alloc failed"))
        #expect(outcomes[2] == .exception)
        #expect(try Self.workers(withMemory: memory) == worker)
    }

    /// What a function decides counts, though it asked for more memory than there is.
    @Test func aFunctionMayGoOnWithoutTheMemoryThatItAskedFor() async throws {
        let pool = WorkerExecutable.pool { $0.memory = 64 << 20 }
        let function =
            "function(doc){ try { var s = 'x'; while (true) s += s; } catch (e) { s = ''; } channel('c' + 1); }"
        #expect(try await Trial(function: function).outcome(pool).channels == ["c1"])
    }

    @Test func aTextThatEatsMemoryIsNoFunction() async throws {
        let pool = WorkerExecutable.pool { $0.memory = 64 << 20 }
        let source = SyncFunctionSource("(function(){ var s = 'x'; while (true) s += s; })()")
        #expect(try await pool.problem(with: source)?.contains("needs too much memory") == true)
        #expect(try await pool.problem(with: SyncFunctionSource("function(){ }")) == nil)
    }

    /// The time is the function's: what it is given has to be read first, and a second a megabyte is added for that. How
    /// long reading takes depends on what else the machine does; that it has this time does not.
    @Test func readingALargeDocumentTakesNoneOfTheTime() async throws {
        let pool = WorkerExecutable.pool { $0.time = .milliseconds(20) }
        let text = #"{"n":1,"loop":true,"t":"\#(String(repeating: "x", count: 1_000_000))"}"#
        let start = ContinuousClock.now
        let outcome = try await Trial(function: Self.loops, document: text, oldDocument: text).outcome(pool)
        #expect(start.duration(to: .now) >= .seconds(2))
        #expect(outcome == .refused(500, "JS sync function timed out"))
    }

    @Test func smallDocumentsDoNotWaitBehindLargeOnes() async throws {
        let pool = WorkerExecutable.pool { $0.time = .seconds(20) }
        let numbers = (0..<250_000).map { "0.1234567\($0)" }.joined(separator: ",")
        let large = Trial(function: Self.loops, document: #"{"n":1,"t":[\#(numbers)]}"#)
        let small = Trial(function: Self.loops, document: #"{"n":2}"#)
        let order = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<4 { group.addTask { try await large.outcome(pool).channels.map(\.text).joined() } }
            group.addTask { try await small.outcome(pool).channels.map(\.text).joined() }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(order.count == 5 && order.prefix(2).contains("c2"), "\(order)")
    }

    /// Calls leave memory in pieces behind; a call that then finds too little is not refused for it.
    @Test func whatOthersLeftBehindIsNoReasonToRefuse() async throws {
        let pool = WorkerExecutable.pool {
            $0.memory = 96 << 20
            $0.workers = 1
        }
        // Keeps what it read, so that each call leaves less to the next.
        let hoarding = "var kept = []; function f(doc){ kept.push(doc.t.slice()); channel('c' + doc.n); }"
        let numbers = String(repeating: "0,", count: 600_000) + "0"
        for n in 0..<12 {
            let function = "(function(){ \(hoarding) return f; })()"
            let outcome = try await Trial(function: function, document: #"{"n":\#(n),"t":[\#(numbers)]}"#).outcome(pool)
            #expect(outcome.channels == ["c\(n)"], "\(n): \(outcome)")
        }
    }

    @Test func aKilledWorkerIsReplaced() async throws {
        let memory: UInt = 234_567_890
        let pool = WorkerExecutable.pool { $0.memory = memory }
        let trial = Trial(function: "function(doc){ channel('a' + 'b'); }")
        #expect(try await trial.outcome(pool).channels == ["ab"])
        let workers = try Self.workers(withMemory: memory)
        #expect(workers.count == 1)
        for worker in workers { kill(worker, SIGKILL) }
        #expect(try await trial.outcome(pool).channels == ["ab"])
    }

    /// The worker processes that were given this bound; suites run beside each other have others.
    private static func workers(withMemory memory: UInt) throws -> [pid_t] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter { pid in
            let command = try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)
            return command?.contains(SyncFunctionWorker.command) == true && command?.contains("\(memory)") == true
        }
    }

    @Test(arguments: ["/nonexistent/gateway", "/bin/true"])
    func withoutAWorkerNothingIsDecided(executable: String) async throws {
        let pool = SyncFunctionPool(executable: executable, logger: .init(label: "test"))
        let trial = Trial(function: "function(doc){ channel('a' + 'b'); }")
        await #expect(throws: SyncFunctionError.self) { try await trial.outcome(pool) }
    }

    @Test func aClosedPoolRefuses() async throws {
        let pool = WorkerExecutable.pool()
        let trial = Trial(function: "function(doc){ channel('a' + 'b'); }")
        _ = try await trial.outcome(pool)
        pool.close()
        await #expect(throws: SyncFunctionError.self) { try await trial.outcome(pool) }
    }

    /// A gateway that has to end does not wait for what users have waiting there, nor for what the workers are at.
    @Test func anAbortedPoolEndsWhatItIsAt() async throws {
        let memory: UInt = 234_567_892
        let pool = WorkerExecutable.pool {
            $0.time = .seconds(300)
            $0.memory = memory
        }
        let codes = try await withThrowingTaskGroup(of: SyncFunctionError.Code?.self) { group in
            for n in 0..<12 {
                let user = SyncFunctionUser(name: Name("u\(n)"))
                let trial = Trial(function: Self.loops, document: #"{"n":1,"loop":true}"#, user: user)
                group.addTask {
                    do {
                        _ = try await trial.outcome(pool)
                        return nil
                    } catch {
                        return (error as? SyncFunctionError)?.code
                    }
                }
            }
            while try Self.workers(withMemory: memory).isEmpty { await Task.yield() }
            pool.abort()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .closed, count: 12))
    }

    @Test func functionsDoNotMeetEachOther() async throws {
        let first = Trial(function: "function(doc){ leak = 'x'; channel = null; }")
        let second = Trial(function: "function(doc){ channel(typeof leak); }")
        let pool = WorkerExecutable.pool { $0.workers = 1 }
        #expect(try await first.outcome(pool) == SyncFunctionOutcome())
        #expect(try await second.outcome(pool).channels == ["undefined"])
    }

    @Test func moreFunctionsThanAWorkerHolds() async throws {
        let pool = WorkerExecutable.pool { $0.workers = 1 }
        for n in 0..<450 {
            #expect(
                try await Trial(function: "function(doc){ channel('f\(n)' + ''); }").outcome(pool).channels == ["f\(n)"]
            )
        }
    }

    @Test func manyCallersAtOnce() async throws {
        try await withThrowingTaskGroup(of: (Int, SyncFunctionOutcome).self) { group in
            for n in 0..<500 {
                group.addTask {
                    let user = SyncFunctionUser(name: "u\(n % 7)")
                    let text = "function(doc){ requireUser('u' + (doc.n % 7)); channel('c' + doc.n); }"
                    return (n, try await Trial(function: text, document: #"{"n":\#(n)}"#, user: user).outcome())
                }
            }
            for try await (n, outcome) in group { #expect(outcome.channels == ["c\(n)"]) }
        }
    }

    @Test func largeDocumentsTravel() async throws {
        let text = String(repeating: "é", count: 2 << 20)
        let calls = (0..<4).map { n in
            Trial(
                function: "function(doc, oldDoc){ channel('c' + doc.t.length + oldDoc.t.length); }",
                document: #"{"n":\#(n),"t":"\#(text)"}"#, oldDocument: #"{"t":"\#(text)"}"#
            ).call
        }
        let outcomes = try await Trial.shared.run(calls)
        #expect(outcomes.allSatisfy { $0.channels == ["c\(2 << 20)\(2 << 20)"] })
    }
}
