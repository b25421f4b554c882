/// The order in which passwords are checked, and when wrong ones are answered. Clients without an account must not keep
/// those with one from signing in. A value without clock, thread or password.
///
/// Checks run one at a time. Existing names go first: addresses take turns, and within an address the names do. So a
/// client that tries many names does not delay others much. Names that do not exist are checked, against a decoy, when no
/// other waits. A wrong password is answered in the order of arrival all the same, behind the invented names that came
/// before it: both kinds cost one check before that moment, so the time of a refusal does not show whether the name
/// exists. (This holds for one address: between two addresses, existing names go first.) Right passwords do not wait for
/// that.
///
/// Guesses at one name cannot fill it: only a few passwords of a name may wait from one address, whether or not the
/// name exists.
struct PasswordCheckQueue: Sendable {
    enum Verdict: Sendable, Hashable { case right, wrong, tooMany }

    /// An answer that is due.
    struct Answer: Sendable, Hashable {
        let ticket: Int
        let verdict: Verdict
    }

    /// The account of a login, and its address.
    struct Applicant: Sendable, Hashable {
        let address: String
        /// The name, or the bytes that represent it.
        let account: [UInt8]
    }

    private struct Ticket: Sendable {
        let applicant: Applicant
        /// Whether it waits in `refusals`, whatever the result of its check.
        let isQueued: Bool
        /// After how many checks a wrong one that is not in `refusals` is answered that there are too many.
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
    /// Logins for which the queue is full, and after how many checks they are answered: as many as were waiting when they
    /// came, whether or not the name exists.
    private var turnedAway: [(ticket: Int, after: Int, applicant: Applicant)] = []
    private var waitingOfApplicant: [Applicant: Int] = [:]

    /// A login with a name and a password arrives.
    mutating func enter(_ applicant: Applicant, isKnown: Bool) -> (ticket: Int, answers: [Answer]) {
        lastTicket += 1
        let number = lastTicket
        guard waitingOfApplicant[applicant, default: 0] < GatewayLimits.waitingLoginsOfName else {
            return (number, [Answer(ticket: number, verdict: .tooMany)])
        }
        if isKnown, turns.count >= GatewayLimits.waitingLogins {
            // Takes the slot of a login from the address with the most, unless it is the same address.
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

    /// A login does not wait for its answer any more; a running check still has to be given to `finish`.
    mutating func leave(_ number: Int) -> [Answer] {
        if let ticket = tickets[number] {
            turns.remove(number, of: ticket.applicant)
            remove(number)
        }
        turnedAway.filter { $0.ticket == number }.forEach { countOut($0.applicant) }
        turnedAway.removeAll { $0.ticket == number }
        return due()
    }

    /// The login whose check has to run now; `nil` while one runs, or if none waits. The result has to be given to
    /// `finish`.
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

    /// The refusals that are due.
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
