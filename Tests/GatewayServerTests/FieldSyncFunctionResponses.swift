import Testing

/// Filled forms: whose they are, and who reviews them.
extension FieldSyncFunctionTests {
    private static func response(_ state: String, _ members: String = "", by creator: String = "ann") -> String {
        let own = #""form":"visit","formVersion":"1","instanceID":"uuid:1","state":"\#(state)""#
        return record("response", own + (members.isEmpty ? "" : "," + members), by: creator)
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
        Row("approved by a supervisor", ines, response("approved"), over: response("final")),
        Row("returned by a supervisor", ines, response("hasIssues"), over: response("final")),
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
