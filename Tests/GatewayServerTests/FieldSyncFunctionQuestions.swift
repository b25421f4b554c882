import DocumentValues
import SyncFunction

/// More rows: the questions about a record, and who decides them.
extension FieldSyncFunctionTests {
    private static func asked(
        _ type: String, _ status: String, _ entries: [String], with members: String = "", by creator: String = "ann"
    ) -> String {
        record(
            type,
            #""status":"\#(status)","inspector":"ann","conflicts":[\#(entries.joined(separator: ","))]\#(members)"#,
            by: creator)
    }
    private static func inspection(_ status: String, _ entries: String..., with members: String = "") -> String {
        asked("inspection", status, entries, with: members)
    }
    /// Ann's to do, also where another one has assigned it.
    private static func work(
        _ status: String, _ entries: String..., by creator: String = "ines", with members: String = ""
    ) -> String {
        asked("assignment", status, entries, with: members, by: creator)
    }
    private static func entry(_ field: String, _ value: String, by name: String = "ines") -> String {
        #"{"field":"\#(field)","value":"\#(value)","by":"\#(name)"}"#
    }

    private static let (approved1, returned1) = (entry("status", "approved"), entry("status", "returned", by: "sven"))
    private static let (bad, worse) = (entry("review", "bad"), entry("review", "worse", by: "sven"))
    private static let (done, dropped) = (entry("status", "done", by: "ann"), entry("status", "dropped"))
    private static let opened = entry("status", "open", by: "sven")
    private static let (early, late) = (entry("due", "2026-12-08"), entry("due", "2026-12-09", by: "sven"))
    private static let deletion = #"{"deleted":true,"by":"sven"}"#
    private static let refusal = "only a supervisor decides what supervisors are asked about"

    private static let reviewQuestions = [
        Row(
            "an approval confirmed by its inspector", ann, inspection("approved"),
            over: inspection("approved", approved1, returned1), refused: refusal),
        Row(
            "a return confirmed by its inspector", ann, inspection("returned"),
            over: inspection("returned", returned1, entry("status", "draft")), refused: refusal),
        Row(
            "a return decided away by its inspector", ann, inspection("draft"),
            over: inspection("draft", returned1, entry("status", "draft")), refused: refusal),
        Row(
            "a reason confirmed by its inspector", ann, inspection("returned", with: #","review":"bad""#),
            over: inspection("returned", bad, worse, with: #","review":"bad""#), refused: refusal),
        Row(
            "an empty reason confirmed by its inspector", ann, inspection("approved"),
            over: inspection("approved", #"{"field":"review"}"#, worse), refused: refusal),
        Row(
            "one of three reasons taken away by its inspector", ann,
            inspection("returned", bad, worse, with: #","review":"bad""#),
            over: inspection("returned", bad, worse, entry("review", "third"), with: #","review":"bad""#),
            refused: refusal),
        Row(
            "decided by a supervisor", ines, inspection("approved"),
            over: inspection("approved", approved1, returned1, bad, worse)),
        Row(
            "handed in again, with a reason to be decided", ann,
            inspection("submitted", bad, worse, with: #","review":"bad""#),
            over: inspection("returned", bad, worse, with: #","review":"bad""#)),
        Row(
            "handed in again, though somebody asked whether it is returned", ann,
            inspection("submitted", entry("status", "draft")),
            over: inspection("returned", returned1, entry("status", "draft"))),
        Row(
            "a question that a merge adds", ann, inspection("approved", approved1, returned1, entry("score", "1")),
            over: inspection("approved", approved1, returned1)),
        Row(
            "the same value from another moment, spelled otherwise", ann,
            inspection(
                "approved", approved1, #"{"field":["status"],"value":"returned","by":"olga"}"#,
                #"{"field":"review","value":null}"#),
            over: inspection("approved", approved1, returned1, #"{"field":["review"]}"#)),
        Row("a question of everybody", ann, inspection("draft"), over: inspection("draft", entry("notes", "a"))),
        Row("whether it is deleted", ann, inspection("draft"), over: inspection("draft", deletion)),
        Row(
            "whether it is handed in", ann, inspection("draft"),
            over: inspection("draft", entry("status", "draft"), entry("status", "submitted"))),
        Row("what no laptop reads", ann, inspection("draft"), over: inspection("draft", #"{"a":1}"#)),
    ]

    /// Laptops take these for decided, and leave them out with the next edit.
    private static let settledQuestions = [
        Row(
            "no reason, and there is none", ann, inspection("draft"),
            over: inspection("draft", #"{"field":"review"}"#)),
        Row(
            "no reason, and it is empty", ann, inspection("draft", with: #","review":null"#),
            over: inspection("draft", #"{"field":["review"],"value":null}"#, with: #","review":null"#)),
        Row(
            "the reason that there is", ann, inspection("returned", with: #","review":"bad""#),
            over: inspection("returned", bad, with: #","review":"bad""#)),
        Row("the return that there is", ann, inspection("returned"), over: inspection("returned", returned1)),
        Row("the approval that there is", ann, inspection("approved"), over: inspection("approved", approved1)),
        Row(
            "another reason than there is", ann, inspection("returned", with: #","review":"bad""#),
            over: inspection("returned", worse, with: #","review":"bad""#), refused: refusal),
        Row(
            "the reason that there is, beside a state that is open", ann,
            inspection("returned", approved1, with: #","review":"bad""#),
            over: inspection("returned", bad, approved1, with: #","review":"bad""#)),
        Row(
            "a state that is open, beside the reason that there is", ann,
            inspection("returned", bad, with: #","review":"bad""#),
            over: inspection("returned", bad, approved1, with: #","review":"bad""#), refused: refusal),
        Row(
            "the day that there is", ann, work("open", with: #","due":"2026-12-09""#),
            over: work("open", late, with: #","due":"2026-12-09""#)),
        Row("dropped, as it is", ann, work("dropped"), over: work("dropped", dropped)),
        Row(
            "what is deeper, as it is", ann, work("open", with: #","answers":{"a":1}"#),
            over: work("open", #"{"field":["answers","a"],"value":1}"#, with: #","answers":{"a":1}"#)),
        Row(
            "what is deeper, and is otherwise", ann, work("open", with: #","answers":{"a":1}"#),
            over: work("open", #"{"field":["answers","a"],"value":2}"#, with: #","answers":{"a":1}"#),
            refused: refusal),
    ]

    private static let assignmentQuestions = [
        Row(
            "a day confirmed by the one who is to do it", ann, work("open", with: #","due":"2026-12-09""#),
            over: work("open", early, late, with: #","due":"2026-12-09""#), refused: refusal),
        Row(
            "a day confirmed by the one who assigned it", ann, work("open", by: "ann", with: #","due":"2026-12-09""#),
            over: work("open", early, late, by: "ann", with: #","due":"2026-12-09""#)),
        Row("a day chosen by a supervisor", ines, work("open"), over: work("open", early, late, by: "ines")),
        Row(
            "a deletion decided away by the one who is to do it", ann, work("open"), over: work("open", deletion),
            refused: refusal),
        Row("a deletion decided away by a supervisor", ines, work("open"), over: work("open", deletion)),
        Row(
            "dropped, confirmed by the one who is to do it", ann, work("dropped"),
            over: work("dropped", dropped, opened), refused: refusal),
        Row("done, confirmed by the one who is to do it", ann, work("done"), over: work("done", done, dropped)),
        Row("done after all", ann, work("done", opened), over: work("dropped", dropped, opened)),
        Row(
            "open, as if nobody had dropped it", ann, work("open"), over: work("open", dropped, opened),
            refused: refusal),
        Row("done, and open again", ann, work("open"), over: work("done", done, dropped)),
        Row(
            "open again, and dropped is still to be decided", ann, work("open", dropped),
            over: work("done", done, dropped)),
        Row(
            "done, with a day that is still to be decided", ann,
            work("done", early, late, deletion, with: #","due":"2026-12-09""#),
            over: work("open", early, late, deletion, with: #","due":"2026-12-09""#)),
        Row("the inspection that was made", ann, work("done"), over: work("done", entry("inspection", "i"))),
    ]

    static let questions = reviewQuestions + settledQuestions + assignmentQuestions
}
