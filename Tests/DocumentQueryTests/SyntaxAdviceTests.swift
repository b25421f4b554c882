import DocumentQuery
import Testing

/// What the author of a text reads about its syntax, behind the recorded message and with the recorded position.
@Suite struct SyntaxAdviceTests {
    private static func error(of text: String) throws -> QueryError {
        try #require(throws: QueryError.self) { try QueryParser.statement(text) }
    }

    private static let clauses = "GROUP BY, ORDER BY, LIMIT, OFFSET or the end"
    private static let behindSource = "UNNEST, JOIN, WHERE, \(clauses)"

    /// The texts of the recordings, with their positions, and others like them.
    @Test(arguments: [
        ("SELECT v FROM", 13, "Column 14: found the end, expected a name."),
        ("SELECT v FROM `kw` WHERE", 24, "Column 25: found the end, expected an expression."),
        ("SELECT v FROM `kw` WHERE v 7", 27, "Column 28: found '7', expected an operator, \(clauses)."),
        ("SELECT v FROM `kw` WHERE (v = 7", 31, "Column 32: found the end, expected an operator or ')'."),
        ("SELECT v FROM `kw` WHERE v = 7)", 30, "Column 31: found ')', expected an operator, \(clauses)."),
        ("SELECT v FROM `kw` WHERE v = 'abc", 33, "Column 34: found the end, expected the closing '."),
        ("SELECT `v FROM `kw`", 18, "Column 19: found `, expected ',' or FROM."),
        ("SELECT v FROM `kw` WHERE AND v", 25, "Column 26: found 'AND', expected an expression."),
        (
            "SELECT v FROM `kw` WHERE v IS", 29,
            "Column 30: found the end, expected NOT, NULL, MISSING, VALUED or an expression."
        ),
        ("SELECT v FROM `kw` WHERE v NOT 7", 31, "Column 32: found '7', expected IN, BETWEEN or LIKE."),
        ("SELECT v FROM `kw` ORDER v", 25, "Column 26: found 'v', expected BY."),
        ("SELECT {'a' 1} FROM `kw`", 12, "Column 13: found '1', expected ':'."),
        ("SELECT {a: 1} AS r0 FROM one", 8, "Column 9: found 'a', expected '}' or a key in quotation marks."),
        ("SELECT a[i0] AS r0 FROM one", 9, "Column 10: found 'i0', expected a whole number."),
        ("SELECT 1e AS r0 FROM one", 9, "Column 10: found ' ', expected a digit."),
        ("SELECT 1st AS r0 FROM one", 8, "Column 9: found 'st', expected the end of the number."),
        ("SELECT $1 AS r FROM one", 8, "Column 9: found '1', expected a name."),
        ("SELECT EXISTS(s) FROM one", 14, "Column 15: found 's', expected SELECT."),
        ("", 0, "Column 1: found the end, expected SELECT."),
        (")", 0, "Column 1: found ')', expected SELECT."),
        ("SELECT", 6, "Column 7: found the end, expected DISTINCT, ALL or an expression."),
        ("SELECT v AS \"quoted\" FROM `kw`", 12, "Column 13: found \"quoted\", expected a name."),
        ("SELECT v\u{3000}FROM `kw`", 8, "Column 9: found '\u{3000}', expected an operator, an alias, ',' or FROM."),
    ])
    func whatIsThereAndWhatMightBe(text: String, position: Int, advice: String) throws {
        let error = try Self.error(of: text)
        #expect(error.message == "N1QL syntax error near character \(position + 1)")
        #expect(error.position == position && error.code == .invalidQuery)
        #expect(error.advice == advice)
    }

    @Test(arguments: [
        ("SELECT v FORM `kw`", 14, "found `kw`, expected ',' or FROM. Did you mean FROM instead of 'FORM'?"),
        ("SELECT a, b frm kw", 16, "found 'kw', expected ',' or FROM. Did you mean FROM instead of 'frm'?"),
        ("SELEC v FROM `kw`", 8, "found 'FROM', expected ',' or the end. Did you mean SELECT instead of 'SELEC'?"),
        ("SELECT v FROM kw WHER v", 22, "found 'v', expected \(behindSource). Did you mean WHERE instead of 'WHER'?"),
        (
            "SELECT v FROM kw GRUOP BY v", 23,
            "found 'BY', expected \(behindSource). Did you mean GROUP instead of 'GRUOP'?"
        ),
        ("SELECT v FROM kw k LIMT 5", 19, "found 'LIMT', expected \(behindSource). Did you mean LIMIT?"),
        (
            "SELECT v FROM kw WHERE v ORDR BY v", 25,
            "found 'ORDR', expected an operator, \(clauses). Did you mean ORDER?"
        ),
        ("SELECT v FROM kw WHERE v = 1 AN w", 29, "found 'AN', expected an operator, \(clauses). Did you mean AND?"),
        ("SELECT v FROM kw WHERE v LIEK 'a'", 25, "found 'LIEK', expected an operator, \(clauses). Did you mean LIKE?"),
        ("SELECT v FROM kw LEFT JION one", 22, "found 'JION', expected OUTER or JOIN. Did you mean JOIN?"),
        ("SELECT CASE WHEN v THN 1 END FROM kw", 19, "found 'THN', expected an operator or THEN. Did you mean THEN?"),
        (
            "SELECT CASE WEN v THEN 1 END FROM kw", 16,
            "found 'v', expected an operator or WHEN. Did you mean WHEN instead of 'WEN'?"
        ),
        // Words that are far from all keywords are names.
        ("SELECT v FROM kw WHERE v site", 25, "found 'site', expected an operator, \(clauses)."),
        ("INSERT INTO one VALUES (1)", 12, "found 'one', expected ',' or the end. A query begins with SELECT."),
        ("SELECT v AS from FROM `kw`", 12, "found 'from', expected a name. A keyword is a name in back-ticks: `from`."),
        (
            "SELECT ? AS r FROM one", 7,
            "found '?', expected DISTINCT, ALL or an expression. A parameter is written $name."
        ),
        (
            "SELECT v FROM kw HAVING v", 17,
            "found 'HAVING', expected an alias, \(behindSource). HAVING goes behind GROUP BY."
        ),
        (
            "SELECT v FROM kw ORDER BY v WHERE v", 28,
            "found 'WHERE', expected an operator, DESC, ASC, ',', LIMIT, OFFSET or the end. "
                + "WHERE goes before GROUP BY, ORDER BY and LIMIT."
        ),
        ("SELECT v FROM kw /* c */", 17, "found '/*', expected an alias, \(behindSource). Queries have no comments."),
        ("SELECT v FROM kw WHERE a && b", 26, "found '&', expected an expression. Write AND."),
        ("SELECT UPER(v) FROM kw", 11, "there is no function UPER. Did you mean UPPER?"),
        ("SELECT COALESCE(v, 1) FROM kw", 15, "there is no function COALESCE; write IFMISSINGORNULL."),
        ("SELECT NOSUCH(v) FROM `kw`", 13, "there is no function NOSUCH."),
    ])
    func whatItsAuthorMeant(text: String, position: Int, advice: String) throws {
        let error = try Self.error(of: text)
        #expect(error.position == position)
        #expect(error.advice == "Column \(position + 1): \(advice)")
    }

    @Test func severalLines() throws {
        let error = try Self.error(of: "SELECT '\u{E9}'\nFROM kw\r\nWHERE '\u{E9}' 7")
        #expect(error.position == 32)
        #expect(error.advice == "Line 3, column 11: found '7', expected an operator, \(Self.clauses).")
    }

    /// Also of what an index is of, whose message has its text.
    @Test func expressionsOfIndexes() throws {
        let error = try #require(throws: QueryError.self) { try QueryParser.index("a, UPER(b)", condition: nil) }
        #expect(error.message == "Invalid N1QL in index expression \"a, UPER(b)\" near character 8")
        #expect(error.advice == "Column 8: there is no function UPER. Did you mean UPPER?")
        let end = try #require(throws: QueryError.self) { try QueryParser.expression("a b") }
        #expect(end.advice == "Column 3: found 'b', expected an operator or the end.")
    }

    /// The advice is short and safe to print, however long the text and the piece at its fault are.
    @Test(arguments: [
        String(repeating: "x", count: 900_000), "'" + String(repeating: "x", count: 900_000),
        "'\u{1B}[2J\u{202E}\n' ", String(repeating: "\u{301}", count: 300_000), "\u{1B}[2J",
    ])
    func piecesAreCutAndSafe(piece: String) throws {
        for text in ["SELECT v FROM kw WHERE v \(piece)", "SELECT \(piece)(v) FROM kw", "\(piece) x y z"] {
            guard let advice = try Self.error(of: text).advice else { continue }
            #expect(
                advice.utf8.count < 500 && !advice.utf8.contains { $0 < 0x20 }
                    && !advice.unicodeScalars.contains("\u{202E}"))
        }
    }

    @Test func aLongTextHasItToo() throws {
        let names = (0..<20_000).map { "v\($0)" }.joined(separator: ",")
        let error = try Self.error(of: "SELECT \(names) FRM kw")
        #expect(error.advice?.hasSuffix("Did you mean FROM instead of 'FRM'?") == true)
    }
}
