/// In which order passwords are checked, and when wrong ones are answered: so that nobody without an account keeps those
/// who have one from signing in. A value without clock, thread or password.
///
/// Checks run one at a time. Names that exist go first, in turn: those of an address among each other, and the addresses.
/// So nobody who tries many names delays others much. Names that do not exist are checked, against nothing, when no other
/// waits. A wrong password is answered in the order of arrival all the same,
/// behind the invented names that came before it: since the one check that either costs lies before that moment, the
/// time of a refusal does not show whether the name exists (to anybody who asks from one address: between two, those who
/// exist go first). Right passwords do not wait for that.
///
/// Nobody fills it with guesses at one name: few passwords of a name wait from one address, whether or not it exists.
struct PasswordCheckQueue: Sendable {
    enum Verdict: Sendable, Hashable { case right, wrong, tooMany }

    /// Who is answered what now.
    struct Answer: Sendable, Hashable {
        let ticket: Int
        let verdict: Verdict
    }

    /// Who asks, and from where.
    struct Applicant: Sendable, Hashable {
        let address: String
        /// The name, or what represents it.
        let account: [UInt8]
    }

    private struct Ticket: Sendable {
        let applicant: Applicant
        /// Waits in `refusals`, whatever its check says.
        let isQueued: Bool
        /// After how many checks a wrong one that is not in `refusals` hears that there are too many.
        let turnedAwayAfter: Int
        var isWrong = false
    }

    private var tickets: [Int: Ticket] = [:]
    private var lastTicket = 0
    private var running: Int?
    /// Names that exist.
    private var turns = LoginTurns()
    /// By arrival; the first is never one whose check is done.
    private var refusals: [Int] = []
    private var refusalsOfAddress: [String: Int] = [:]
    private var checks = 0
    /// Those for whom the queue is full, and after how many checks they hear that: whether or not the name exists, as many
    /// as waited when they came.
    private var turnedAway: [(ticket: Int, after: Int, applicant: Applicant)] = []
    private var waitingOfApplicant: [Applicant: Int] = [:]

    /// Somebody comes with a name and a password.
    mutating func enter(_ applicant: Applicant, isKnown: Bool) -> (ticket: Int, answers: [Answer]) {
        lastTicket += 1
        let number = lastTicket
        guard waitingOfApplicant[applicant, default: 0] < GatewayLimits.waitingLoginsOfName else {
            return (number, [Answer(ticket: number, verdict: .tooMany)])
        }
        if isKnown, turns.count >= GatewayLimits.waitingLogins {
            // The slot of one from the address that holds the most, unless that is this one.
            guard let displaced = turns.removeLast(moreThan: turns.count(of: applicant.address) + 1) else {
                return (number, [Answer(ticket: number, verdict: .tooMany)])
            }
            remove(displaced)
            add(number, applicant: applicant, isKnown: true)
            return (number, [Answer(ticket: displaced, verdict: .tooMany)] + due())
        }
        add(number, applicant: applicant, isKnown: isKnown)
        return (number, [])
    }

    /// Somebody does not wait for an answer any more; a check that runs is still to be given to `finish`.
    mutating func leave(_ number: Int) -> [Answer] {
        if let ticket = tickets[number] {
            turns.remove(number, of: ticket.applicant)
            remove(number)
        }
        turnedAway.filter { $0.ticket == number }.forEach { countOut($0.applicant) }
        turnedAway.removeAll { $0.ticket == number }
        return due()
    }

    /// Whose check is to run now; `nil` while one runs, or if none waits. It has to be given to `finish`.
    mutating func next() -> Int? {
        guard running == nil else { return nil }
        running = turns.removeFirst() ?? refusals.first
        return running
    }

    mutating func finish(_ number: Int, isRight: Bool) -> [Answer] {
        running = nil
        checks += 1
        var answers: [Answer] = []
        if let ticket = tickets[number] {
            switch (isRight, ticket.isQueued) {
            case (true, _):
                remove(number)
                answers.append(Answer(ticket: number, verdict: .right))
            case (false, true): tickets[number]?.isWrong = true
            case (false, false):
                tickets[number] = nil
                turnedAway.append((number, ticket.turnedAwayAfter, ticket.applicant))
            }
        }
        return answers + due()
    }

    /// Those who need not wait longer for hearing that they are refused.
    private mutating func due() -> [Answer] {
        var answers: [Answer] = []
        while let first = refusals.first, tickets[first]?.isWrong == true {
            remove(first)
            answers.append(Answer(ticket: first, verdict: .wrong))
        }
        let isIdle = tickets.isEmpty
        for away in turnedAway where isIdle || away.after <= checks {
            answers.append(Answer(ticket: away.ticket, verdict: .tooMany))
        }
        turnedAway.filter { isIdle || $0.after <= checks }.forEach { countOut($0.applicant) }
        turnedAway.removeAll { isIdle || $0.after <= checks }
        return answers
    }

    private mutating func add(_ number: Int, applicant: Applicant, isKnown: Bool) {
        let address = applicant.address
        waitingOfApplicant[applicant, default: 0] += 1
        let isQueued =
            refusals.count < GatewayLimits.waitingRefusals
            && refusalsOfAddress[address, default: 0] < GatewayLimits.waitingRefusalsOfAddress
        let after = checks + (running == nil ? 0 : 1) + turns.count + 1
        guard isKnown || isQueued else {
            turnedAway.append((number, after, applicant))
            return
        }
        tickets[number] = Ticket(applicant: applicant, isQueued: isQueued, turnedAwayAfter: after)
        if isQueued {
            refusals.append(number)
            refusalsOfAddress[address, default: 0] += 1
        }
        if isKnown { turns.append(number, of: applicant) }
    }

    private mutating func remove(_ number: Int) {
        guard let ticket = tickets.removeValue(forKey: number) else { return }
        countOut(ticket.applicant)
        guard ticket.isQueued else { return }
        refusals.removeAll { $0 == number }
        let address = ticket.applicant.address
        let count = refusalsOfAddress[address, default: 1] - 1
        refusalsOfAddress[address] = count == 0 ? nil : count
    }

    private mutating func countOut(_ applicant: Applicant) {
        let count = waitingOfApplicant[applicant, default: 1] - 1
        waitingOfApplicant[applicant] = count == 0 ? nil : count
    }
}
