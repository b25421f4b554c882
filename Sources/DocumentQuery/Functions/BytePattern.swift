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

    let program: PatternProgram
    let groups: Int

    /// - Throws: `FunctionError` for a text that is no expression, or is too long, or repeats too much.
    package init(_ text: String) throws {
        guard text.utf8.count <= QueryLimits.patternText else {
            throw FunctionError("A regular expression has more than \(QueryLimits.patternText) bytes")
        }
        var parser = PatternParser(Array(text.utf8))
        program = PatternProgram(try parser.readAll())
        groups = parser.groups
    }

    struct Match {
        let range: Range<Int>
        let captures: [Range<Int>?]
    }
}
