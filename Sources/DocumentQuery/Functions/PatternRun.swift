/// Searches of one expression in one text, by backtracking, with limits of steps and memory for all searches together.
struct PatternRun {
    /// Where to go on when the last try fails.
    private struct Choice {
        enum Kind {
            case here
            /// At each position down to this one: a run of bytes gives back one byte each time.
            case down(to: Int)
            /// With one more byte each time, at most so many, while they fit.
            case up(most: Int)
        }

        var instruction: Int
        var position: Int
        let changes: Int
        var kind: Kind
    }

    /// Of a loop.
    private struct Loop {
        var turns = 0
        /// Where the last turn began.
        var start = -1
    }

    /// A change that is undone when another way is tried.
    private enum Change {
        case opened(group: Int, Int)
        case capture(group: Int, Range<Int>?)
        case loop(Int, Loop)
    }

    private let text: [UInt8]
    private let program: [PatternProgram.Instruction]
    private let meter: WorkMeter
    private let limit: Int
    private var steps = 0
    /// The steps that the meter has.
    private var metered = 0
    /// The steps at which the next question is due.
    private var pause: Int
    private var choices: [Choice] = []
    private var changes: [Change] = []
    /// Where each group that is being matched began.
    private var openings: [Int]
    private var captures: [Range<Int>?]
    private var loops: [Loop]

    /// - Parameter steps: the limit, in addition to those for each byte of the text.
    init(_ pattern: BytePattern, in text: [UInt8], steps: Int, meter: WorkMeter) {
        self.text = text
        self.meter = meter
        program = pattern.program.instructions
        limit = steps + text.count * QueryLimits.stepsForByte
        pause = min(limit, QueryLimits.stepsBetweenLooks)
        openings = [Int](repeating: 0, count: pattern.groups)
        captures = [Range<Int>?](repeating: nil, count: pattern.groups)
        loops = [Loop](repeating: Loop(), count: pattern.program.loops)
    }

    /// The first match that begins there or behind.
    mutating func find(from start: Int) throws -> BytePattern.Match? {
        var position = start
        while position <= text.count {
            if let end = try match(from: 0, position: position) {
                let match = BytePattern.Match(range: position..<end, captures: captures)
                undo(to: 0)
                return match
            }
            position += 1
        }
        return nil
    }

    /// - Parameter more: how many steps at once, such as the number of bytes that are compared.
    mutating func count(_ more: Int = 1) throws {
        steps += more
        if steps >= pause { try look() }
    }

    private mutating func look() throws {
        guard steps < limit else { throw FunctionError("The regular expression takes too long") }
        try end()
        pause = min(limit, steps + QueryLimits.stepsBetweenLooks)
    }

    /// Hands the steps on to the meter: after all searches, so that those of many short texts count, too.
    mutating func end() throws {
        defer { metered = steps }
        try meter.count((steps - metered) * QueryLimits.unitsOfStep)
    }

    // MARK: Matching

    /// Where the match ends; `nil` if there is none: then the state is as before.
    private mutating func match(from first: Int, position start: Int) throws -> Int? {
        let (outerChoices, outerChanges) = (choices.count, changes.count)
        var (instruction, position) = (first, start)
        while true {
            try count()
            if case .done = program[instruction] {
                choices.removeSubrange(outerChoices...)
                return position
            }
            if try step(&instruction, at: &position) { continue }
            guard try comeBack(to: &instruction, at: &position, outer: outerChoices) else {
                undo(to: outerChanges)
                return nil
            }
        }
    }

    /// Whether the instruction fits.
    private mutating func step(_ instruction: inout Int, at position: inout Int) throws -> Bool {
        switch program[instruction] {
        case .byte(let wanted): guard takes(at: &position, where: { $0 == wanted }) else { return false }
        case .set(let set): guard takes(at: &position, where: { set.contains($0) }) else { return false }
        case .start: guard position == 0 else { return false }
        case .end: guard position == text.count else { return false }
        case .boundary(let isNegated): guard isBoundary(position) != isNegated else { return false }
        case .back(let group): guard try comesAgain(group, at: &position) else { return false }
        case .open(let group): try open(group, at: position)
        case .close(let group): try close(group, at: position)
        case .split(let other): try choose(other, at: position)
        case .jump(let target):
            instruction = target
            return true
        case .run(let set, let least, let most, let isLazy):
            let counts = (least: least, most: most)
            guard try run(set, counts: counts, isLazy: isLazy, next: instruction + 1, at: &position) else {
                return false
            }
        case .beginLoop(let loop): try begin(loop)
        case .loop(let loop, let least, let most, let isLazy, let exit):
            return try turn(
                loop, least: least, most: most, isLazy: isLazy, exit: exit, instruction: &instruction, at: position)
        case .turn(let loop, let body):
            try begin(loop, at: position)
            instruction = body
            return true
        case .look(let isNegated, let next):
            guard try looks(from: instruction + 1, at: position, isNegated: isNegated) else { return false }
            instruction = next
            return true
        case .done: return false
        }
        instruction += 1
        return true
    }

    /// Whether the next byte fits, which is then taken.
    @inline(__always) private func takes(at position: inout Int, where fits: (UInt8) -> Bool) -> Bool {
        guard position < text.count, fits(text[position]) else { return false }
        position += 1
        return true
    }

    private mutating func open(_ group: Int, at position: Int) throws {
        try note(.opened(group: group, openings[group]))
        openings[group] = position
    }

    private mutating func close(_ group: Int, at position: Int) throws {
        try note(.capture(group: group, captures[group]))
        captures[group] = openings[group]..<position
    }

    /// Whether a lookahead fits or, for a negated one, does not: then its captures are dropped.
    private mutating func looks(from instruction: Int, at position: Int, isNegated: Bool) throws -> Bool {
        let before = changes.count
        let found = try match(from: instruction, position: position) != nil
        if isNegated { undo(to: before) }
        return found != isNegated
    }

    private func isBoundary(_ position: Int) -> Bool {
        let before = position > 0 && PatternParser.isWord(text[position - 1])
        return before != (position < text.count && PatternParser.isWord(text[position]))
    }

    /// A group that has not matched is an empty text.
    private mutating func comesAgain(_ group: Int, at position: inout Int) throws -> Bool {
        guard let range = captures[group] else { return true }
        let end = position + range.count
        guard end <= text.count else { return false }
        try count(range.count)
        guard text[position..<end].elementsEqual(text[range]) else { return false }
        position = end
        return true
    }

    // MARK: Repeating

    private mutating func run(
        _ set: ByteSet, counts: (least: Int, most: Int), isLazy: Bool, next: Int, at position: inout Int
    ) throws -> Bool {
        let start = position
        let end = start + min(text.count - start, isLazy ? counts.least : counts.most)
        var portionEnd = start
        while position == portionEnd, position < end {
            let portion = position
            portionEnd = min(end, portion + QueryLimits.stepsBetweenLooks)
            while position < portionEnd, set.contains(text[position]) { position += 1 }
            try count(position - portion)
        }
        guard position - start >= counts.least else { return false }
        if isLazy {
            let more = counts.most - counts.least
            if more > 0 { try choose(next, at: position, kind: .up(most: more)) }
        } else if position > start + counts.least {
            try choose(next, at: position - 1, kind: .down(to: start + counts.least))
        }
        return true
    }

    private mutating func turn(
        _ loop: Int, least: Int, most: Int, isLazy: Bool, exit: Int, instruction: inout Int, at position: Int
    ) throws -> Bool {
        let state = loops[loop]
        // A turn that matches no bytes must not be repeated for ever.
        guard state.turns <= least || position > state.start else { return false }
        let canGoOn = state.turns < most
        if state.turns < least || canGoOn && !isLazy {
            if state.turns >= least { try choose(exit, at: position) }
            try begin(loop, at: position)
            instruction += 1
        } else {
            if canGoOn { try choose(exit - 1, at: position) }
            instruction = exit
        }
        return true
    }

    private mutating func begin(_ loop: Int) throws {
        try note(.loop(loop, loops[loop]))
        loops[loop] = Loop()
    }

    private mutating func begin(_ loop: Int, at position: Int) throws {
        try note(.loop(loop, loops[loop]))
        loops[loop] = Loop(turns: loops[loop].turns + 1, start: position)
    }

    // MARK: Coming back

    private mutating func choose(_ instruction: Int, at position: Int, kind: Choice.Kind = .here) throws {
        try checkMemory()
        choices.append(Choice(instruction: instruction, position: position, changes: changes.count, kind: kind))
    }

    private mutating func note(_ old: Change) throws {
        try checkMemory()
        changes.append(old)
    }

    private func checkMemory() throws {
        guard choices.count + changes.count < QueryLimits.patternMemory else {
            throw FunctionError("The regular expression needs too much memory")
        }
    }

    private mutating func undo(to count: Int) {
        while changes.count > count, let change = changes.popLast() {
            switch change {
            case .opened(let group, let position): openings[group] = position
            case .capture(let group, let range): captures[group] = range
            case .loop(let loop, let state): loops[loop] = state
            }
        }
    }

    /// Returns to the last choice; `false` if this search has none left.
    private mutating func comeBack(
        to instruction: inout Int, at position: inout Int, outer: Int
    ) throws -> Bool {
        while choices.count > outer, let choice = choices.last {
            undo(to: choice.changes)
            (instruction, position) = (choice.instruction, choice.position)
            switch choice.kind {
            case .here: choices.removeLast()
            case .down(let least):
                if position > least { choices[choices.count - 1].position -= 1 } else { choices.removeLast() }
            case .up(let most):
                // The run is the instruction before the choice.
                guard case .run(let set, _, _, _) = program[instruction - 1], position < text.count,
                    set.contains(text[position])
                else {
                    choices.removeLast()
                    continue
                }
                position += 1
                choices[choices.count - 1].position = position
                choices[choices.count - 1].kind = .up(most: most - 1)
                if most == 1 { choices.removeLast() }
            }
            return true
        }
        return false
    }
}
