/// The limits of a query.
package enum QueryLimits {
    /// Bytes of its text. The longest queries of programs have lists of some thousand ids; a megabyte is parsed in some
    /// 20 ms.
    package static let text = 1 << 20
    /// Expressions inside each other, most of them the operators of a chain. SQLite refuses trees deeper than 1,000, and one
    /// of our levels may need two of its. It refuses parentheses and calls inside each other from some ten to thirty on;
    /// that error is its own.
    package static let depth = 400
    /// Parentheses, calls and the like inside each other, each of which takes stack while it is read.
    package static let nesting = 200
    /// Different parameters: SQLite refuses numbers beyond 32,766 by default.
    package static let parameters = 30_000
    /// Sources of a statement; SQLite joins at most 64 tables, and full-text search takes one more each.
    package static let sources = 30
    /// Rows, by LIMIT and OFFSET, whose keys are kept beside SQLite's own to see which others are not needed; each takes some
    /// hundred bytes.
    package static let firstRows = 1_000
    /// Bytes of a text that is kept as such a key; rows of longer ones are left to SQLite.
    package static let sortedText = 4_096
    /// Rows of the sample for each of the first rows, and how many times as many there have to be for it: five percent more
    /// work spare SQLite nearly all where the newest documents are wanted.
    package static let sampledRows = 5
    package static let shareOfSample = 20
    /// Columns of a statement; SQLite's own limit is 2,000.
    package static let columns = 2_000
    /// Terms of ORDER BY and of GROUP BY; SQLite takes as many as columns.
    package static let terms = 2_000
    /// Bytes of SQL that are written again because a column is used by its alias: an alias of a few bytes may mean a
    /// megabyte.
    package static let repeatedSQL = 8 << 20
    /// Arrays in arrays of an index; SQLite joins at most 64 tables.
    package static let arrays = 60
    /// Expressions of a list, such as of an array or of IN.
    package static let list = 10_000
    /// Terms of a full-text search. FTS5 goes through the positions of all terms at once, and the time for building a
    /// chain grows with the square of its length.
    package static let searchTerms = 1_000
    /// Bytes of a full-text search.
    package static let searchText = 1 << 16
    /// Parentheses of a full-text search inside each other; FTS5's parser takes some 90.
    package static let searchNesting = 80
    /// Hits in all documents, of all words of a search, that RANK counts; ten seconds or so.
    package static let rankedHits = 10_000_000
    /// Steps of a regular expression over one text, which take a second or so. Each byte that a back reference compares
    /// is a step.
    package static let patternSteps = 1_000_000
    /// Steps of one for an index, where another user's document delays all writers.
    package static let patternStepsInIndex = 20_000
    /// Additional steps for each byte of the text: one pass is allowed, however long the text is.
    package static let stepsForByte = 16
    /// Letters that LIKE may compare again, for each letter of the text, in addition to `patternSteps`.
    package static let likeStepsBack = 16
    /// Choices of a regular expression, and changes to be undone for them; 40 bytes each.
    package static let patternMemory = 500_000
    /// Units of a `WorkMeter` after which a function looks whether its query is still wanted: a tenth of a millisecond or so.
    package static let unitsBetweenLooks = 1 << 16
    /// Units of a step in a loop over bytes or scalars, such as one of a regular expression; of a byte of JSON that is read
    /// or written; of a byte of a regular expression that is compiled; of a byte of a text in another case, and of one that
    /// is folded or compared by Unicode's rules; of a hit that RANK counts. Each is what takes some nanoseconds.
    package static let unitsOfStep = 8
    package static let unitsOfJSON = 16
    package static let unitsOfPattern = 64
    package static let unitsOfCase = 64
    package static let unitsOfFolding = 128
    package static let unitsOfHit = 64
    /// Steps that are counted together.
    package static let stepsBetweenLooks = unitsBetweenLooks / unitsOfStep
    /// Bytes of a text that are changed at once.
    package static let textPortion = 1 << 14
    /// Elements or members that are written at once, and bytes of their texts.
    package static let elementsAtOnce = 256
    package static let writtenAtOnce = 1 << 16
    /// Bytes of a document below which looking into it is not counted: it takes less time than SQLite's own steps for it.
    package static let uncounted = 4_096
    /// Bytes, for each of a text, that CONTAINS compares in vain before it takes its slower and steadier way.
    package static let comparedInVain = 4
    /// Bytes of a regular expression: a thousand ids and more.
    package static let patternText = 1 << 16
    /// How often a regular expression repeats a part by counts inside each other, all multiplied. A single count may be
    /// any number.
    package static let patternRepeats = 10_000_000
    /// Patterns that a connection keeps ready, each of regular expressions and of LIKE.
    package static let cachedPatterns = 8
    /// Groups of a regular expression inside each other.
    package static let patternNesting = 100
    /// Groups of a regular expression that keep their match: each step may copy the matches of all.
    package static let patternGroups = 100
    /// Bytes of the piece of a query's text that an error shows.
    package static let shownToken = 40
    /// Names that an error proposes, such as of functions, and those that it lists if none is near.
    package static let proposedNames = 3
    package static let listedNames = 10
    /// Arguments of a function: SQLite takes 127, older versions 100.
    package static let arguments = 100
    /// Bytes of a text that a function returns: the limit of a document.
    package static let resultText = 20 * 1024 * 1024
    /// Bytes of any other value that a function makes, such as an array or an object with its JSON: three of the largest
    /// documents. In memory an array takes some times as much.
    package static let value = 64 * 1024 * 1024
}
