@testable import GatewayCore
import Testing

/// The order of password checks, and the times of the answers. Time is counted in checks.
@Suite struct PasswordCheckQueueTests {
    /// Runs the checks in the queue's order. A ticket's password is right if it is among the right ones.
    private struct Desk {
        var order = PasswordCheckQueue()
        var right: Set<Int> = []
        var checks = 0
        /// The verdict of each, and after how many checks it was answered.
        var answered: [Int: (verdict: PasswordCheckQueue.Verdict, after: Int)] = [:]

        private var names = 0

        /// - Parameter name: another one each time by default.
        @discardableResult
        mutating func enter(_ address: String, isKnown: Bool, isRight: Bool = false, name: String? = nil) -> Int {
            names += 1
            let account = Array((name ?? "name \(names)").utf8)
            let (ticket, answers) = order.enter(.init(address: address, account: account), isKnown: isKnown)
            if isRight { right.insert(ticket) }
            take(answers)
            return ticket
        }

        mutating func check(_ times: Int = 1) {
            for _ in 0..<times {
                guard let ticket = order.next() else { return }
                checks += 1
                take(order.finish(ticket, isRight: right.contains(ticket)))
            }
        }

        mutating func checkAll() { check(.max) }

        /// The check of one that was begun with `order.next`.
        mutating func finish(_ ticket: Int) {
            checks += 1
            take(order.finish(ticket, isRight: right.contains(ticket)))
        }

        mutating func leave(_ ticket: Int) { take(order.leave(ticket)) }

        private mutating func take(_ answers: [PasswordCheckQueue.Answer]) {
            for answer in answers { answered[answer.ticket] = (answer.verdict, checks) }
        }
    }

    @Test(arguments: [0, 1, 5, 19, 20, 150, 5_000])
    func aRightPasswordDoesNotWaitForInventedNames(_ count: Int) {
        for address in ["elsewhere", "flood"] {
            var desk = Desk()
            for _ in 0..<count { desk.enter("flood", isKnown: false) }
            let running = desk.order.next()
            let ann = desk.enter(address, isKnown: true, isRight: true)
            if let running { _ = desk.order.finish(running, isRight: false) }
            desk.check()
            #expect(desk.answered[ann]?.verdict == .right)
        }
    }

    /// A client that floods the gateway and then measures the time of a refusal learns nothing about the name.
    @Test(arguments: [0, 1, 5, 19, 20, 150], [0, 3])
    func aRefusalTakesAsLongWhetherOrNotTheNameExists(_ invented: Int, _ known: Int) {
        let waits = [true, false].map { isKnown in
            var desk = Desk()
            for _ in 0..<invented { desk.enter("flood", isKnown: false) }
            for _ in 0..<known { desk.enter("flood", isKnown: true, isRight: true) }
            let probe = desk.enter("flood", isKnown: isKnown)
            desk.checkAll()
            return desk.answered[probe].map { "\($0.verdict) after \($0.after)" }
        }
        #expect(waits[0] != nil)
        #expect(waits[0] == waits[1])
    }

    @Test func addressesTakeTurns() {
        var desk = Desk()
        let many = (0..<50).map { _ in desk.enter("a", isKnown: true, isRight: true) }
        let few = (0..<2).map { _ in desk.enter("b", isKnown: true, isRight: true) }
        desk.checkAll()
        #expect(few.map { desk.answered[$0]?.after } == [2, 4])
        #expect(many.prefix(3).map { desk.answered[$0]?.after } == [1, 3, 5])
        #expect(many.last.flatMap { desk.answered[$0]?.after } == 52)
    }

    /// 60 names with five passwords each from one address are one turn of others' round.
    @Test(arguments: [1, 60, 300], [true, false])
    func aFirstSignInDoesNotWaitForTheNamesThatAnotherAddressTries(_ names: Int, _ isKnown: Bool) {
        for underWay in 0...3 {
            var desk = Desk()
            for round in 0..<(300 / names) {
                for name in 0..<names { desk.enter("flood", isKnown: isKnown, name: "\(name)") }
                if round == 0 { desk.check(underWay) }
            }
            let running = desk.order.next()
            let before = desk.checks
            let ann = desk.enter("home", isKnown: true, isRight: true, name: "ann")
            if let running { desk.finish(running) }
            desk.checkAll()
            let waited = desk.answered[ann].map { $0.after - before }
            #expect(desk.answered[ann]?.verdict == .right)
            // It waits for the running check and one of the other address.
            #expect(waited.map { $0 <= 3 } == true, "\(waited as Any)")
        }
    }

    @Test func namesOfOneAddressTakeTurns() {
        var desk = Desk()
        let guesses = (0..<5).map { _ in desk.enter("nat", isKnown: true, name: "bob") }
        let ann = desk.enter("nat", isKnown: true, isRight: true, name: "ann")
        let eve = desk.enter("nat", isKnown: true, isRight: true, name: "eve")
        let home = desk.enter("home", isKnown: true, isRight: true, name: "ann")
        desk.checkAll()
        // Bob, home, Ann, Eve, Bob, ...
        #expect([home, ann, eve].map { desk.answered[$0]?.after } == [2, 3, 4])
        #expect(guesses.allSatisfy { desk.answered[$0]?.verdict == .wrong })
    }

    /// The name with the most waiting passwords gives up a slot, not a name with a single one.
    @Test func aFullQueueSparesThoseWhoTryOnce() {
        var desk = Desk()
        let once = (0..<(GatewayLimits.waitingLogins - 2)).map { _ in desk.enter("nat", isKnown: true, isRight: true) }
        let twice = (0..<2).map { _ in desk.enter("nat", isKnown: true, isRight: true, name: "bob") }
        desk.enter("home", isKnown: true, isRight: true)
        #expect(twice.map { desk.answered[$0]?.verdict } == [nil, .tooMany])
        desk.checkAll()
        #expect(once.allSatisfy { desk.answered[$0]?.verdict == .right })
    }

    /// Also if the queue is full of existing names, and a new one overtakes the others.
    @Test(arguments: [0, 20, 25, 60])
    func aRefusalTakesAsLongAlsoWhereNamesOvertake(_ known: Int) {
        let waits = [true, false].map { isKnown in
            var desk = Desk()
            desk.enter("elsewhere", isKnown: false)
            for number in 0..<known { desk.enter("flood", isKnown: true, name: "own \(number % 15)") }
            let probe = desk.enter("flood", isKnown: isKnown)
            desk.checkAll()
            return desk.answered[probe].map { "\($0.verdict) after \($0.after)" }
        }
        #expect(waits[0] != nil)
        #expect(waits[0] == waits[1])
    }

    @Test func whoComesToAFullQueueTakesASlotOfTheAddressThatHasTheMost() {
        var desk = Desk()
        let many = (0..<GatewayLimits.waitingLogins).map { _ in desk.enter("a", isKnown: true, isRight: true) }
        let one = desk.enter("b", isKnown: true, isRight: true)
        let surplus = desk.enter("a", isKnown: true, isRight: true)
        #expect(desk.answered[surplus]?.verdict == .tooMany)
        #expect(many.last.flatMap { desk.answered[$0]?.verdict } == .tooMany)
        desk.checkAll()
        #expect(desk.answered[one]?.after == 2)
        #expect(many.dropLast().allSatisfy { desk.answered[$0]?.verdict == .right })
    }

    @Test func anOfficeBehindOneAddressSignsInAtEight() {
        var desk = Desk()
        let all = (0..<50).map { desk.enter("nat", isKnown: true, isRight: $0 % 5 != 0) }
        desk.checkAll()
        #expect(desk.checks == 50)
        for (index, ticket) in all.enumerated() where index % 5 != 0 {
            #expect(desk.answered[ticket]?.verdict == .right)
        }
        let mistyped = stride(from: 0, to: 50, by: 5).map { desk.answered[all[$0]]?.verdict }
        #expect(mistyped.allSatisfy { $0 == .wrong || $0 == .tooMany })
    }

    @Test(arguments: [true, false]) func guessesAtOneNameDoNotFillTheOrder(isKnown: Bool) {
        var desk = Desk()
        let guesses = (0..<200).map { _ in desk.enter("nat", isKnown: isKnown, name: "ann") }
        let refusedAtOnce = guesses.filter { desk.answered[$0]?.verdict == .tooMany }
        #expect(refusedAtOnce.count == 200 - GatewayLimits.waitingLoginsOfName)
        let bob = desk.enter("nat", isKnown: true, isRight: true, name: "bob")
        let elsewhere = desk.enter("home", isKnown: true, isRight: true, name: "ann")
        desk.checkAll()
        #expect(desk.answered[bob]?.verdict == .right)
        #expect(desk.answered[elsewhere]?.verdict == .right)
        #expect(desk.checks <= GatewayLimits.waitingLoginsOfName + 2)
        // The next guesses are checked once the first ones are answered.
        let later = desk.enter("nat", isKnown: isKnown, name: "ann")
        desk.checkAll()
        #expect(desk.answered[later]?.verdict == .wrong)
    }

    @Test func nobodyWaitsForThoseWhoLeft() {
        var desk = Desk()
        let running = desk.enter("nat", isKnown: true)
        #expect(desk.order.next() == running)
        let gone = (0..<100).map { _ in desk.enter("nat", isKnown: true) } + [desk.enter("nat", isKnown: false)]
        for ticket in gone + [running] { desk.leave(ticket) }
        let ann = desk.enter("nat", isKnown: true)
        _ = desk.order.finish(running, isRight: false)
        desk.checkAll()
        #expect(desk.checks == 1)
        #expect(desk.answered[ann]?.verdict == .wrong)
        #expect(gone.allSatisfy { desk.answered[$0] == nil })
        #expect(desk.order.next() == nil)
    }

    /// Every waiting client is answered, and correctly, whatever else comes.
    @Test(arguments: 1...20) func everybodyHearsOnce(_ seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15
        func below(_ bound: UInt64) -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (random >> 33) % bound
        }
        var desk = Desk()
        var entered: [(ticket: Int, isRight: Bool)] = []
        var left: Set<Int> = []
        for _ in 0..<3_000 {
            switch below(8) {
            case 0, 1:
                desk.check(Int(below(3)))
            case 2:
                guard let one = entered.randomElement(below: below), desk.answered[one.ticket] == nil else { continue }
                desk.leave(one.ticket)
                if desk.answered[one.ticket] == nil { left.insert(one.ticket) }
            default:
                let isKnown = below(3) != 0
                let isRight = isKnown && below(2) == 0
                let name = below(2) == 0 ? "n\(isKnown)\(below(5))" : nil
                let ticket = desk.enter("a\(below(1 + seed % 8))", isKnown: isKnown, isRight: isRight, name: name)
                entered.append((ticket, isRight))
            }
        }
        desk.checkAll()
        #expect(desk.answered.count == entered.count - left.count)
        for (ticket, isRight) in entered where !left.contains(ticket) {
            let verdict = desk.answered[ticket]?.verdict
            #expect(verdict == .tooMany || verdict == (isRight ? .right : .wrong))
        }
        #expect(desk.order.next() == nil)
    }
}

extension Array {
    fileprivate func randomElement(below: (UInt64) -> UInt64) -> Element? {
        isEmpty ? nil : self[Int(below(UInt64(count)))]
    }
}
