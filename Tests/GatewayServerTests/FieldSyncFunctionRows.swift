import DocumentValues
import SyncFunction

/// More rows: records of several people, and what one of them could do to the others.
extension FieldSyncFunctionTests {
    private static let shared = record(
        "inspection", #""status":"draft""#, in: "district.harbour,district.north", by: "bob")
    private static func elsewhere(_ members: String = "", by creator: String = "ann", in channels: String) -> String {
        record("inspection", members, in: channels, by: creator)
    }

    /// A record in two districts is both's: a user who has one of them may write it, and nobody shuts the others out.
    static let moves = [
        Row(
            "one's own in a second district of somebody else", ann, elsewhere(in: "district.north,district.harbour"),
            over: elsewhere(in: "district.harbour,district.north")),
        Row(
            "approved, its channels in another order", both,
            elsewhere(#""status":"approved""#, by: "bob", in: "district.north,district.harbour"),
            over: elsewhere(#""status":"approved""#, by: "bob", in: "district.harbour,district.north")),
        Row(
            "approved, in another channel", both,
            elsewhere(#""status":"approved""#, in: "district.north"),
            over: elsewhere(#""status":"approved""#, in: "district.harbour"), refused: "approved"),
        Row("deleted by the one whose it is", ann, tombstone, over: elsewhere(in: "district.harbour,district.north")),
        Row("a colleague's in two districts", ann, shared, over: shared),
        Row(
            "returned in two districts", ines, with(#""status":"returned""#, in: shared),
            over: with(#""status":"submitted""#, in: shared)),
        Row("deleted in two districts, by a supervisor", ines, tombstone, over: shared),
        Row(
            "a colleague's into a second district", both, shared,
            over: elsewhere(#""status":"draft""#, by: "bob", in: "district.harbour"),
            refused: "moves records of others"),
        Row(
            "a colleague's finding into a second district, with its inspection", both,
            record("finding", in: "district.north,district.harbour", by: "bob"), over: record("finding", by: "bob")),
        Row(
            "a colleague's finding into a district that is not one's own", ann,
            record("finding", in: "district.north,district.harbour", by: "bob"), over: record("finding", by: "bob"),
            refused: "district north is not one of yours"),
        Row(
            "a colleague's finding out of a district", both, record("finding", in: "district.north", by: "bob"),
            over: record("finding", by: "bob"), refused: "moves records of others"),
        Row(
            "a colleague's out of a district", both, elsewhere(by: "bob", in: "district.north"),
            over: elsewhere(by: "bob", in: "district.harbour"), refused: "moves records of others"),
        Row(
            "a site whose inspector one claims to be", both,
            record("site", #""inspector":"ann""#, in: "district.north", by: "bob"),
            over: record("site", #""inspector":"ann""#, by: "bob"), refused: "moves records of others"),
        Row(
            "a finding whose inspector one claims to be", both,
            record("finding", #""inspector":"ann""#, in: "district.north", by: "bob"),
            over: record("finding", #""inspector":"ann""#, by: "bob"), refused: "moves records of others"),
        Row(
            "a register's site whose inspector one claims to be, deleted", ann, tombstone,
            over: record("site", #""inspector":"ann""#, by: nil), refused: "deletes records of others"),
        Row(
            "a colleague's without an inspector, claimed", ann,
            elsewhere(#""inspector":"ann""#, by: "bob", in: "district.harbour"),
            over: elsewhere(by: "bob", in: "district.harbour"), refused: "hands work to somebody else"),
        Row(
            "one's own without an inspector, handed on", ann, elsewhere(#""inspector":"bob""#, in: "district.harbour"),
            over: elsewhere(in: "district.harbour")),
        Row(
            "one's own out of a district of somebody else", ann, elsewhere(in: "district.harbour"),
            over: elsewhere(in: "district.harbour,district.north"), refused: "district north is not one of yours"),
        Row(
            "one's own that is given to one", both, elsewhere(#""inspector":"ann""#, by: "ines", in: "district.north"),
            over: elsewhere(#""inspector":"ann""#, by: "ines", in: "district.harbour")),
        Row(
            "a colleague's, by a supervisor of both",
            SyncFunctionUser(
                name: "ines", roles: ["supervisor"], channels: ["district.harbour", "district.north"]),
            elsewhere(by: "bob", in: "district.north"), over: elsewhere(by: "bob", in: "district.harbour")),
        Row(
            "in a district and for everybody", ann, record("site", in: "district.harbour,!"),
            over: record("site", in: "district.harbour,!"), refused: "only the office"),
    ]

    private static func with(_ member: String, in record: String) -> String {
        record.replacing(#""status":"draft""#, with: member)
    }

    private static func reviewed(_ reason: String, status: String = "returned", by creator: String = "bob") -> String {
        record("inspection", #""status":"\#(status)","review":\#(reason)"#, by: creator)
    }
    /// - Parameter submitter: who says in its changes of fields to have submitted it.
    private static func handedIn(
        _ moment: String, status: String = "submitted", by creator: String = "bob", submitter: String? = nil
    ) -> String {
        let changes =
            submitter.map { #","fieldChanges":[{"by":"\#($0)","at":"\#(moment)","fields":["status"]}]"# } ?? ""
        return record("inspection", #""status":"\#(status)","submittedAt":"\#(moment)"\#(changes)"#, by: creator)
    }

    /// What a supervisor wrote, and what a colleague handed in.
    static let reviews = [
        Row("why it is returned, by a colleague", ann, reviewed(#""x""#), over: reviewed(#""y""#), refused: "why"),
        Row(
            "why it is returned, by the one whose it is", ann, reviewed(#""x""#, by: "ann"),
            over: reviewed(#""y""#, by: "ann"), refused: "why"),
        Row("a reason taken away", ann, reviewed("null"), over: reviewed(#""y""#), refused: "why"),
        Row("a reason in a new draft", ann, reviewed(#""y""#, status: "draft", by: "ann"), refused: "why"),
        Row(
            "a reason that stays when it is submitted", ann, reviewed(#""y""#, status: "submitted", by: "ann"),
            over: reviewed(#""y""#, by: "ann")),
        Row("why it is returned, by a supervisor", ines, reviewed(#""x""#), over: reviewed(#""y""#)),
        Row("a reason that is none", ines, reviewed("1"), over: reviewed(#""y""#), refused: "the record's review "),
        Row(
            "a colleague's draft submitted", ann, handedIn(later, submitter: "ann"),
            over: record("inspection", #""status":"draft""#, by: "bob")),
        Row(
            "a colleague's draft submitted by nobody", ann, handedIn(later),
            over: record("inspection", #""status":"draft""#, by: "bob"), refused: "does not say by whom"),
        Row(
            "a colleague's draft submitted in his name", ann, handedIn(later, submitter: "bob"),
            over: record("inspection", #""status":"draft""#, by: "bob"), refused: "does not say by whom"),
        Row(
            "a draft submitted by a supervisor", ines, handedIn(later, submitter: "ines"),
            over: record("inspection", #""status":"draft""#, by: "bob")),
        Row(
            "a draft submitted in its inspector's name by a supervisor", ines, handedIn(later, submitter: "bob"),
            over: record("inspection", #""status":"draft""#, by: "bob"), refused: "does not say by whom"),
        Row(
            "a draft submitted by a supervisor who notes nothing", ines, handedIn(later),
            over: record("inspection", #""status":"draft""#, by: "bob"), refused: "does not say by whom"),
        Row(
            "a draft submitted in its inspector's name by the office", office, handedIn(later, submitter: "bob"),
            over: record("inspection", #""status":"draft""#, by: "bob")),
        Row(
            "submitted by another, says a supervisor", ines, handedIn(later, submitter: "carl"),
            over: handedIn(later, submitter: "bob"), refused: "somebody else submitted it"),
        Row(
            "what was submitted, by a supervisor", ines, handedIn(later, submitter: "bob"),
            over: handedIn(later, submitter: "bob")),
        Row(
            "a return taken back by a supervisor", ines, handedIn(later, submitter: "bob"),
            over: handedIn(later, status: "returned", submitter: "ines")),
        Row(
            "a colleague's taken back", ann, handedIn(later, status: "draft"), over: handedIn(later),
            refused: "takes back what was submitted"),
        Row("one's own taken back", ann, handedIn(later, status: "draft", by: "ann"), over: handedIn(later, by: "ann")),
        Row(
            "a colleague's, submitted at another time", ann, handedIn("2026-03-04T10:15:09Z"), over: handedIn(later),
            refused: "does not change"),
        Row(
            "a colleague's, submitted at no time", ann, record("inspection", #""status":"submitted""#, by: "bob"),
            over: handedIn(later), refused: "does not change"),
        Row(
            "one's own, submitted at another time", ann, handedIn("2026-03-04T10:15:09Z", by: "ann"),
            over: handedIn(later, by: "ann")),
        Row("photos noted by her", ann, record("inspection", #""approvedPhotos":[]"#), refused: "which photos"),
        Row(
            "photos noted by a supervisor", ines, record("inspection", #""status":"approved","approvedPhotos":["x"]"#),
            over: submitted),
        Row(
            "photos that are no texts", ines, record("inspection", #""approvedPhotos":[1]"#),
            over: record("inspection"), refused: "approvedPhotos"),
        Row(
            "a colleague's finding at another inspection", ann, record("finding", #""inspection":"x""#, by: "bob"),
            over: record("finding", #""inspection":"y""#, by: "bob"), refused: "to another inspection"),
        Row(
            "a colleague's finding edited", ann, record("finding", #""inspection":"y","notes":"n""#, by: "bob"),
            over: record("finding", #""inspection":"y""#, by: "bob")),
        Row(
            "one's own finding at another inspection", ann, record("finding", #""inspection":"x""#),
            over: record("finding", #""inspection":"y""#)),
        Row(
            "a colleague's finding at another inspection, by a supervisor", ines,
            record("finding", #""inspection":"x""#, by: "bob"), over: record("finding", #""inspection":"y""#, by: "bob")
        ),
    ]

    private static func counted(_ number: String, _ members: String = "") -> String {
        record("inspection", #""status":"approved","answers":{"meter":[\#(number)]}\#(members)"#)
    }

    /// A sync function sees such a number as a text, and as a rounded number in the version before.
    private static let large = #"{"field":"review","value":12345678901234567890,"by":"bob"}"#
    private static let long = String(repeating: "k", count: 95_000)
    private static func files(_ count: Int) -> String {
        [String](repeating: blob("a"), count: count).joined(separator: ",")
    }
    private static let odd = #"{"@type":"blob","digest":"\#(digest("a"))","length":5,"data":"zz"}"#

    static let numbers = [
        Row(
            "a question of a large number kept", ann,
            record("inspection", #""status":"draft","score":1,"conflicts":[\#(large)]"#),
            over: record("inspection", #""status":"draft","conflicts":[\#(large)]"#)),
        Row(
            "a file with a member that is none of a file's", ann, record("site", #""x":\#(odd)"#),
            meta: attached(["a"]), refused: "more than a digest"),
        Row(
            "files behind long names", ann, record("site", #""x":{"\#(long)":[\#(files(11))]}"#), meta: attached(["a"]),
            refused: "behind names of more than 1000000 letters"),
        Row(
            "files behind long names, fewer than before", ann, record("site", #""x":{"\#(long)":[\#(files(11))]}"#),
            over: record("site", #""x":{"\#(long)":[\#(files(12))]}"#), meta: attached(["a"])),
        Row(
            "a file with such a member kept", ann, record("site", #""name":"n","x":\#(odd)"#),
            over: record("site", #""x":\#(odd)"#), meta: attached(["a"])),
        Row(
            "a large number kept", ann, counted("9007199254740993", #","conflicts":[]"#),
            over: counted("9007199254740993")),
        Row(
            "a large negative number kept", ann, counted("-9007199254740993", #","conflicts":[]"#),
            over: counted("-9007199254740993")),
        Row("a number beyond all kept", ann, counted("1e999", #","conflicts":[]"#), over: counted("1e999")),
        Row("a number beyond all changed", ann, counted("1e999"), over: counted("7"), refused: "approved"),
        Row(
            "a large number changed", ann, counted("9007199254740999"), over: counted("9007199254740993"),
            refused: "approved"),
        Row(
            "a large number for a small one", ann, counted("9007199254740993"), over: counted("7"), refused: "approved"),
        Row(
            "a text of digits changed", ann, counted(#""9007199254740992""#), over: counted(#""9007199254740993""#),
            refused: "approved"),
        Row(
            "a large number as a name", ann, record("site", #""name":123456789012345678901234567890"#),
            over: record("site"), refused: "name"),
        Row(
            "a large number as a site", ann, record("inspection", #""site":-9007199254740993"#),
            over: record("inspection"), refused: "site"),
        Row(
            "a number that no engine holds as a text", ann, record("finding", #""text":1e999"#),
            over: record("finding"), refused: "text"),
        Row(
            "a colleague's whose name looks like a number, beside a large one", ann,
            record("inspection", #""status":"draft","x":9007199254740993"#, by: "7e2"),
            over: record("inspection", #""status":"submitted""#, by: "7e2"), refused: "takes back what was submitted"),
        Row("digits as a name", ann, record("site", #""name":"123456789012345678901234567890""#), over: record("site")),
        Row("an element more", ann, counted("1,2"), over: counted("1"), refused: "approved"),
        Row(
            "a member renamed", ann, record("inspection", #""status":"approved","answers":{"a":1}"#),
            over: record("inspection", #""status":"approved","answers":{"b":1}"#), refused: "approved"),
    ]

    private static func noted(by names: String..., status: String = "approved") -> String {
        let entries = names.map { #"{"by":"\#($0)","fields":["score","status"]}"# }.joined(separator: ",")
        return record("inspection", #""status":"\#(status)","fieldChanges":[\#(entries)]"#)
    }

    private static func reviewed(
        by name: String, at moment: String = "2026-03-04T10:15:00Z", on device: String? = "d2",
        status: String = "approved", besides entries: String = ""
    ) -> String {
        let onDevice = device.map { #","device":"\#($0)""# } ?? ""
        let entry = #"{"by":"\#(name)","at":"\#(moment)"\#(onDevice),"fields":["status"]}"#
        return record("inspection", #""status":"\#(status)","fieldChanges":[\#(entry)\#(entries)]"#)
    }
    private static let twice = #",{"by":"olga","at":"2026-03-04T10:15:00Z","device":"d3","fields":["status"]}"#
    private static let reversed = record(
        "inspection",
        #""status":"approved","fieldChanges":["#
            + #"{"by":"olga","at":"2026-03-04T10:15:00Z","device":"d3","fields":["status"]},"#
            + #"{"by":"ines","at":"2026-03-04T10:15:00Z","device":"d2","fields":["status"]}]"#)

    /// When and where a supervisor approved or returned an inspection is theirs to say.
    private static let reviewMoments = [
        Row("an approval brought along as it is", ann, reviewed(by: "ines"), over: reviewed(by: "ines")),
        Row(
            "an approval at another time", ann, reviewed(by: "ines", at: later), over: reviewed(by: "ines"),
            refused: "approved at another time"),
        Row(
            "an approval at no time", ann, reviewed(by: "ines", at: ""), over: reviewed(by: "ines"),
            refused: "approved at another time"),
        Row(
            "an approval on another device", ann, reviewed(by: "ines", on: "d1"), over: reviewed(by: "ines"),
            refused: "on another device"),
        Row(
            "an approval on no device", ann, reviewed(by: "ines", on: nil), over: reviewed(by: "ines"),
            refused: "on another device"),
        Row(
            "a return at another time", ann, reviewed(by: "ines", at: later, status: "returned"),
            over: reviewed(by: "ines", status: "returned"), refused: "returned at another time"),
        Row(
            "an approval in a laptop's spelling", ann, reviewed(by: "ines"),
            over: reviewed(by: "ines", at: "2026-03-04T10:15:00.25Z")),
        Row(
            "an approval whose time nobody can read, and its laptop leaves out", ann, reviewed(by: "ines", at: ""),
            over: reviewed(by: "ines", at: "noon")),
        Row(
            "another supervisor's, at another time", ines, reviewed(by: "olga", at: later), over: reviewed(by: "olga"),
            refused: "approved at another time"),
        Row("one's own, at another time", ines, reviewed(by: "ines", at: later), over: reviewed(by: "ines")),
        Row(
            "of two, the one that laptops read", ann, reviewed(by: "olga", on: "d3"),
            over: reviewed(by: "ines", besides: twice)),
        Row(
            "of two, the other one", ann, reviewed(by: "ines"), over: reviewed(by: "ines", besides: twice),
            refused: "at another time"),
        Row(
            "of two, the other one last", ann, reversed, over: reviewed(by: "ines", besides: twice),
            refused: "at another time"),
        // A program that notes nothing has returned it: the note is still of the one who handed it in, and goes on.
        Row(
            "in her own name, with what she has changed since", ann, reviewed(by: "ann", at: later, status: "returned"),
            over: reviewed(by: "ann", status: "returned")),
    ]

    /// Laptops show by this note who approved or returned an inspection.
    static let reviewers =
        reviewMoments + [
            Row("approved and noted", ines, noted(by: "ines"), over: submitted),
            Row("returned and noted", ines, noted(by: "ines", status: "returned"), over: submitted),
            Row(
                "approved without a note", ines, noted(), over: noted(by: "ann", status: "submitted"),
                refused: "is approved, and does not say by whom"),
            Row(
                "returned without a note", ines, noted(status: "returned"), over: submitted,
                refused: "is returned, and does not say by whom"),
            Row("approved before without a note", ines, noted(), over: approved),
            Row("imported by the office without a note", office, noted(), over: submitted),
            Row(
                "approved in another's name", ines, noted(by: "olga"), over: submitted,
                refused: "somebody else approved"),
            Row("noted twice", ines, noted(by: "ines", "olga"), over: submitted, refused: "somebody else approved"),
            Row("another's approval kept", ines, noted(by: "olga"), over: noted(by: "olga")),
            Row("another's approval given again", ines, noted(by: "ines"), over: noted(by: "olga")),
            Row("an approval brought along", ann, noted(by: "ines"), over: noted(by: "ines")),
            Row("the approval of another", ann, noted(by: "olga"), over: noted(by: "ines"), refused: "somebody else"),
            Row("the approval of nobody", ann, approved, over: noted(by: "ines"), refused: "somebody else"),
            Row("an approval of one's own", ann, noted(by: "ann"), over: approved, refused: "somebody else"),
            Row(
                "the return of another", ann, noted(by: "olga", status: "returned"),
                over: noted(by: "ines", status: "returned"), refused: "somebody else returned"),
            Row(
                "submitted again", ann, noted(by: "ann", status: "submitted"),
                over: noted(by: "ines", status: "returned")),
            Row("imported by the office", office, noted(by: "ines")),
        ]

    private static func large(_ count: Int) -> String {
        record("site", #""x":"\#(String(repeating: "x", count: count))""#)
    }
    private static func filled(_ status: String, _ count: Int) -> String {
        record("inspection", #""status":"\#(status)","createdBy":"ann","x":"\#(String(repeating: "x", count: count))""#)
    }
    private static func approved(_ findings: Int) -> String {
        let notes = (0..<findings).map { #""finding-\#($0)":"d""# }.joined(separator: ",")
        return record("inspection", #""status":"approved","createdBy":"ann","approvedFindings":{\#(notes)}"#)
    }
    private static func approved(with digest: String) -> String {
        record("inspection", #""status":"approved","createdBy":"ann","approvedFindings":"\#(digest)""#)
    }
    private static func ofBob(_ count: Int) -> String {
        record("inspection", #""status":"draft","x":"\#(String(repeating: "x", count: count))""#, by: "bob")
    }
    private static func deep(_ levels: Int) -> String {
        record("site", #""x":\#(String(repeating: "[", count: levels))\#(String(repeating: "]", count: levels))"#)
    }
    private static func photos(_ count: Int) -> String {
        let entry = #"{"name":"x","blob":\#(blob("a"))}"#
        return record("inspection", #""photos":[\#(Array(repeating: entry, count: count).joined(separator: ","))]"#)
    }

    private static func full(_ count: Int, by creator: String? = "ann") -> String {
        let values = Array(repeating: "{}", count: count).joined(separator: ",")
        return record("inspection", #""status":"draft","x":[\#(values)]"#, by: creator)
    }

    /// A record that one inspector fills up, nobody else could change any more.
    static let limits = [
        Row("a large one", ann, large(999_000)),
        Row("one that is too large", ann, large(1_000_000), refused: "more than 1000000 letters"),
        Row("one that is too large, by a supervisor", ines, large(2_000_000), over: record("site"), refused: "letters"),
        Row("one that somebody filled up, by a supervisor", ines, large(1_100_000), over: large(999_000)),
        Row(
            "somebody else's that is filled up", ann, ofBob(500_000), over: ofBob(10),
            refused: "more than 500000 letters"),
        Row("somebody else's", ann, ofBob(490_000), over: ofBob(10)),
        Row("one's own that a colleague filled", ann, filled("submitted", 500_500), over: filled("draft", 490_000)),
        Row("an approval of many findings", ines, filled("approved", 3_000_000), over: submitted),
        Row("an approval of more findings than a record may have values", ines, approved(45_000), over: submitted),
        Row("an approval with one digest of its findings", ines, approved(with: digest("a")), over: submitted),
        Row("given again", ines, approved(with: digest("b")), over: approved(with: digest("a"))),
        Row("brought along", ann, approved(with: digest("a")), over: approved(with: digest("a"))),
        Row(
            "the digest changed by her", ann, approved(with: digest("b")), over: approved(with: digest("a")),
            refused: "what is approved"),
        Row("findings as a text", ines, approved(with: "f"), over: submitted, refused: "laptops can read"),
        Row(
            "an inspection that is filled up", ann, filled("submitted", 1_000_000), over: submitted,
            refused: "more than 1000000 letters"),
        Row(
            "a name that is emptied", ann, record("site", #""name":"""#), over: record("site", #""name":"Otter""#),
            refused: "name cannot be taken away"),
        Row("a name that was empty", ann, record("site", #""name":"""#), over: record("site", #""name":"""#)),
        Row("an id that no laptop takes", ann, record("site", #""_id":"a\u0001b""#), refused: "control characters"),
        Row("one that was too large", ann, large(1_000_000), over: large(1_000_100)),
        Row("one that was too large, and grows", ann, large(1_000_001), over: large(1_000_000), refused: "letters"),
        Row("many values", ann, full(19_900)),
        Row("too many values", ann, full(20_000), refused: "more than 20000 values"),
        Row(
            "somebody else's that is filled with values", ann, full(10_000, by: "bob"), over: full(1, by: "bob"),
            refused: "more than 10000 values"),
        Row("one's own that a colleague filled with values", ann, full(19_900), over: full(9_900)),
        Row("one that had too many values", ann, full(20_000), over: full(20_001)),
        Row("many values, by a supervisor", ines, full(39_900), over: full(1)),
        Row("many values and whose they are", ann, noting(59_700, beside: 19_900), over: full(9_900)),
        Row("somebody else's, and whose its fields are", ann, noting(29_700, by: "bob"), over: full(9_900, by: "bob")),
        Row("too many notes", ann, noting(80_000), refused: "notes more than 80000 values"),
        Row(
            "too many notes in somebody else's", ann, noting(40_000, by: "bob"), over: full(1, by: "bob"),
            refused: "notes more than 40000 values"),
        Row("too many notes that were there", ann, noting(80_000), over: noting(80_001)),
        Row("long notes", ann, noting(20, of: 90_000)),
        Row("notes that are too long", ann, noting(20, of: 100_000), refused: "notes more than 2000000 letters"),
        Row("notes that were too long", ann, noting(20, of: 100_000), over: noting(21, of: 100_000)),
        Row("a deep one", ann, deep(198)),
        Row("one that is too deep", ann, deep(200), refused: "200 levels"),
        Row("one that is far too deep", ann, deep(990), refused: "200 levels"),
        Row("many photos", ann, photos(1_000), meta: attached(["a"])),
        Row("too many photos", ann, photos(1_001), meta: attached(["a"]), refused: "more than 1000 files"),
        Row("too many photos that were there", ann, photos(1_001), over: photos(1_001), meta: attached(["a"])),
        Row(
            "a record that is a file", ann, record("site", #""@type":"blob","digest":"\#(digest("a"))""#),
            meta: attached(["a"]), refused: "@type"),
        Row("a record that is a damaged file", ann, record("site", #""@type":"blob""#), refused: "@type"),
    ]

    /// As after a merge with what a colleague has filled a record with.
    private static func noting(
        _ fields: Int, beside count: Int = 1, of letters: Int = 1, by creator: String = "ann"
    ) -> String {
        let names = Array(repeating: "\"\(word(letters: letters))\"", count: fields).joined(separator: ",")
        return #"{"fieldChanges":[{"by":"carl","fields":[\#(names)]}],\#(full(count, by: creator).dropFirst())"#
    }

    private static func site(_ id: String, by creator: String = "ann") -> String {
        record("site", #""_id":"\#(id)""#, by: creator)
    }
    private static func deleted(_ id: String, content: String? = nil) -> String {
        #"{"_id":"\#(id)","_deleted":true\#(content.map { "," + $0 } ?? "")}"#
    }
    private static func word(letters: Int) -> String { String(repeating: "x", count: letters) }
    private static let noLaptops = "under an id that no laptop makes: "

    /// Laptops show the id of a record that they do not have.
    static let references =
        [("inspection", "site"), ("inspection", "form"), ("finding", "inspection"), ("finding", "site")]
        .flatMap { kind, member -> [Row] in
            func version(of letters: Int) -> String { record(kind, #""\#(member)":"\#(word(letters: letters))""#) }
            let name = "\(member) of \(kind)"
            return [
                Row("a long \(name)", ann, version(of: 251), refused: "the record's \(member) "),
                Row("a long \(name), as before", ann, version(of: 251), over: version(of: 251)),
                Row("the longest \(name)", ann, version(of: 250)),
            ]
        }

    /// Ids of registers can be guessed: nobody but the office makes records under them.
    static let ids =
        ["site-4711", "site-234567890", "site-23456789023", "site-k3m9x2pq7d-2", "site-k3m9x2pql1", "k3m9x2pq7d"].map {
            Row("new under the id \($0)", ann, site($0), refused: "adds records \(noLaptops)\($0)")
        } + [
            Row("new under a register's id, by a supervisor", ines, site("site-4711", by: "ines"), refused: noLaptops),
            Row("new under a register's id, by the office", office, site("site-4711", by: "olga")),
            Row("new under a register's id, by an administrator", admin, site("site-4711")),
            Row("changed under a register's id", ann, site("site-4711"), over: site("site-4711")),
            Row("brought back under a register's id", ann, site("site-4711"), over: tombstone),
            Row("new, of a laptop", ann, site("site-k3m9x2pq7d")),
            Row("new, of a laptop, by a supervisor", ines, site("site-234567890z", by: "ines")),
            // Over a deletion it could be made.
            Row(
                "deleted before it is there", ann, deleted("site-4711"),
                refused: "deletes what is not here \(noLaptops)"),
            Row("deleted before it is there, by a supervisor", ines, deleted("site-4711"), refused: noLaptops),
            Row("deleted before it is there, by the office", office, deleted("site-4711")),
            Row("deleted before it is there, by an administrator", admin, deleted("site-4711")),
            Row("deleted again", ann, deleted("site-4711"), over: tombstone),
            Row("deleted before it is there, of a laptop", ann, deleted("finding-k3m9x2pq7d")),
            Row(
                "deleted with some words", ann,
                deleted("finding-k3m9x2pq7d", content: #""why":"\#(word(letters: 3_900))""#)),
            Row(
                "deleted with many words", ann,
                deleted("finding-k3m9x2pq7d", content: #""why":"\#(word(letters: 4_000))""#),
                refused: "the deletion has more than 4000 letters"),
            Row(
                "deleted with many words in a member that looks reserved", ann,
                deleted("finding-k3m9x2pq7d", content: #""_why":"\#(word(letters: 4_000))""#),
                refused: "the deletion has more than 4000 letters"),
            Row(
                "deleted again with many words", ann,
                deleted("finding-k3m9x2pq7d", content: #""why":"\#(word(letters: 4_000))""#),
                over: tombstone, refused: "the deletion has more than 4000 letters"),
            Row(
                "deleted with a file", ann,
                deleted("finding-k3m9x2pq7d", content: #""_attachments":{"a":{"digest":"sha1-a"}}"#),
                refused: "the deletion has files"),
        ]

    private static let photo = #""photos":[{"name":"x","blob":\#(blob("a"))}]"#
    private static let damagedPhoto = #"{"name":"y","blob":{"@type":"blob","digest":"x"}}"#

    /// Laptops take over no record whose files are not there.
    static let files = [
        Row("a photo that is attached", ann, record("inspection", photo), meta: attached(["a"])),
        Row("a photo of nothing", ann, record("inspection", photo), meta: attached([]), refused: "not attached"),
        Row("another file is attached", ann, record("finding", photo), meta: attached(["b"]), refused: "not attached"),
        Row(
            "another file in a photo's place", ann, record("inspection", photo),
            meta: attached(["a"], under: ["blob_/photos/0/blob": "b"]), refused: "another file is attached"),
        Row(
            "another file in the place of an approved photo", ann, attachedPhoto, over: attachedPhoto,
            meta: attached(["a"], under: ["blob_/photos/0/blob": "b"]), refused: "another file is attached"),
        Row(
            "a photo under its path", ann, record("inspection", photo),
            meta: attached([], under: ["blob_/photos/0/blob": "a"])),
        Row(
            "another file in the place of a file whose name has a slash", ann, record("site", #""a/b~":\#(blob("a"))"#),
            meta: attached(["a"], under: ["blob_/a~1b~0": "b"]), refused: "another file is attached"),
        Row(
            "a photo of nothing, by a supervisor", ines, record("inspection", photo, by: "ines"), meta: attached([]),
            refused: "not attached"),
        Row("a photo of nothing, by an administrator", admin, record("inspection", photo), meta: attached([])),
        Row(
            "a file of nothing in another member", ann, record("site", #""x":[{"y":\#(blob("a"))}]"#),
            meta: attached([]), refused: "not attached"),
        Row(
            "a photo of nothing that was there", ann, record("inspection", photo + #","notes":"x""#),
            over: record("inspection", photo), meta: attached([])),
        Row(
            "a photo taken off that was attached before", ann, record("inspection", photo + #","notes":"x""#),
            over: record(
                "inspection", photo + #","_attachments":{"blob_/photos/0/blob":{"digest":"\#(digest("a"))"}}"#),
            meta: attached([]), refused: "not attached"),
        Row(
            "a damaged photo that was there, beside another", ann,
            record("inspection", #""photos":[\#(damagedPhoto),{"name":"x","blob":\#(blob("a"))}]"#),
            over: record("inspection", #""photos":[\#(damagedPhoto)]"#), meta: attached(["a"])),
        Row(
            "a digest that is none is no file", ann, record("site", #""x":\#(damagedPhoto),"name":"n""#),
            meta: attached([])),
        Row(
            "a file that nothing refers to", ann, record("inspection", photo), meta: attached(["a", "b"]),
            refused: "does not refer to"),
        Row(
            "a file that nothing refers to, in a record without photos", ann, record("site"), meta: attached(["b"]),
            refused: "does not refer to"),
        Row(
            "a file that nothing refers to, and that was there", ann, record("inspection", photo),
            over: record("inspection", photo + #","_attachments":{"x":{"digest":"\#(digest("b"))"}}"#),
            meta: attached(["a", "b"])),
        Row(
            "a path into a file's description", ann, record("inspection", photo),
            meta: attached(["a"], under: ["blob_/photos/0/blob/digest": "a"])),
    ]

    /// The path of each value would take the length of the name times their number: more than the time of a call.
    static let longNames = [
        Row(
            "a long name over many values", ann,
            record("inspection", photo + #","\#(String(repeating: "k", count: 100_000))":[\#(manyObjects)]"#),
            over: record("inspection", photo), meta: attached(["a"]))
    ]
    private static let manyObjects = Array(repeating: "{}", count: 9_000).joined(separator: ",")
}
