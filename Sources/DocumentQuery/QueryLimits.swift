/// What a query may be.
package enum QueryLimits {
    /// Bytes of its text. A program's longest have lists of some thousand ids; a megabyte is parsed in some 20 ms.
    package static let text = 1 << 20
    /// Expressions inside each other, of which the operators of a chain are most. SQLite refuses trees deeper than 1,000, and
    /// one of ours may need two of its levels; what is in parentheses or calls inside each other it refuses from some twenty
    /// or thirty on, which it says itself.
    package static let depth = 400
    /// Parentheses, calls and the like inside each other, for each of which reading takes stack.
    package static let nesting = 200
    /// Different parameters: SQLite refuses numbers beyond 32,766 where nobody has raised it.
    package static let parameters = 30_000
    /// Sources of a statement; SQLite joins at most 64 tables, and full-text search takes one more each.
    package static let sources = 30
    /// Columns of a statement; SQLite's own limit is 2,000.
    package static let columns = 2_000
    /// Terms of ORDER BY and of GROUP BY; SQLite takes as many as columns.
    package static let terms = 2_000
    /// Bytes of SQL that are written again because a column is called by its alias: each name of a few bytes may mean a
    /// megabyte.
    package static let repeatedSQL = 8 << 20
    /// Arrays in arrays of an index; SQLite joins at most 64 tables.
    package static let arrays = 60
    /// Expressions of a list, such as of an array or of IN.
    package static let list = 10_000
    /// Terms of a full-text search. FTS5 goes through where all of them are at once, and takes time that grows with the
    /// square of a chain's length to put it together.
    package static let searchTerms = 1_000
    /// Bytes of a full-text search.
    package static let searchText = 1 << 16
    /// Parentheses of a full-text search inside each other; FTS5's parser takes some 90.
    package static let searchNesting = 80
    /// Hits in all documents, of all words of a search, that RANK counts; ten seconds or so.
    package static let rankedHits = 10_000_000
    /// Steps of a regular expression over one text, each byte that a reference back compares being one; a second or so.
    package static let patternSteps = 1_000_000
    /// Steps of one for an index, where the document of somebody else holds up all who write.
    package static let patternStepsInIndex = 20_000
    /// Steps beside those for each byte of the text: what goes through it once is not too long, however long the text is.
    package static let stepsForByte = 16
    /// Letters for each of a text that LIKE compares again, beside `patternSteps`.
    package static let likeStepsBack = 16
    /// Where a regular expression may have to come back to, and what has to be as it was there; 40 bytes each.
    package static let patternMemory = 500_000
    /// Groups of a regular expression inside each other.
    package static let patternNesting = 100
    /// Groups of a regular expression that keep what they matched: each step may copy what all of them have.
    package static let patternGroups = 100
    /// Arguments of a function: SQLite takes 127, and 100 where it was built long ago.
    package static let arguments = 100
    /// Bytes of a text that a function returns: what a document may be.
    package static let resultText = 20 * 1024 * 1024
}
