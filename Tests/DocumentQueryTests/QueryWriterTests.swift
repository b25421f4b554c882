import DocumentQuery
import DocumentValues
import Testing

/// A query that is written as text means the same when it is read again.
struct QueryWriterTests {
    @Test func recordedQueries() throws {
        var differences: [String] = []
        var compared = 0
        for query in try RecordedQuery.all() {
            guard let text = query.text, let statement = try? QueryParser.statement(text),
                let translated = try? translate(statement, of: query)
            else { continue }
            // A text alone as a column is read as a property.
            guard
                !statement.columns.contains(where: {
                    if case .nested(.literal, _) = $0.expression { true } else { false }
                })
            else { continue }
            compared += 1
            let written = QueryWriter.text(statement)
            do {
                let again = try translate(try QueryParser.statement(written), of: query)
                if again.sql != translated.sql || again.columns != translated.columns {
                    differences.append("\(query.id): \(text)\n    \(written)")
                }
            } catch {
                differences.append("\(query.id): \(text)\n    \(written)\n    \(error)")
            }
        }
        #expect(compared > 1_300)
        #expect(differences.isEmpty, "\(differences.count) of \(compared)\n\(differences.joined(separator: "\n"))")
    }

    private func translate(_ statement: SelectStatement, of query: RecordedQuery) throws -> TranslatedQuery {
        try StatementTranslator.translate(statement, environment: RecordedEnvironment(query: query))
    }

    @Test(arguments: [
        "name", "`order`", "`a b`", "`a``b`.c[-1]", "`some`", "`all`", "'it''s'", "(x IS (NULL))", "(a || 'b')", "-5",
        "(- x)", "{'k': [1, NULL, TRUE]}", "COUNT(*)", "COUNT(DISTINCT x)", "META(`a-b`).id", "`from`.*",
        "((v = 'A') COLLATE (UNICODE:sv NOCASE DIAC))", "(ANY x IN a.b SATISFIES (x.y > 1) END)",
        "(CASE a WHEN 1 THEN 2 ELSE 3 END)", "(x NOT IN [1, 2])", "$p", "$p.a[0]",
    ])
    func expressions(text: String) throws { #expect(QueryWriter.text(try QueryParser.expression(text)) == text) }

    /// What is a list by its value, which a parenthesis behind IN would make a list of.
    @Test(arguments: [
        (#"["_.",["||",[".a"],[".b"]],".c"]"#, "(x IN {'list': (a || b)}.list.c)"),
        (#"["||",["||",[".a"],[".b"]],[".c"]]"#, "(x IN {'list': ((a || b) || c)}.list)"),
        (#"["||",[".a"],[".b"]]"#, "(x IN a || b)"), (#"["NOT",[".a"]]"#, "(x IN {'list': (NOT a)}.list)"),
        (#"["=",[".a"],[".b"]]"#, "(x IN {'list': (a = b)}.list)"), (#"[".a"]"#, "(x IN a)"),
    ])
    func listsBehindIn(list: String, text: String) throws {
        let json = #"["SELECT",{"WHAT":[["IN",[".x"],\#(list)]],"FROM":[{"COLLECTION":"one"}]}]"#
        let written = QueryWriter.text(try #require(try JSONQueryReader.statement(json).columns.first).expression)
        #expect(written == text)
        #expect(QueryWriter.text(try QueryParser.expression(written)) == written)
    }
}
