/// A regular expression over bytes, by the grammar of ECMAScript; run by backtracking with a limit of steps.
package struct BytePattern: Sendable {
    indirect enum Node: Sendable {
        case byte(UInt8)
        case set([Bool])
        case start, end
        case boundary(isNegated: Bool)
        case group(Int?, [[Node]])
        case look(isNegated: Bool, [[Node]])
        case back(Int)
        case repeated(Node, least: Int, most: Int, isLazy: Bool)
    }

    let alternatives: [[Node]]
    let groups: Int

    /// - Throws: `FunctionError` for what is no expression.
    package init(_ text: String) throws {
        var parser = PatternParser(Array(text.utf8))
        alternatives = try parser.readAll()
        groups = parser.groups
    }

    struct Match {
        let range: Range<Int>
        let captures: [Range<Int>?]

        /// `$1`, `$&`, `$0`, `$$`; another dollar sign is itself.
        func append(_ template: [UInt8], text: [UInt8], to result: inout [UInt8]) {
            var index = 0
            while index < template.count {
                guard template[index] == UInt8(ascii: "$"), index + 1 < template.count else {
                    result.append(template[index])
                    index += 1
                    continue
                }
                let next = template[index + 1]
                switch next {
                case UInt8(ascii: "$"): result.append(next)
                case UInt8(ascii: "&"), UInt8(ascii: "0"): result += text[range]
                case UInt8(ascii: "1")...UInt8(ascii: "9"):
                    let group = Int(next - 0x30)
                    if group <= captures.count, let range = captures[group - 1] { result += text[range] }
                default: result += [UInt8(ascii: "$"), next]
                }
                index += 2
            }
        }
    }

    /// One search over a text.
    struct Run {
        private let text: [UInt8]
        private var steps = 0
        private var depth = 0
        private var captures: [Range<Int>?] = []

        init(_ text: [UInt8]) { self.text = text }

        mutating func find(_ pattern: BytePattern, from start: Int) throws -> Match? {
            var position = start
            while position <= text.count {
                captures = [Range<Int>?](repeating: nil, count: pattern.groups)
                var end: Int?
                let found = try run(pattern.alternatives, position: position) { _, last in
                    end = last
                    return true
                }
                if found, let end { return Match(range: position..<end, captures: captures) }
                position += 1
            }
            return nil
        }

        private typealias Next = (inout Run, Int) throws -> Bool

        /// - Parameter bytes: how many are compared, where a step may be of many.
        private mutating func count(bytes: Int = 1) throws {
            steps += bytes
            guard steps < QueryLimits.patternSteps else {
                throw FunctionError("The regular expression takes too long")
            }
        }

        private mutating func run(_ alternatives: [[Node]], position: Int, next: Next) throws -> Bool {
            for nodes in alternatives where try run(nodes[...], position: position, next: next) { return true }
            return false
        }

        private mutating func run(_ nodes: ArraySlice<Node>, position: Int, next: Next) throws -> Bool {
            try count()
            guard depth < QueryLimits.patternDepth else {
                throw FunctionError("The regular expression needs too much memory")
            }
            depth += 1
            defer { depth -= 1 }
            guard let node = nodes.first else { return try next(&self, position) }
            let rest = nodes.dropFirst()
            switch node {
            case .byte, .set:
                guard position < text.count, accepts(node, byte: text[position]) else { return false }
                return try run(rest, position: position + 1, next: next)
            case .start: return try position == 0 && run(rest, position: position, next: next)
            case .end: return try position == text.count && run(rest, position: position, next: next)
            case .boundary(let isNegated):
                return try isBoundary(position) != isNegated && run(rest, position: position, next: next)
            case .back(let group):
                guard let end = try end(ofGroup: group, repeatedAt: position) else { return false }
                return try run(rest, position: end, next: next)
            case .look(let isNegated, let inner):
                let saved = captures
                let found = try run(inner, position: position) { _, _ in true }
                if isNegated { captures = saved }
                if try found != isNegated && run(rest, position: position, next: next) { return true }
                captures = saved
                return false
            case .group(let number, let inner):
                let saved = captures
                let found = try run(inner, position: position) { run, end in
                    let before = run.captures
                    if let number { run.captures[number - 1] = position..<end }
                    if try run.run(rest, position: end, next: next) { return true }
                    run.captures = before
                    return false
                }
                if !found { captures = saved }
                return found
            case .repeated(let inner, let least, let most, let isLazy):
                if isSingle(inner) {
                    return try runSingle(
                        inner, least: least, most: most, isLazy: isLazy, rest: rest, position: position, next: next)
                }
                return try runRepeated(
                    inner, least: least, most: most, isLazy: isLazy, done: 0, rest: rest, position: position, next: next
                )
            }
        }

        /// Where the text of a group ends that comes once more; the position itself for a group that took no part, and `nil`
        /// where other text comes.
        private mutating func end(ofGroup group: Int, repeatedAt position: Int) throws -> Int? {
            guard let range = captures[group - 1] else { return position }
            let end = position + range.count
            guard end <= text.count else { return nil }
            try count(bytes: range.count)
            return text[position..<end].elementsEqual(text[range]) ? end : nil
        }

        private func isSingle(_ node: Node) -> Bool {
            switch node {
            case .byte, .set: true
            case .start, .end, .boundary, .group, .look, .back, .repeated: false
            }
        }

        private func accepts(_ node: Node, byte: UInt8) -> Bool {
            switch node {
            case .byte(let wanted): wanted == byte
            case .set(let members): members[Int(byte)]
            case .start, .end, .boundary, .group, .look, .back, .repeated: false
            }
        }

        /// Of one byte each: in a loop.
        private mutating func runSingle(
            _ inner: Node, least: Int, most: Int, isLazy: Bool, rest: ArraySlice<Node>, position: Int,
            next: Next
        ) throws -> Bool {
            var count = 0
            while count < (isLazy ? least : most), position + count < text.count,
                accepts(inner, byte: text[position + count])
            {
                count += 1
                try self.count()
            }
            guard count >= least else { return false }
            while true {
                if try run(rest, position: position + count, next: next) { return true }
                if isLazy {
                    guard count < most, position + count < text.count, accepts(inner, byte: text[position + count])
                    else {
                        return false
                    }
                    count += 1
                } else {
                    guard count > least else { return false }
                    count -= 1
                }
            }
        }

        private mutating func runRepeated(
            _ inner: Node, least: Int, most: Int, isLazy: Bool, done: Int, rest: ArraySlice<Node>, position: Int,
            next: Next
        ) throws -> Bool {
            if done < least || !isLazy {
                if done < most,
                    try again(
                        inner, least: least, most: most, isLazy: isLazy, done: done, rest: rest, position: position,
                        next: next)
                {
                    return true
                }
                return try done >= least && run(rest, position: position, next: next)
            }
            if try run(rest, position: position, next: next) { return true }
            return try done < most
                && again(
                    inner, least: least, most: most, isLazy: isLazy, done: done, rest: rest, position: position,
                    next: next)
        }

        private mutating func again(
            _ inner: Node, least: Int, most: Int, isLazy: Bool, done: Int, rest: ArraySlice<Node>, position: Int,
            next: Next
        ) throws -> Bool {
            try run([inner][...], position: position) { run, end in
                // What matches nothing is not repeated for ever.
                guard end > position || done < least else { return false }
                return try run.runRepeated(
                    inner, least: least, most: most, isLazy: isLazy, done: done + 1, rest: rest, position: end,
                    next: next)
            }
        }

        private func isBoundary(_ position: Int) -> Bool {
            let before = position > 0 && PatternParser.isWord(text[position - 1])
            return before != (position < text.count && PatternParser.isWord(text[position]))
        }
    }
}
