import Testing

/// Filled forms: whose they are, and who reviews them.
extension FieldSyncFunctionTests {
    private static func response(
        _ state: String, _ members: String = "", by creator: String = "ann", instance: String = "uuid:1"
    ) -> String {
        let own = #""form":"visit","formVersion":"1","instanceID":"\#(instance)","state":"\#(state)""#
        return record("response", own + (members.isEmpty ? "" : "," + members), by: creator)
    }

    /// The note of who gave it its state.
    private static func reviewed(by name: String = "ines") -> String {
        #""fieldChanges":[{"by":"\#(name)","fields":["state"]}]"#
    }

    private static func history(_ steps: String...) -> String { #""history":[\#(steps.joined(separator: ","))]"# }

    private static func returned(_ why: String = "too deep", by name: String = "ines") -> String {
        step("returned", by: name, #","why":"\#(why)","question":"/data/age""#)
    }

    private static func finalised(by name: String = "ann") -> String { step("finalised", by: name) }

    private static func step(_ action: String, by name: String, _ more: String = "") -> String {
        #"{"action":"\#(action)","by":"\#(name)","at":"2026-03-05T10:15:00Z","instanceID":"uuid:1"\#(more)}"#
    }

    static let responses = [
        Row("a finalised form", ann, response("final", #""finalisedBy":"ann","answers":{"age":3}"#)),
        Row(
            "a form finalised by somebody else", ann, response("final", #""finalisedBy":"bob""#),
            refused: "finalised it"),
        Row("a form of somebody else's", ann, response("final", by: "bob"), refused: "you are somebody else"),
        Row("a state that there is not", ann, response("lost"), refused: "none of a filled form"),
        Row("answers that are a list", ann, response("final", #""answers":[1]"#), refused: "answers"),
        Row("seeds that are a list", ann, response("final", #""@seeds":[1]"#), refused: "@seeds"),
        Row(
            "no form", ann, record("response", #""formVersion":"1","instanceID":"uuid:1","state":"final""#),
            refused: "form"),
        Row("approved by its author", ann, response("approved"), over: response("final"), refused: "filled forms"),
        Row("returned by its author", ann, response("hasIssues"), over: response("final"), refused: "filled forms"),
        Row("approved by a supervisor", ines, response("approved", reviewed()), over: response("final")),
        Row("returned by a supervisor", ines, response("hasIssues", reviewed()), over: response("final")),
        Row(
            "approved, and not said by whom", ines, response("approved"), over: response("final"),
            refused: "is approved, and does not say by whom"),
        Row(
            "returned in somebody else's name", ines, response("hasIssues", reviewed(by: "bob")),
            over: response("final"),
            refused: "somebody else returned it"),
        Row(
            "returned with a comment", ines, response("hasIssues", reviewed() + "," + history(returned())),
            over: response("final")),
        Row(
            "another comment", ines,
            response("hasIssues", reviewed() + "," + history(returned(), returned("why?"))),
            over: response("hasIssues", reviewed() + "," + history(returned()))),
        Row(
            "an approval taken back by a supervisor", ines,
            response("hasIssues", reviewed() + "," + history(returned())),
            over: response("approved", reviewed())),
        Row(
            "a comment by its author", ann, response("final", history(returned(by: "ann"))), over: response("final"),
            refused: "approves or returns filled forms"),
        Row(
            "a comment in somebody else's name", ines,
            response("hasIssues", reviewed() + "," + history(returned(by: "bob"))),
            over: response("final"), refused: "new step of somebody else"),
        Row(
            "handed in again, with the comments", ann, response("final", history(returned(), finalised())),
            over: response("hasIssues", reviewed() + "," + history(returned()))),
        Row(
            "handed in again, without the comments", ann, response("final", history(finalised())),
            over: response("hasIssues", reviewed() + "," + history(returned())), refused: "loses a step"),
        Row("a new one, with a step", ann, response("final", history(finalised()))),
        Row(
            "a step of somebody else's name", ann, response("final", history(finalised(by: "bob"))),
            over: response("final"),
            refused: "new step of somebody else"),
        Row("a history that is a text", ann, response("final", #""history":"long""#), refused: "history"),
        Row(
            "approved, with a step that was taken meanwhile", ann,
            response("approved", history(finalised())), over: response("approved")),
        Row(
            "the answers of somebody else's", ann, response("final", #""answers":{"age":4}"#, by: "bob"),
            over: response("final", #""answers":{"age":3}"#, by: "bob"),
            refused: "answers of somebody else's filled form"),
        Row(
            "the answers of somebody else's, by a supervisor", ines, response("final", #""answers":{"age":4}"#),
            over: response("final", #""answers":{"age":3}"#)),
        Row(
            "an edit of a sent one", ann,
            response("final", #""answers":{"age":4},"deprecatedID":"uuid:1","edits":1"#, instance: "uuid:2"),
            over: response("final", #""answers":{"age":3}"#)),
        Row("handed in again", ann, response("final"), over: response("hasIssues")),
        Row(
            "an approval taken back", ann, response("final"), over: response("approved"),
            refused: "takes an approval back"),
        Row(
            "approved, with another answer", ann, response("approved", #""answers":{"age":4}"#),
            over: response("approved", #""answers":{"age":3}"#), refused: "changes what is approved"),
        Row(
            "the state of somebody else's", ann, response("draft", by: "bob"), over: response("final", by: "bob"),
            refused: "somebody else's filled form"),
    ]

    @Test(arguments: responses) func decidesAboutFilledForms(row: Row) async throws {
        try await decide(row, on: row.named)
    }
}
