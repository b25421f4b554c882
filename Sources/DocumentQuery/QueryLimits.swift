/// What a query may be.
package enum QueryLimits {
    /// Bytes of its text. A program's longest have lists of some thousand ids; a megabyte is parsed in some 20 ms.
    package static let text = 1 << 20
    /// Expressions inside each other. SQLite refuses trees deeper than 1,000, and one of ours may need two of its levels.
    package static let depth = 400
    /// Parentheses, calls and the like inside each other, for each of which reading takes stack.
    package static let nesting = 200
    /// Different parameters: SQLite refuses numbers beyond 32,766 where nobody has raised it.
    package static let parameters = 30_000
    /// Sources of a statement; SQLite joins at most 64 tables, and full-text search takes one more each.
    package static let sources = 30
    /// Columns of a statement; SQLite's own limit is 2,000.
    package static let columns = 2_000
    /// Expressions of a list, such as of an array or of IN.
    package static let list = 10_000
    /// Terms of a full-text search. FTS5 goes through where all of them are at once, and takes time that grows with the
    /// square of a chain's length to put it together.
    package static let searchTerms = 1_000
    /// Bytes of a full-text search.
    package static let searchText = 1 << 16
    /// Parentheses of a full-text search inside each other.
    package static let searchNesting = 100
    /// Steps of a regular expression over one text, each byte that a reference back compares being one; a second or so.
    package static let patternSteps = 1_000_000
    /// Letters for each of a text that LIKE compares again, beside `patternSteps`.
    package static let likeStepsBack = 16
    /// Steps of a regular expression that wait for each other, each with some 500 bytes of stack.
    package static let patternDepth = 1_000
    /// Groups of a regular expression inside each other.
    package static let patternNesting = 100
    /// Groups of a regular expression that keep what they matched: each step may copy what all of them have.
    package static let patternGroups = 100
    /// Arguments of a function: SQLite takes 127, and 100 where it was built long ago.
    package static let arguments = 100
    /// Bytes of a text that a function returns: what a document may be.
    package static let resultText = 20 * 1024 * 1024
}
