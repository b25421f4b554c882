/// A regular expression as a list of instructions, so that matching takes no stack, however long the text is.
struct PatternProgram: Sendable {
    enum Instruction: Sendable {
        case byte(UInt8)
        case set(ByteSet)
        case start, end
        case boundary(isNegated: Bool)
        /// The text that a group has matched, once more.
        case back(Int)
        case open(group: Int)
        case close(group: Int)
        /// Goes on with the next instruction, and returns to `other` if that fails.
        case split(other: Int)
        case jump(Int)
        /// Bytes of a set, as many as there are, or as few as are needed.
        case run(ByteSet, least: Int, most: Int, isLazy: Bool)
        /// Before the first turn of a loop.
        case beginLoop(Int)
        /// Before each turn, whose instructions follow; `exit` is the instruction after the loop.
        case loop(Int, least: Int, most: Int, isLazy: Bool, exit: Int)
        /// Begins a turn of a lazy loop, after its end was tried first.
        case turn(loop: Int, body: Int)
        /// Whether the following instructions, up to `done`, fit here; goes on at `next`.
        case look(isNegated: Bool, next: Int)
        /// The end of the expression, or of a lookahead.
        case done
    }

    private(set) var instructions: [Instruction] = []
    private(set) var loops = 0

    init(_ alternatives: [[BytePattern.Node]]) {
        add(alternatives)
        instructions.append(.done)
    }

    private mutating func add(_ alternatives: [[BytePattern.Node]]) {
        var jumps: [Int] = []
        for (index, nodes) in alternatives.enumerated() {
            let split = instructions.count
            let isLast = index == alternatives.count - 1
            if !isLast { instructions.append(.split(other: 0)) }
            for node in nodes { add(node) }
            guard !isLast else { break }
            jumps.append(instructions.count)
            instructions.append(.jump(0))
            instructions[split] = .split(other: instructions.count)
        }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }

    private mutating func add(_ node: BytePattern.Node) {
        switch node {
        case .byte(let byte): instructions.append(.byte(byte))
        case .set(let members): instructions.append(.set(ByteSet(members)))
        case .start: instructions.append(.start)
        case .end: instructions.append(.end)
        case .boundary(let isNegated): instructions.append(.boundary(isNegated: isNegated))
        case .back(let group): instructions.append(.back(group - 1))
        case .group(let number, let inner):
            if let number { instructions.append(.open(group: number - 1)) }
            add(inner)
            if let number { instructions.append(.close(group: number - 1)) }
        case .look(let isNegated, let inner):
            let look = instructions.count
            instructions.append(.done)
            add(inner)
            instructions.append(.done)
            instructions[look] = .look(isNegated: isNegated, next: instructions.count)
        case .repeated(let inner, let least, let most, let isLazy):
            if let set = ByteSet(inner) {
                instructions.append(.run(set, least: least, most: most, isLazy: isLazy))
            } else {
                addLoop(inner, least: least, most: most, isLazy: isLazy)
            }
        }
    }

    private mutating func addLoop(_ inner: BytePattern.Node, least: Int, most: Int, isLazy: Bool) {
        let loop = loops
        loops += 1
        instructions.append(.beginLoop(loop))
        let head = instructions.count
        instructions.append(.done)
        add(inner)
        instructions.append(.jump(head))
        // The instruction to which a lazy loop returns.
        if isLazy { instructions.append(.turn(loop: loop, body: head + 1)) }
        instructions[head] = .loop(loop, least: least, most: most, isLazy: isLazy, exit: instructions.count)
    }
}

/// A set of bytes.
struct ByteSet: Sendable {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ members: [Bool]) {
        for (byte, isIn) in members.enumerated() where isIn { add(UInt8(byte)) }
    }

    /// The set of a node that matches one byte; `nil` for all others.
    init?(_ node: BytePattern.Node) {
        switch node {
        case .byte(let byte): self.init((0..<256).map { $0 == Int(byte) })
        case .set(let members): self.init(members)
        case .start, .end, .boundary, .group, .look, .back, .repeated: return nil
        }
    }

    private mutating func add(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: bits.0 |= bit
        case 1: bits.1 |= bit
        case 2: bits.2 |= bit
        default: bits.3 |= bit
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: return bits.0 & bit != 0
        case 1: return bits.1 & bit != 0
        case 2: return bits.2 & bit != 0
        default: return bits.3 & bit != 0
        }
    }
}
