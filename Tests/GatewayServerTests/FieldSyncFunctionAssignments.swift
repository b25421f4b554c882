import SyncFunction

/// More rows: who gives work to whom, and says that it is done.
extension FieldSyncFunctionTests {
    static func assignment(_ status: String, for inspector: String = "ann", by creator: String = "ines")
        -> String
    {
        record("assignment", #""status":"\#(status)","inspector":"\#(inspector)""#, by: creator)
    }
    /// Given to ann by a supervisor.
    private static func given(
        _ status: String = "open", due: String = "2026-12-01", site: String = "s", instructions: String = #""look""#,
        _ members: String = ""
    ) -> String {
        record(
            "assignment",
            #""status":"\#(status)","inspector":"ann","site":"\#(site)","due":"\#(due)","#
                + #""instructions":\#(instructions)\#(members)"#, by: "ines")
    }
    private static let rewritten = record(
        "assignment",
        #""schema":1,"status":"done","inspector":"ann","site":"s","due":"2026-12-01","inspection":"i","#
            + #""createdAt":"2026-03-04T10:15:00Z""#, by: "ines")

    /// The one who is to do it says that it is done, and nothing else.
    private static let givenAssignments = [
        Row("done", ann, given("done", #","inspection":"i""#), over: given()),
        Row("taken back", ann, given(), over: given("done", #","inspection":"i""#)),
        Row("put off", ann, given(due: "2027-12-01"), over: given(), refused: "changes what was assigned"),
        Row("done and put off", ann, given("done", due: "2027-12-01"), over: given(), refused: "what was assigned"),
        Row("at another site", ann, given(site: "t"), over: given(), refused: "changes what was assigned"),
        Row(
            "with other instructions", ann, given(instructions: #""""#), over: given(),
            refused: "changes what was assigned"),
        Row(
            "without its instructions", ann, given(instructions: "null"), over: given(),
            refused: "changes what was assigned"),
        Row(
            "with a form of its own", ann, given("open", #","form":"f""#), over: given(),
            refused: "changes what was assigned"),
        Row("dropped", ann, given("dropped"), over: given(), refused: "drops what was assigned"),
        Row(
            "done though it was dropped", ann, given("done", #","conflicts":[{"field":"status"}]"#),
            over: given("dropped")),
        Row("assigned again", ann, given(), over: given("dropped"), refused: "assigns again"),
        Row(
            "as a laptop writes it", ann, rewritten,
            over: given("open", due: "20261201", instructions: "null", #","createdAt":"2026-03-04T10:15:00.5Z""#)),
        Row("put off by a supervisor", ines, given("dropped", due: "2027-12-01"), over: given()),
        Row("put off by the one who assigned it", ann, put(off: "2027-12-01"), over: put(off: "2026-12-01")),
    ]
    private static func put(off day: String) -> String {
        record("assignment", #""status":"open","inspector":"ann","due":"\#(day)""#, by: "ann")
    }

    static func done(_ members: String = "") -> String {
        record("assignment", #""status":"done","inspector":"bob","inspection":"i"\#(members)"#, by: "ines")
    }

    static let assignments =
        givenAssignments + [
            Row("assigned by a supervisor", ines, assignment("open", by: "ines")),
            Row("assigned by an inspector", ann, assignment("open", by: "ann"), refused: "only a supervisor assigns"),
            Row("done by the one assigned", ann, assignment("done"), over: assignment("open")),
            Row(
                "done by somebody else", ann, assignment("done", for: "bob"), over: assignment("open", for: "bob"),
                refused: "somebody else's"),
            Row("done with an inspection by somebody else", ann, done(), over: assignment("open", for: "bob")),
            Row(
                "done and put off by somebody else", ann, done(#","due":"2026-03-04""#),
                over: assignment("open", for: "bob"),
                refused: "somebody else's"),
            Row(
                "another inspection for what is done", ann, done(), over: done().replacing(#":"i""#, with: #":"j""#),
                refused: "somebody else's"),
            Row(
                "handed on", ann, assignment("open", for: "bob"), over: assignment("open"),
                refused: "hands work to somebody else"),
            Row("handed on by a supervisor", ines, assignment("open", for: "bob"), over: assignment("open")),
            Row(
                "deleted by the one assigned", ann, tombstone, over: assignment("open"), refused: "deletes assignments"),
            Row(
                "another's inspection taken over", ann, record("inspection", #""inspector":"ann""#, by: "bob"),
                over: record("inspection", #""inspector":"bob""#, by: "bob"), refused: "hands work to somebody else"),
        ]
}
