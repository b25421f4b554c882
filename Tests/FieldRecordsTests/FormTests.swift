import DocumentValues
import FieldModels
import FieldRecords
import Testing

@Suite struct FormTests {
    private static let fridge = FormField(
        "fridge", label: "Fridge °C", kind: .number, isRequired: true, minimum: -5, maximum: 12)
    private static let staff = FormField("staff", label: "Staff", kind: .whole, minimum: 1)
    private static let pests = FormField("pests", label: "Pests", kind: .yesNo, isRequired: true)
    private static let which = FormField(
        "which", label: "Which", kind: .choice, isRequired: true, choices: ["mice", "moths", "flies"],
        when: FormField.Condition(field: "pests", equals: true))
    private static let where_ = FormField(
        "where", label: "Where", kind: .text, maximum: 10, when: FormField.Condition(field: "which", equals: "mice"))
    private static let since = FormField("since", label: "Since", kind: .day)

    private func form(_ fields: FormField...) -> FormDefinition {
        FormDefinition(id: "form", name: "Form", fields: fields)
    }

    @Test(arguments: [
        (fridge, "4.5", "4.5"), (fridge, " 4,5 ", "4.5"), (fridge, "-5", "-5"), (staff, "7", "7"),
        (pests, "y", "true"), (pests, "No", "false"), (which, "2", #""moths""#), (which, "FL", #""flies""#),
        (which, "3 flies", #""flies""#), (which, "mice", #""mice""#),
        (where_, "cellar", #""cellar""#), (since, "20260301", #""2026-03-01""#),
        (since, "today", #""2026-03-04""#), (since, "-4", #""2026-02-28""#), (since, "yesterday", #""2026-03-03""#),
    ])
    func readsWhatPeopleType(field: FormField, text: String, expected: String) throws {
        let today = try #require(CalendarDay("2026-03-04"))
        #expect(try AnswerReader.read(text, for: field, today: today).description == expected)
    }

    @Test(arguments: [
        (fridge, "warm", "fridge must be a number, not 'warm'"),
        (fridge, "13", "fridge must be -5 to 12, but is 13"),
        (fridge, "nan", "fridge must be a number, not 'nan'"),
        (staff, "0", "staff must be 1 or more, but is 0"),
        (staff, "1.5", "staff must be a whole number, not '1.5'"),
        (pests, "maybe", "pests must be yes or no, not 'maybe'"),
        (which, "m", "which has 2 choices that begin with 'm': type more of one, or its number"),
        (which, "4", "which must be one of 1 mice, 2 moths, 3 flies, not '4'"),
        (which, "", "which must be one of 1 mice, 2 moths, 3 flies, not ''"),
        (where_, "behind the stove", "where must have at most 10 characters, but has 16"),
        (since, "2026-02-30", "since must be a day such as 2026-03-04, or -1 for yesterday, not '2026-02-30'"),
    ])
    func saysWhatIsWanted(field: FormField, text: String, expected: String) throws {
        let today = try #require(CalendarDay("2026-03-04"))
        let problem = #expect(throws: FieldProblem.self) { try AnswerReader.read(text, for: field, today: today) }
        #expect(problem?.description == expected)
    }

    /// Another program has put it there.
    @Test(arguments: [["90", ""], [""]]) func aValueThatCannotBeReadIsCleared(texts: [String]) throws {
        let today = try #require(CalendarDay("2026-03-04"))
        var body = Inspection(id: "inspection-1", site: "site-1", date: today, district: .unknown).object
        body["score"] = "85"
        var inspection = try Inspection(id: "inspection-1", object: body)
        #expect(inspection.object["score"] == "85")
        for text in texts { try inspection.apply([(field: "score", text: text)], form: nil, today: today) }
        #expect(inspection.object["score"] == nil)
    }

    /// With all of them, the list would not fit on the screen.
    @Test func ofManyChoicesSomeAreNamed() throws {
        let field = FormField("many", label: "Many", kind: .choice, choices: (1...12).map { "kind \($0)" })
        let today = CalendarDay(daysSince1970: 0)
        let problem = #expect(throws: FieldProblem.self) { try AnswerReader.read("x", for: field, today: today) }
        #expect(problem?.message.hasSuffix(", 9 kind 9 and 3 more, each by its number, not 'x'") == true)
    }

    @Test(
        arguments: [
            ([:], ["fridge", "pests"], ["fridge", "pests"]),
            (["pests": false, "which": "mice"], ["fridge", "pests"], ["fridge"]),
            (["pests": true], ["fridge", "pests", "which"], ["fridge", "which"]),
            (["pests": true, "which": "mice", "fridge": 3], ["fridge", "pests", "which", "where"], []),
            // A question whose own question is skipped is skipped too.
            (["pests": false, "which": "mice", "fridge": 3], ["fridge", "pests"], []),
        ] as [(JSONObject, [String], [String])])
    func skipLogicFollowsTheAnswers(answers: JSONObject, asked: [String], missing: [String]) {
        let form = form(Self.fridge, Self.pests, Self.which, Self.where_)
        #expect(FormCheck.asked(in: form, answers: answers).map(\.name) == asked)
        #expect(FormCheck.missing(in: answers, of: form).map(\.name) == missing)
    }

    @Test(
        arguments: [
            ([:], []), (["pests": true, "which": "mice", "where": "cellar"], []),
            (["pests": false, "which": "mice", "where": "cellar"], ["which", "where"]),
            (["pests": true, "which": "flies", "where": "cellar"], ["where"]), (["which": nil, "where": ""], []),
            (["of another form": "x"], []),
        ] as [(JSONObject, [String])])
    func answersOfClosedQuestionsAreNamed(answers: JSONObject, closed: [String]) {
        let form = form(Self.fridge, Self.pests, Self.which, Self.where_)
        #expect(FormCheck.closed(in: form, answers: answers).map(\.name) == closed)
    }

    @Test func answersOfTheWrongTypeAreNamed() {
        let form = form(Self.fridge, Self.staff, Self.pests, Self.since)
        let answers: JSONObject = ["fridge": "cold", "staff": 1.5, "pests": "yes", "since": "soon"]
        #expect(
            FormCheck.problems(of: answers, in: form).map(\.description) == [
                "fridge must be a number, not 'cold'", "staff must be a whole number, not 1.5",
                "pests must be yes or no, not 'yes'", "since must be a day such as 2026-03-04, not 'soon'",
            ])
        #expect(FormCheck.problems(of: JSONObject(), in: form).isEmpty)
    }

    /// For example after a new version of the form.
    @Test func answersToAnotherKindOfQuestionAreShownAsTheyWereGiven() {
        let form = form(Self.pests, Self.which, Self.fridge)
        let answers: JSONObject = ["pests": true, "which": true, "fridge": false]
        #expect(
            FormCheck.problems(of: answers, in: form).map(\.description) == [
                "which must be one of mice, moths, flies, not yes", "fridge must be a number, not no",
            ])
    }
}
