import DocumentQuery
import DocumentValues
import Testing

/// What the author of a query reads about its names and calls, behind the recorded message.
@Suite struct NameAdviceTests {
    private static func error(of text: String) throws -> QueryError {
        try #require(throws: QueryError.self) {
            _ = try StatementTranslator.translate(
                try QueryParser.statement(text), environment: RecordedEnvironment(query: RecordedQuery(json: [:])))
        }
    }

    @Test(arguments: [
        ("ROUND(1, 2, 3)", "ROUND takes 1 or 2 arguments, and here are 3."),
        ("POWER(1)", "POWER takes 2 arguments, and here is 1."), ("PI(1)", "PI takes no arguments, and here is 1."),
        ("ABS()", "ABS takes 1 argument, and here are none."),
        ("CONCAT(1)", "CONCAT takes at least 2 arguments, and here is 1."),
        ("SUM(k, k)", "SUM takes 1 argument, and here are 2."),
        ("DATE_ADD_STR(1)", "DATE_ADD_STR takes 3 or 4 arguments, and here is 1."),
    ])
    func arguments(call: String, advice: String) throws {
        let error = try Self.error(of: "SELECT \(call) FROM one")
        #expect(error.message.hasPrefix("Too ") && error.position == nil)
        #expect(error.advice == advice)
    }

    @Test func manyArgumentsAreCounted() throws {
        let list = (0...100).map { "\($0)" }.joined(separator: ",")
        let error = try Self.error(of: "SELECT CONCAT(\(list)) FROM one")
        #expect(error.advice == "CONCAT takes 2 to 100 arguments, and here are 101.")
    }

    @Test(arguments: [
        ("kv", "Did you mean 'kw'?"), ("site", "Did you mean 'field.sites'?"), ("sites", "Did you mean 'field.sites'?"),
        ("field.site", "Did you mean 'field.sites'?"), ("feild.sites", "Did you mean 'field.sites'?"),
        ("Notes", "Did you mean 'notes'?"),
        (
            "zzzzzzz",
            "There are '_', 'one', 'mixed', 'field.sites', 'field.inspections', 'field.findings', 'notes', "
                + "'odd.a-b', 'order', 'kw' and 1 more."
        ),
    ])
    func collections(name: String, advice: String) throws {
        let error = try Self.error(of: "SELECT v FROM \(name)")
        #expect(error.message == "no such collection \"\(name)\"")
        #expect(error.advice == advice)
    }

    private static let joined = "FROM field.sites AS site JOIN field.inspections AS i ON i.site = site.name"

    @Test(arguments: [
        ("SELECT stie.name \(joined)", "The sources are 'site' and 'i'. Did you mean 'site'?"),
        ("SELECT name \(joined)", "The sources are 'site' and 'i': write site.name."),
        ("SELECT other.a.b \(joined)", "The sources are 'site' and 'i': begin the path with an alias."),
        ("SELECT META().id \(joined)", "The sources are 'site' and 'i': write META(site).id."),
        ("SELECT META(zzzz).id \(joined)", "The sources are 'site' and 'i': write META(site)."),
        ("SELECT META(sites).id FROM field.sites", "Write META() alone, or give the source an alias by AS."),
        ("SELECT META().iid FROM one", "Did you mean 'id'?"),
        ("SELECT META().author FROM one", "META() has id, revisionID, sequence, deleted and expiration."),
        (
            "SELECT i.score AS n \(joined) WHERE n = 1",
            "'n' is the alias of a column, which cannot be used here: write its expression."
        ),
    ])
    func aliases(text: String, advice: String) throws {
        let error = try Self.error(of: text)
        #expect(error.advice == advice, "\(error.message)")
    }

    private static let having = "put a condition on COUNT(), or on an alias of it, into HAVING behind GROUP BY."

    @Test(arguments: [
        ("SELECT k FROM mixed WHERE COUNT(*) > 1", "WHERE is about one document at a time: \(having)"),
        ("SELECT COUNT(*) AS n FROM mixed WHERE n > 1", "WHERE is about one document at a time: \(having)"),
        ("SELECT k FROM mixed GROUP BY COUNT(*)", "GROUP BY makes the groups that COUNT() is of: \(having)"),
        (
            "SELECT k FROM mixed ORDER BY COUNT(*)",
            "ORDER BY COUNT() needs a GROUP BY, or an aggregate function among the columns."
        ),
        (
            "SELECT SUM(COUNT(*)) FROM mixed",
            "An aggregate function cannot be inside another, nor inside ANY or EVERY."
        ),
    ])
    func aggregates(text: String, advice: String) throws {
        let error = try Self.error(of: text)
        #expect(error.message == "Cannot use aggregate function COUNT() in this context")
        #expect(error.advice == advice)
    }

    @Test func unknownFunctionsOfTheJSONForm() throws {
        let error = try #require(throws: QueryError.self) {
            try JSONQueryReader.statement(#"{"WHAT":[["UPER()",1]],"FROM":[{"COLLECTION":"one"}]}"#)
        }
        #expect(error.message == "Unknown function 'UPER'")
        #expect(error.advice == "There is no function UPER. Did you mean UPPER?")
    }
}
