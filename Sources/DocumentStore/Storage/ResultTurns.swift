/// Who may open a result of a query, and who waits for a turn, without a clock or a thread.
///
/// A task that has results open and waits for one more could wait for others that do the same, and they for it. So the number
/// of results up to which a caller gets a turn grows with the number that its task has: `share`. Therefore a task that goes
/// on can always be found. Count a task's results: at most `share(n - 1)` of all are the nth of their task or an earlier one,
/// since a caller with fewer than n takes one only below that. If all tasks with results waited, and none had more than n,
/// then at most `share(n - 1)` were open, and one with n would get a turn. Where shares grow no more, a caller is refused
/// instead of waiting.
///
/// This does not cover results that are kept without being read, those of plain calls, which do not wait, and tasks that wait
/// for other tasks. For these there is `look`.
struct ResultTurns<Waiter> {
    /// Of a task. Calls outside of tasks have none.
    typealias TaskNumber = Int

    enum Answer: Equatable {
        case granted
        case mustWait
        /// Waiting might never end, since its task has so many results open.
        case refused(held: Int)
    }

    enum Look {
        /// There is no reason to look again.
        case noneWaits
        case isMoving
        /// All that waited. Since the last look no result was opened, read or given back.
        case isStuck([Waiter])
    }

    private let limit: Int
    /// Results that are open, or about to be opened by a caller that got its turn.
    private(set) var open = 0
    private var held: [TaskNumber: Int] = [:]
    /// By the number of results that the task of the waiter has.
    private var lines: [WaitingLine<(TaskNumber?, Waiter)>]
    /// Results that are being read at the moment.
    private var reads = 0
    private var moves: UInt64 = 0
    private var movesAtLook: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
        var depths = 1
        while (limit / 2) >> (depths - 1) > 0 { depths += 1 }
        lines = Array(repeating: WaitingLine(), count: depths)
    }

    /// The number of results up to which a caller gets a turn whose task has so many: half of all, then three quarters, and so
    /// on; in the end all.
    private func share(_ depth: Int) -> Int { limit - ((limit / 2) >> min(depth, lines.count - 1)) }

    private func depth(of task: TaskNumber?) -> Int { task.flatMap { held[$0] } ?? 0 }

    /// How many wait.
    var waiting: Int { lines.reduce(0) { $0 + $1.count } }

    // MARK: Turns

    /// For a caller that cannot wait: whether it gets a turn.
    mutating func takeAtOnce(_ task: TaskNumber?) -> Bool {
        guard open < limit else { return false }
        begin(task)
        return true
    }

    /// For a caller that can wait; after `.mustWait` it calls `wait`.
    mutating func take(_ task: TaskNumber?) -> Answer {
        let depth = depth(of: task)
        if open < share(depth) {
            begin(task)
            return .granted
        }
        return depth < lines.count ? .mustWait : .refused(held: depth)
    }

    mutating func wait(_ waiter: Waiter, of task: TaskNumber?, as number: UInt64) {
        lines[depth(of: task)].append((task, waiter), as: number)
    }

    /// The waiter leaves; `nil` if it does not wait any more.
    mutating func leave(_ number: UInt64) -> Waiter? {
        for depth in lines.indices {
            if let (_, waiter) = lines[depth].remove(number) { return waiter }
        }
        return nil
    }

    /// A result is not open any more.
    ///
    /// - Returns: the waiter that has the turn now. Those whose tasks have most results go first, since others wait for them.
    mutating func giveBack(_ task: TaskNumber?) -> Waiter? {
        open -= 1
        moves += 1
        if let task, let count = held[task] { held[task] = count > 1 ? count - 1 : nil }
        for depth in lines.indices.reversed() where open < share(depth) {
            guard let (task, waiter) = lines[depth].removeFirst() else { continue }
            begin(task)
            return waiter
        }
        return nil
    }

    private mutating func begin(_ task: TaskNumber?) {
        open += 1
        moves += 1
        if let task { held[task, default: 0] += 1 }
    }

    /// All that wait; none of them waits any more.
    mutating func removeWaiters() -> [Waiter] {
        lines.indices.flatMap { depth in lines[depth].removeAll().map { $0.1 } }
    }

    // MARK: Movement

    mutating func beginReading() { reads += 1 }

    mutating func endReading() {
        reads -= 1
        moves += 1
    }

    /// To be called from time to time while any waits.
    mutating func look() -> Look {
        guard waiting > 0 else { return .noneWaits }
        guard reads == 0, moves == movesAtLook else {
            movesAtLook = moves
            return .isMoving
        }
        return .isStuck(removeWaiters())
    }

    /// The first look is to come.
    mutating func beginLooking() { movesAtLook = moves }
}
