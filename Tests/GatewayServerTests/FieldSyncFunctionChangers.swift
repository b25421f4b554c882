import DocumentValues
import SyncFunction

/// More rows: who says that they have changed a record.
extension FieldSyncFunctionTests {
    static let changers = [
        Row("changed by her", ann, changed("ann"), over: changed("bob")),
        Row("changed by nobody", ann, record("site"), over: changed("bob"), refused: "any more who changed it"),
        Row("as it was, by a merge", ann, changed("bob"), over: changed("bob")),
        Row("as it was, with another time", ann, changed("bob", at: later), over: changed("bob"), refused: "when bob"),
        Row(
            "as it was, on another device", ann, changed("bob", on: "ann-laptop"), over: changed("bob"),
            refused: "when bob"),
        Row("again by her, later", ann, changed("ann", at: later), over: changed("ann")),
        Row("as it was, later, by the office", office, changed("bob", at: later), over: changed("bob")),
        Row("changed by somebody else", ann, changed("bob"), over: changed("carl"), refused: "bob changed it last"),
        Row("new, by somebody else", ann, changed("bob"), refused: "bob changed it last"),
        Row("by somebody else, from a supervisor", ines, changed("bob"), over: site, refused: "does not change"),
        Row("of no name", ann, record("site", #""changedBy":["ann"]"#), refused: "you are somebody else"),
        Row("over her own deletion", ann, changed("bob"), over: tombstone, refused: "bob changed it last"),
        Row("taken over by the office", office, changed("bob")),
        Row(
            "by nobody, at another time", ann, unnamed(#""changedAt":"\#(later)""#), over: namedOfBob,
            refused: "not who changed it"),
        Row(
            "by nobody, on another device", ann, unnamed(#""device":"ann-laptop""#), over: namedOfBob,
            refused: "not who changed it"),
        Row(
            "by nobody, on his device", ann, unnamed(#""device":"d""#), over: namedOfBob, refused: "not who changed it"),
        Row(
            "by nobody, on another device, by a supervisor", ines, unnamed(#""device":"x""#), over: namedOfBob,
            refused: "not who changed it"),
        Row("by nobody, on another device, by the office", office, unnamed(#""device":"x""#), over: namedOfBob),
        Row("by nobody, as it was", ann, unnamed(#""device":"d""#), over: unnamed(#""device":"d""#)),
        Row(
            "changed by nobody on his device", ann, unnamed(#""device":"d","name":"x""#),
            over: unnamed(#""device":"d""#),
            refused: "does not say that you changed it"),
        Row(
            "changed without a trace", ann, unnamed(#""name":"x""#), over: namedOfBob,
            refused: "any more who changed it"),
        Row(
            "changed in his name", ann, renamedByBob, over: namedOfBob,
            refused: "does not say that you changed it"),
        Row(
            "changed in his name by a supervisor", ines, renamedByBob, over: namedOfBob,
            refused: "does not say that you changed it"),
        Row("changed in his name by the office", office, renamedByBob, over: namedOfBob),
        Row("questions in his name, by a merge", ann, unnamed(#""conflicts":[],"# + ofBob), over: namedOfBob),
        Row(
            "done without a name", ann, done(), over: assignment("open", for: "bob"),
            refused: "does not say that you changed it"),
        Row(
            "who changed it is left out", ann, unnamed(#""name":"x""#), over: renamedByBob,
            refused: "any more who changed it"),
        Row(
            "who changed it is left out by a supervisor", ines, unnamed(#""name":"x""#), over: renamedByBob,
            refused: "any more who changed it"),
        Row(
            "decided in his name", ann, unnamed(#""conflicts":[\#(first)],"# + ofBob),
            over: unnamed(#""conflicts":[\#(first),\#(second)],"# + ofBob), refused: "does not say that you decided it"),
        Row(
            "decided in nobody's name", ann, unnamed(#""conflicts":[\#(first)]"#),
            over: unnamed(#""conflicts":[\#(first),\#(second)]"#), refused: "does not say that you decided it"),
        Row(
            "who changed a field is said otherwise in his name", ann,
            unnamed(#""fieldChanges":[\#(fields("bob"))],"# + ofBob),
            over: unnamed(#""fieldChanges":[\#(fields("carl"))],"# + ofBob), refused: "says otherwise"),
        Row(
            "asked in his name, with who changed a field", ann,
            unnamed(#""conflicts":[\#(first)],"fieldChanges":[\#(fields("carl"))],"# + ofBob),
            over: unnamed(#""fieldChanges":[\#(fields("carl"))],"# + ofBob)),
        Row(
            "asked in his name", ann, unnamed(#""conflicts":[\#(first),\#(second)],"# + ofBob),
            over: unnamed(#""conflicts":[\#(second)],"# + ofBob)),
        Row(
            "decided by her", ann, unnamed(#""conflicts":[],"changedBy":"ann""#),
            over: unnamed(#""conflicts":[\#(first),\#(second)],"# + ofBob)),
        Row(
            "who handed it in is said otherwise", ann, handedIn(by: "carl"), over: handedIn(by: "bob"),
            refused: "somebody else submitted it"),
        Row("who handed it in stays", ann, handedIn(by: "bob", #","score":2"#), over: handedIn(by: "bob")),
        Row("one's own without a name", ann, record("site", #""name":"x""#), over: changed("ann")),
        Row(
            "one's own without a name, over somebody else's change", ann, record("site", #""name":"x""#),
            over: changed("bob"), refused: "any more who changed it"),
        Row(
            "one's own by nobody at his time, over somebody else's change", ann,
            record("site", #""name":"x","changedAt":"2026-03-04T10:15:00Z""#), over: changed("bob"),
            refused: "not who changed it"),
        Row("one's own without a name, by the office", office, record("site", by: "olga"), over: changed("bob")),
        Row("one's own by nobody", ann, record("site", #""device":"x""#), over: record("site", #""device":"d""#)),
    ]
    private static func unnamed(_ members: String) -> String { record("site", members, by: "bob") }
    private static let first = #"{"field":"notes","value":"a","by":"bob"}"#
    private static let second = #"{"field":"notes","value":"b","by":"carl"}"#
    private static func fields(_ name: String) -> String {
        #"{"fields":["name"],"by":"\#(name)","at":"2026-03-04T10:15:00Z","device":"d"}"#
    }
    private static func handedIn(by name: String, _ members: String = "") -> String {
        let entry = #"{"fields":["status"],"by":"\#(name)","at":"2026-03-04T10:15:00Z","device":"d"}"#
        return record(
            "inspection",
            #""status":"submitted","fieldChanges":[\#(entry)],"changedBy":"ann"\#(members)"#, by: "bob")
    }
    private static let ofBob = #""changedBy":"bob","changedAt":"2026-03-04T10:15:00Z","device":"d""#
    private static let namedOfBob = unnamed(ofBob)
    private static let renamedByBob = unnamed(#""name":"x","# + ofBob)

    private static func changed(_ name: String, at moment: String = "2026-03-04T10:15:00Z", on device: String = "d")
        -> String
    {
        record("site", #""changedBy":"\#(name)","changedAt":"\#(moment)","device":"\#(device)""#)
    }
}
