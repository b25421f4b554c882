import DocumentValues
import FieldModels
import FieldRecords
import Foundation
@testable import GatewayServer
import Logging
import SyncFunction
import Testing

/// Who may write what in the field database, each row in a real worker.
@Suite(.timeLimit(.minutes(2))) struct FieldSyncFunctionTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let user: SyncFunctionUser?
        let document: String
        var old: String?
        let meta: SyncFunctionMeta
        /// A part of the reason; `nil` where the document is taken.
        let refusal: String?

        init(
            _ name: String, _ user: SyncFunctionUser?, _ document: String, over old: String? = nil,
            meta: SyncFunctionMeta = SyncFunctionMeta(), refused refusal: String? = nil
        ) {
            self.name = name
            self.user = user
            self.document = document
            self.old = old
            self.meta = meta
            self.refusal = refusal
        }

        var testDescription: String { name }

        /// Whether it is a new record for the function.
        var isNew: Bool { old.map { $0.contains(#""_deleted":true"#) } ?? true }

        /// The document as laptops send it: it says that the writer has changed it, and whose a review is.
        var named: String {
            guard let user, !document.contains(#""changedBy""#), !document.contains(#""_deleted":true"#) else {
                return document
            }
            let note = isUnnotedReview ? #""fieldChanges":[{"by":"\#(user.name)","fields":["status"]}],"# : ""
            return #"{"changedBy":"\#(user.name)",\#(note)\#(document.dropFirst())"#
        }

        private var isUnnotedReview: Bool {
            let states = ["approved", "returned"].map { #""status":"\#($0)""# }
            guard let state = states.first(where: { document.contains($0) }) else { return false }
            return !document.contains(#""fieldChanges""#) && old?.contains(state) != true
        }
    }

    static let ann = SyncFunctionUser(
        name: "ann", roles: ["inspector", "district.harbour"], channels: ["district.harbour", "!"])
    static let both = SyncFunctionUser(
        name: "ann", roles: ["inspector"], channels: ["district.harbour", "district.north", "!"])
    static let ines = SyncFunctionUser(
        name: "ines", roles: ["supervisor"], channels: ["district.harbour", "!"])
    static let office = SyncFunctionUser(name: "olga", roles: ["office"], channels: ["*", "!"])
    static let admin: SyncFunctionUser? = nil

    /// - Parameter creator: is not used where the members name one.
    static func record(
        _ type: String, _ members: String = "", in channels: String = "district.harbour", by creator: String? = "ann"
    ) -> String {
        let list = channels.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",")
        let hasCreator = creator == nil || members.contains(#""createdBy""#)
        let created = hasCreator ? "" : #","createdBy":"\#(creator ?? "")""#
        return #"{"type":"\#(type)",\#(members.isEmpty ? "" : members + ",")"channels":[\#(list)]\#(created)}"#
    }

    /// Of nothing: a letter in the form that digests have, whose last one has four bits.
    static func digest(_ letter: String) -> String { "sha1-\(String(repeating: letter, count: 26))A=" }
    static func blob(_ letter: String) -> String { #"{"@type":"blob","digest":"\#(digest(letter))"}"# }

    static let tombstone = #"{"_deleted":true}"#
    /// As laptops send it.
    static func tombstone(of creator: String) -> String { #"{"_deleted":true,"createdBy":"\#(creator)"}"# }

    /// With an id as laptops make them, where the document says none.
    static func identified(_ document: String) -> [UInt8] {
        Array(
            (document.contains(#""_id""#) ? document : #"{"_id":"site-k3m9x2pq7d",\#(document.dropFirst())"#).utf8)
    }

    /// What laptops can read no record without.
    private static let needed: [(kind: String, members: [(name: String, value: String)])] = [
        ("site", [("name", text)]), ("inspection", [("site", text), ("date", day)]),
        ("finding", [("site", text), ("date", day), ("text", text)]),
        ("assignment", [("inspector", text), ("site", text), ("due", day)]), ("form", [("name", text)]),
    ]

    /// With what a new record needs, where the document does not name that.
    static func whole(_ document: String) -> String {
        let kind = needed.first { document.contains(#""type":"\#($0.kind)""#) }
        guard let kind, !document.contains(#""_deleted":true"#) else { return document }
        let missing = kind.members.filter { !document.contains(#""\#($0.name)":"#) }
        return "{" + missing.map { #""\#($0.name)":\#($0.value),"# }.joined() + document.dropFirst()
    }

    static let site = record("site", #""createdBy":"bob""#)
    static let submitted = record("inspection", #""status":"submitted","createdBy":"ann""#)
    static let approved = record("inspection", #""status":"approved","createdBy":"ann""#)
    private static func noted(_ findings: String, status: String = "approved") -> String {
        record("inspection", #""status":"\#(status)","createdBy":"ann","approvedFindings":\#(findings)"#)
    }
    private static let approvedWith = #""status":"approved","createdBy":"ann","score":1"#
    private static let photographed = record(
        "inspection", approvedWith + #","photos":[{"name":"x","blob":\#(blob("a"))}]"#)
    private static let returned = record("inspection", #""status":"returned","createdBy":"ann""#)
    private static let others = record("inspection", #""status":"submitted","createdBy":"bob""#)
    private static let form = record("form", in: "!")

    static let channels = [
        Row("her own district", ann, record("site")),
        Row("no channel", ann, #"{"type":"site"}"#, refused: "names no channel"),
        Row("no channel, by an administrator", admin, #"{"type":"site"}"#, refused: "names no channel"),
        Row("channels as a text", ann, #"{"type":"site","channels":"district.harbour"}"#, refused: "names no channel"),
        Row("channels as an object", ann, #"{"type":"site","channels":{"length":1}}"#, refused: "names no channel"),
        Row("channels inside channels", ann, #"{"type":"site","channels":[["district.harbour"]]}"#, refused: "list of"),
        Row(
            "another district", ann, record("site", in: "district.north"), refused: "district north is not one of yours"
        ),
        Row(
            "a second district that is not hers", ann, record("site", in: "district.harbour,district.north"),
            refused: "district north is not one of yours"),
        Row("both her districts", both, record("site", in: "district.harbour,district.north")),
        Row("everybody", ann, record("site", in: "district.harbour,!"), refused: "only the office"),
        Row("everything", ann, record("site", in: "*"), refused: "only the office"),
        Row("everybody, by the office", office, record("site", in: "!")),
        Row(
            "out of a district that is not hers", ann, record("site"), over: record("site", in: "district.north"),
            refused: "north"),
        Row(
            "into a district that is not hers", ann, record("site", in: "district.north"), over: record("site"),
            refused: "north"),
        Row("from one of hers to another", both, record("site", in: "district.north"), over: record("site")),
        Row("over what is nobody's", ann, record("site"), over: #"{"type":"site"}"#, refused: "no district of yours"),
        Row("by somebody without a channel", SyncFunctionUser(name: "x"), record("site"), refused: "not one of yours"),
    ]

    static let kinds = [
        Row("another type", ann, record("note", #""status":"approved""#), over: submitted, refused: "no kind"),
        Row("an inspection as a site", ann, record("site"), over: submitted, refused: "an inspection does not become"),
        Row("an unknown type", ann, record("note"), refused: "no kind"),
        Row("no type", ann, #"{"channels":["district.harbour"]}"#, refused: "no kind"),
        Row("a form by an inspector", ann, record("form"), refused: "only the office writes forms"),
        Row("a form by a supervisor", ines, record("form"), refused: "only the office writes forms"),
        Row("a form by the office", office, form),
        Row("a form by an administrator", admin, form),
        Row("a form becomes something else", ann, record("site"), over: record("form"), refused: "does not become"),
        Row("a form for all becomes a site", ann, record("site"), over: form, refused: "only the office"),
        Row("a form deleted by an inspector", ann, tombstone, over: record("form"), refused: "only the office"),
        Row("a form deleted by the office", office, tombstone, over: form),
    ]

    static let approvals = [
        Row("submitted by her", ann, submitted),
        Row("approved by her", ann, approved, over: submitted, refused: "only a supervisor approves"),
        Row(
            "approved by her, as a laptop notes it", ann,
            record(
                "inspection",
                #""status":"approved","createdBy":"ann","fieldChanges":[{"by":"ann","fields":["status"]}]"#),
            over: submitted, refused: "only a supervisor approves"),
        Row("returned by her", ann, returned, over: submitted, refused: "only a supervisor approves"),
        Row("new and approved", ann, approved, refused: "only a supervisor approves"),
        Row("made again over a deletion, approved", ann, approved, over: tombstone, refused: "only a supervisor"),
        Row("approved by a supervisor", ines, approved, over: submitted),
        Row("approved with its findings by a supervisor", ines, noted(#"{"f":"d"}"#), over: submitted),
        Row("approved again by a supervisor", ines, noted(#"{"f":"e"}"#), over: noted(#"{"f":"d"}"#)),
        Row(
            "findings noted by her under the approval", ann, noted(#"{"f":"e"}"#), over: noted(#"{"f":"d"}"#),
            refused: "what is approved"),
        Row(
            "whose the values are, under the approval", ann,
            record("inspection", #""status":"approved","createdBy":"ann","fieldChanges":[{"by":"ann"}]"#),
            over: approved),
        Row(
            "whose the values are, as a text", ann,
            record("inspection", #""status":"submitted","createdBy":"ann","fieldChanges":"ann""#), over: submitted,
            refused: "not a list"),
        Row("a supervisor's note brought along", ann, noted(#"{"f":"d"}"#), over: noted(#"{"f":"d"}"#)),
        Row(
            "findings noted by her before the approval", ann, noted(#"{"f":"d"}"#, status: "submitted"),
            over: submitted,
            refused: "which findings were approved"),
        Row("findings noted by her in a new record", ann, noted("{}", status: "draft"), refused: "which findings"),
        Row("nothing noted, spelled out", ann, noted("null", status: "submitted"), over: submitted),
        Row("findings that are no digests", ines, noted(#"{"f":1}"#), over: submitted, refused: "laptops can read"),
        Row("findings in a list", ines, noted(#"["f"]"#), over: submitted, refused: "laptops can read"),
        Row("returned by a supervisor", ines, returned, over: submitted),
        Row("submitted again", ann, submitted, over: returned),
        Row("the approval taken back by her", ann, submitted, over: approved, refused: "takes an approval back"),
        Row(
            "the approval taken back by her with its notes", ann, submitted, over: noted(#"{"f":"d"}"#),
            refused: "takes an approval back"),
        Row("the approval taken back by a supervisor", ines, submitted, over: approved),
        Row(
            "an approval that was merged with her edit", ann,
            record("inspection", #""createdBy":"ann","status":"approved","device":"x","conflicts":[{"field":"x"}]"#),
            over: approved),
        Row(
            "another answer under the approval", ann,
            record("inspection", #""status":"approved","createdBy":"ann","score":100"#), over: approved,
            refused: "changes what is approved"),
        Row("an answer taken away under the approval", ann, approved, over: photographed, refused: "what is approved"),
        Row(
            "a photo beside the approved one", ann,
            record(
                "inspection",
                approvedWith + #","photos":[{"name":"y","blob":\#(blob("b"))},{"name":"x","blob":\#(blob("a"))}]"#),
            over: photographed),
        Row(
            "the approved photo replaced", ann,
            record("inspection", approvedWith + #","photos":[{"name":"x","blob":\#(blob("b"))}]"#), over: photographed,
            refused: "what is approved"),
        Row(
            "the approved photo with another name", ann,
            record("inspection", approvedWith + #","photos":[{"name":"z","blob":\#(blob("a"))}]"#), over: photographed,
            refused: "what is approved"),
        Row(
            "a photo that is none, under the approval", ann,
            record("inspection", approvedWith + #","photos":[{"name":"x","blob":\#(blob("a"))},5,null]"#),
            over: photographed, refused: "not a list of photos"),
        Row(
            "the photos as an object", ann, record("inspection", #""createdBy":"ann","photos":{"0":1}"#),
            refused: "not a list of photos"),
        Row(
            "a photo without a name", ann,
            record("inspection", #""createdBy":"ann","photos":[{"blob":\#(blob("a"))}]"#),
            refused: "not a list of photos"),
        Row(
            "conflicts that are none", ann, record("inspection", #""createdBy":"ann","conflicts":[7]"#),
            refused: "not a list of values"),
        Row(
            "a member of the database's own under the approval", ann,
            record("inspection", #""status":"approved","createdBy":"ann","_note":1"#), over: approved,
            refused: "what is approved"),
        Row(
            "a prototype under the approval", ann,
            record("inspection", #""status":"approved","createdBy":"ann","__proto__":{"score":1}"#), over: approved,
            refused: "what is approved"),
        Row("another answer under the approval, by a supervisor", ines, approved, over: photographed),
        Row("the status in a list", ann, record("inspection", #""status":["approved"]"#), refused: "not a text"),
        Row("a register of earlier years", office, record("inspection", #""status":"approved","inspector":"bob""#)),
        Row("a register, by an administrator", admin, approved),
    ]

    static let creators = [
        Row("created by her", ann, record("site", #""createdBy":"ann""#)),
        Row("created by nobody", ann, record("site", by: nil), refused: "does not say who"),
        Row("created by nobody, by the office", office, record("site", by: nil)),
        Row("created by nobody, and so it stays", ann, record("site", by: nil), over: record("site", by: nil)),
        Row("created by somebody else", ann, site, refused: "bob created it"),
        Row("created by somebody else, by a supervisor", ines, site, refused: "bob created it"),
        Row("created by no name", ann, record("site", #""createdBy":["ann"]"#), refused: "does not say who"),
        Row("the creator kept", ann, record("site", #""createdBy":"bob","name":"x""#), over: site),
        Row("the creator changed", ann, record("site", #""createdBy":"ann""#), over: site, refused: "does not change"),
        Row("the creator removed", ann, record("site"), over: site, refused: "does not change"),
        Row(
            "a creator added", ann, record("site", #""createdBy":"ann""#), over: record("site", by: nil),
            refused: "does not change"),
        Row("somebody else's over a deletion", ann, site, over: tombstone, refused: "bob created it"),
        Row("imported by the office", office, site),
        Row("created when it was", ann, created("2026-03-04T05:06:07Z", by: "bob"), over: created(precise, by: "bob")),
        Row(
            "created at another time", ann, created("2026-03-04T05:06:08Z", by: "bob"),
            over: created(precise, by: "bob"),
            refused: "was created does not change"),
        Row(
            "created at no time any more", ann, site, over: created(precise, by: "bob"),
            refused: "was created does not change"),
        Row(
            "her own, created at another time", ann, created("2026-03-04T05:06:08Z", by: "ann"),
            over: created(precise, by: "ann")),
        Row("created at a time that nobody can read", ann, site, over: created("yesterday", by: "bob")),
    ]

    private static let precise = "2026-03-04T05:06:07.890Z"
    private static func created(_ moment: String, by name: String) -> String {
        record("site", #""createdBy":"\#(name)","createdAt":"\#(moment)""#)
    }

    private static func created(by name: String, changedBy: String) -> String {
        record("inspection", #""createdBy":"\#(name)","changedBy":"\#(changedBy)""#)
    }

    /// Over a deletion, which everybody can make of what is theirs, nobody writes in the name of others.
    static let returns = [
        Row("hers", ann, created(by: "ann", changedBy: "ann"), over: tombstone),
        Row("of nobody", ann, record("inspection", #""changedBy":"ann""#), over: tombstone),
        Row("another's", ann, created(by: "bob", changedBy: "ann"), over: tombstone, refused: "bob created it"),
        Row("of a list", ann, record("site", #""createdBy":["ann"]"#), over: tombstone, refused: "does not say who"),
        Row("of no name", ann, record("site", #""createdBy":null"#), over: tombstone, refused: "does not say who"),
        Row("of an empty name", ann, record("site", #""createdBy":"""#), over: tombstone, refused: "who created it"),
        Row(
            "changed by another", ann, created(by: "ann", changedBy: "bob"), over: tombstone, refused: "bob changed it"),
        Row("another's, by a supervisor", ines, created(by: "bob", changedBy: "ines"), over: tombstone, refused: "bob"),
        Row("a supervisor's", ines, created(by: "ines", changedBy: "ines"), over: tombstone),
        Row("another's, by the office", office, created(by: "bob", changedBy: "olga"), over: tombstone),
        Row("another's, by an administrator", admin, created(by: "bob", changedBy: "carl"), over: tombstone),
        Row(
            "another's, over a tombstone that says so", ann, created(by: "bob", changedBy: "ann"),
            over: #"{"_deleted":true,"createdBy":"bob","channels":["district.harbour"]}"#, refused: "bob created it"),
        Row(
            "over what only looks deleted", ann, created(by: "ann", changedBy: "ann"),
            over: #"{"_deleted":1,"type":"inspection","createdBy":"bob","channels":["district.harbour"]}"#,
            refused: "does not change"),
        Row(
            "by somebody without a role", SyncFunctionUser(name: "zoe", channels: ["district.harbour"]),
            created(by: "ann", changedBy: "zoe"), over: tombstone, refused: "ann created it"),
    ]

    static let later = "2026-03-04T10:15:01Z"

    static let statuses =
        ["draft", "submitted", "returned"].map { status in
            Row("an inspection that is \(status)", ines, record("inspection", #""status":"\#(status)""#, by: "ines"))
        }
        + ["open", "done", "dropped"].map { Row("an assignment that is \($0)", ines, assignment($0, by: "ines")) } + [
            Row(
                "a status of its own", ann, record("inspection", #""status":"fine""#),
                refused: "the status fine is none"),
            Row("by the office", office, record("inspection", #""status":"fine""#), refused: "the status fine is none"),
            Row("of another kind", ines, assignment("approved", by: "ines"), refused: "none of assignment records"),
            Row("of a kind without", ann, record("site", #""status":"draft""#), refused: "none of site records"),
            Row("of an object's own names", ann, record("inspection", #""status":"toString""#), refused: "is none of"),
            Row(
                "as it was", ann, record("inspection", #""status":"fine""#),
                over: record("inspection", #""status":"fine","score":1"#)),
            Row("a deletion that is none", ann, #"{"_deleted":1,"type":"site"}"#, refused: "names no channel"),
            Row(
                "a deletion that is none, over what is approved", ann,
                #"{"_deleted":1,"type":"inspection","createdBy":"ann","channels":["district.harbour"]}"#,
                over: approved,
                refused: "status cannot be taken away"),
        ]

    private static let ends = SyncFunctionMeta(expires: 1_900_000_000)
    static func attached(_ digests: [String], under names: [String: String] = [:]) -> SyncFunctionMeta {
        let all = digests.map { ("p-\($0)", $0) } + names.map { ($0.key, $0.value) }
        let members = all.map { name, letter in
            JSONObject.Member(key: name, value: ["digest": .string(digest(letter)), "stub": true])
        }
        return SyncFunctionMeta(attachments: JSONObject(members: members))
    }
    static let attachedPhoto = record(
        "inspection",
        approvedWith
            + #","photos":[{"name":"x","blob":\#(blob("a"))}],"_attachments":{"p-a":{"digest":"\#(digest("a"))","stub":true}}"#
    )

    /// What acts on a record outside of its body.
    static let expiries = [
        Row("a record that expires", ann, record("site"), meta: ends, refused: "expire"),
        Row("her own that expires", ann, submitted, over: submitted, meta: ends, refused: "expire"),
        Row("an approved one that expires", ann, approved, over: approved, meta: ends, refused: "expire"),
        Row("one that expires, by a supervisor", ines, approved, over: approved, meta: ends),
        Row("a photo that stays", ann, photographed, over: attachedPhoto, meta: attached(["a"])),
        Row(
            "a photo that is attached no more", ann, photographed, over: attachedPhoto, meta: attached(["b"]),
            refused: "not attached"),
        Row(
            "no photo is attached", ann, photographed, over: attachedPhoto, meta: attached([]), refused: "not attached"),
        Row("a photo that never was attached", ann, photographed, over: photographed, meta: attached([])),
        Row("a gateway that does not say", ann, photographed, over: attachedPhoto),
        Row(
            "no photo is attached, by a supervisor", ines, photographed, over: attachedPhoto, meta: attached([]),
            refused: "not attached"),
    ]

    static let deletions = [
        Row("what never came here", ann, tombstone),
        Row("what is deleted already", ann, tombstone, over: tombstone),
        Row("what is not here, of hers", ann, tombstone(of: "ann")),
        Row("what is not here, of somebody else's", ann, tombstone(of: "bob"), refused: "records of others"),
        Row("what is not here, of somebody else's, by a supervisor", ines, tombstone(of: "bob")),
        Row("what is not here, of somebody else's, by an administrator", admin, tombstone(of: "bob")),
        Row("somebody else's that is deleted already", ann, tombstone(of: "bob"), over: tombstone),
        Row("her own", ann, tombstone, over: submitted),
        Row("her own, and says so", ann, tombstone(of: "ann"), over: submitted),
        Row("her own, as somebody else's", ann, tombstone(of: "bob"), over: submitted, refused: "records of others"),
        Row(
            "a finding that nobody created, as hers", ann, tombstone(of: "ann"), over: record("finding", by: nil),
            refused: "records of others"),
        Row(
            "made for her, and says by whom", ann, tombstone(of: "bob"),
            over: record("inspection", #""inspector":"ann""#, by: "bob")),
        Row("her own, approved", ann, tombstone, over: approved, refused: "what is approved"),
        Row("approved, by a supervisor", ines, tombstone, over: approved),
        Row("somebody else's", ann, tombstone, over: others, refused: "records of others"),
        Row("somebody else's, by a supervisor", ines, tombstone, over: others),
        Row("of another district", ann, tombstone, over: record("finding", in: "district.north"), refused: "north"),
        Row(
            "of another district, by a supervisor", ines, tombstone, over: record("site", in: "district.north"),
            refused: "north"),
        Row("a finding that nobody created", ann, tombstone, over: record("finding", by: nil)),
        Row("a site that nobody created", ann, tombstone, over: record("site", by: nil), refused: "records of others"),
        Row(
            "an inspection of a register", ann, tombstone, over: record("inspection", #""inspector":"bob""#, by: nil),
            refused: "records of others"),
        Row(
            "made for somebody else", ann, tombstone, over: record("inspection", #""inspector":"bob""#),
            refused: "records of others"),
        Row("made for her", ann, tombstone, over: record("inspection", #""inspector":"ann""#, by: "bob")),
        Row(
            "taken back from somebody else", ann, record("inspection", #""inspector":"ann""#),
            over: record("inspection", #""inspector":"bob""#), refused: "hands work to somebody else"),
        Row("by an administrator", admin, tombstone, over: approved),
    ]

    private static func of(_ kind: String, _ member: String, _ value: String) -> String {
        record(kind, #""\#(member)":\#(value)"#)
    }

    private static func byInes(_ kind: String, _ member: String, _ value: String) -> String {
        record(kind, #""\#(member)":\#(value),"changedBy":"ines""#)
    }

    /// Wrong values of each member that laptops read, with a right one in front.
    private static let types: [(kinds: [String], member: String, right: String, wrong: [String])] = [
        (all, "schema", "1", [#""x""#, "2", "99", "1.5", "{}", "true"]),
        (all, "district", #""harbour""#, ["7", #""north""#, #""""#, "[]"]),
        (all, "createdAt", moment, noMoments), (all, "changedAt", moment, noMoments),
        (all, "device", text, noTexts),
        (all, "source", #"{"file":"a.csv","digest":"x"}"#, ["1", "{}", #"{"file":1,"digest":"x"}"#]),
        (["site"], "name", text, noTexts), (["site"], "phone", text, noTexts),
        (["site"], "address", #"{"street":"Quay","door":4}"#, ["1", "[]", #"{"city":5}"#]),
        (
            ["site"], "location", #"{"latitude":1.5,"longitude":-2}"#,
            ["1", "{}", #"{"latitude":1}"#, #"{"latitude":"1","longitude":2}"#]
        ),
        (["inspection"], "date", day, noDays), (["inspection"], "submittedAt", moment, noMoments),
        (["inspection"], "visit", #""followUp""#, ["1", #""dinner""#, "[]", #""toString""#]),
        (["inspection"], "score", "87", [#""x""#, "1.5", "[]", "true"]),
        (["inspection"], "answers", #"{"a":[]}"#, ["1", "[]", #""x""#]),
        (["inspection"], "form", text, noTexts), (["inspection"], "assignment", text, noTexts),
        (["inspection"], "inspector", text, noTexts),
        (["finding"], "risk", #""high""#, ["1", #""x""#, "[]"]), (["finding"], "corrected", day, noDays),
        (["finding"], "date", day, noDays), (["finding"], "text", text, noTexts),
        (["finding"], "inspection", text, noTexts),
        (["inspection", "finding"], "site", text, noTexts),
        (["site", "inspection", "finding"], "notes", text, noTexts),
        (
            ["inspection", "finding"], "photos", #"[{"name":"x","caption":"c","blob":\#(blob("a"))}]"#,
            [
                "1", "{}", "[1]", #"[{"name":"x"}]"#, #"[{"blob":\#(blob("a"))}]"#,
                #"[{"name":"x","blob":{"@type":"blob","digest":"x"}}]"#,
                #"[{"name":"x","blob":{"digest":"\#(digest("a"))"}}]"#,
                #"[{"name":"x","caption":1,"blob":\#(blob("a"))}]"#,
                #"[{"name":"x","takenAt":"x","blob":\#(blob("a"))}]"#,
            ]
        ),
        (["inspection"], "conflicts", #"[{"field":"x"}]"#, ["1", "[7]", #""x""#]),
    ]
    private static let all = ["site", "inspection", "finding"]
    private static let text = #""x""#
    private static let noTexts = ["1", "true", "[]", "{}"]
    private static let day = #""2024-02-29""#
    private static let noDays = [
        "1", #""x""#, #""2026-02-29""#, #""2026-13-01""#, #""0000-01-01""#, #""2026-1-1""#, "[]",
    ]
    private static let moment = #""2026-03-04T23:59:60.5Z""#
    private static let noMoments = [
        "1", #""x""#, "[]", #""2026-03-04""#, #""2026-02-30T10:00:00Z""#, #""2026-03-04T24:00:00Z""#,
        #""2026-03-04T10:00:00""#,
    ]

    /// What one inspector writes so would be damaged on everybody's laptop.
    static let members = types.flatMap { kinds, member, right, wrong in
        kinds.flatMap { kind in
            (isNeeded(member, in: kind) ? [right] : [right, "null"]).map {
                Row("\(kind) \(member) \($0)", ann, of(kind, member, $0))
            }
                + wrong.flatMap { value in
                    [
                        Row(
                            "\(kind) \(member) \(value)", ann, of(kind, member, value),
                            refused: "the record's \(member) "),
                        Row(
                            "\(kind) \(member) \(value), by a supervisor", ines, byInes(kind, member, value),
                            over: record(kind), refused: "the record's \(member) "),
                        // A person mends one thing after the other.
                        Row(
                            "\(kind) \(member) \(value), as it was", ines,
                            record(kind, #""\#(member)":\#(value),"more":1"#), over: of(kind, member, value)),
                        Row(
                            "\(kind) \(member) \(value), mended", ines, byInes(kind, member, right),
                            over: of(kind, member, value)),
                    ]
                }
        }
    }

    private static func isNeeded(_ member: String, in kind: String) -> Bool {
        needed.contains { $0.kind == kind && $0.members.contains { $0.name == member } }
    }

    /// Nobody in the district could show, mend or delete a record that laptops cannot read.
    static let wholeness =
        needed.flatMap { wholeness(of: $0.kind, members: $0.members.map { ($0.name, $0.value) }) } + [
            Row("a new site without a name, by an inspector", ann, of("site", "name", "null"), refused: "no name,")
        ]

    private static func wholeness(of kind: String, members: [(String, String)]) -> [Row] {
        var rows = [Row("a new \(kind) with what it needs", office, record(kind))]
        for (member, value) in members {
            let bare = of(kind, member, "null"), name = "a \(kind) without \(member)"
            rows += [
                Row("\(name), new", office, bare, refused: "no \(member),"),
                Row("\(name), over a deletion", office, bare, over: tombstone, refused: "no \(member),"),
                Row("\(name), by an administrator", admin, bare),
                Row("\(name), which gets it", office, of(kind, member, value), over: record(kind)),
            ]
        }
        return rows
    }

    /// What a record makes no sense without stays; a record that never had it is as it was.
    static let vitals = [
        ("site", "name", text), ("inspection", "site", text), ("inspection", "date", day),
        ("inspection", "status", #""draft""#), ("finding", "text", text), ("finding", "date", day),
        ("finding", "site", text), ("site", "district", #""harbour""#),
    ].flatMap { kind, member, value in
        [
            Row("\(kind) without \(member)", ines, record(kind), over: of(kind, member, value), refused: member),
            Row("\(kind) that never had \(member)", ines, record(kind), over: record(kind)),
        ]
    }

    @Test(
        arguments: channels + kinds + approvals + creators + returns + statuses + deletions + assignments + expiries
            + members + wholeness + vitals + files + longNames + moves + reviews + limits + reviewers + numbers
            + ids + references + questions + photosOfOthers + bytesOfColleagues)
    func decides(row: Row) async throws { try await decide(row, on: row.named) }

    @Test(arguments: changers) func decidesWhoHasChangedIt(row: Row) async throws {
        try await decide(row, on: row.document)
    }

    func decide(_ row: Row, on document: String) async throws {
        let outcome = try await Self.pool.run([
            SyncFunctionCall(
                function: SyncFunctionSource(FieldSchema.syncFunction),
                document: Self.identified(row.isNew ? Self.whole(document) : document),
                oldDocument: row.old.map(Self.identified), meta: row.meta, user: row.user)
        ])[0]
        guard let refusal = row.refusal else {
            #expect(outcome.rejection == nil)
            if !row.document.contains(#""_deleted":true"#) { #expect(!outcome.channels.isEmpty) }
            return
        }
        #expect(outcome.rejection?.status == 403 && outcome.rejection?.reason.contains(refusal) == true, "\(outcome)")
    }

    /// What a colleague has noted in a record must not take so long that nobody can approve it.
    @Test(arguments: [".", "1.", "2026-03-04T10:15:00.", "Z."]) func aMomentOfManyPointsIsReadOnce(part: String)
        async throws
    {
        let text = String(repeating: part, count: 300_000 / part.utf8.count)
        let changes = #""fieldChanges":[{"by":"bob","at":"\#(text)","device":"x","fields":["status"]}]"#
        func inspection(_ status: String) -> String {
            Self.record("inspection", #""status":"\#(status)",\#(changes)"#, by: "bob")
        }
        let outcome = try await Self.pool.run([
            SyncFunctionCall(
                function: SyncFunctionSource(FieldSchema.syncFunction),
                document: Self.identified(inspection("approved")),
                oldDocument: Self.identified(inspection("submitted")), user: Self.ines)
        ])[0]
        // It is decided, whichever way, and does not end by the time that a call may take.
        #expect(outcome.rejection == nil || outcome.rejection?.status == 403, "\(outcome.rejection?.reason ?? "")")
    }

    /// What laptops make is what the gateway takes.
    @Test func everyIDOfALaptopIsTaken() async throws {
        var generator = SystemRandomNumberGenerator()
        let ids = RecordKind.allCases.flatMap { kind in
            (0..<20).map { _ in RecordIDs.make(kind, using: &generator) }
        }
        let outcomes = try await Self.pool.run(
            ids.map { id in
                SyncFunctionCall(
                    function: SyncFunctionSource(FieldSchema.syncFunction),
                    document: Array(Self.whole(Self.record("site", #""_id":"\#(id)""#)).utf8), user: Self.ann)
            })
        #expect(outcomes.allSatisfy { $0.rejection == nil })
        #expect(ids.allSatisfy(RecordIDs.isMade))
    }

    /// The function of a collection takes the records of that collection, whatever the user may write elsewhere.
    @Test(arguments: FieldSchema.collections) func takesOneKind(collection: String) async throws {
        let source = SyncFunctionSource(FieldSchema.syncFunction(of: collection))
        for kind in ["site", "inspection", "finding", "assignment"] {
            let outcome = try await Self.pool.run([
                SyncFunctionCall(
                    function: source,
                    document: Self.identified(
                        Self.whole(Self.record(kind, #""_id":"\#(kind)-k3m9x2pq7d""#, by: "ines"))),
                    user: Self.ines)
            ])[0]
            #expect((outcome.rejection == nil) == (kind + "s" == collection))
            if let rejection = outcome.rejection {
                let article = ["inspection", "assignment"].contains(kind) ? "an" : "a"
                #expect(rejection.reason.hasPrefix("\(article) \(kind) does not belong to the "), "\(rejection)")
            }
        }
    }

    /// The function compares records of many levels to their end. Those that it cannot walk through are refused, and the
    /// worker goes on.
    @Test func deepRecordsAreComparedOrRefused() async throws {
        func decide(_ depth: Int, _ end: String) async throws -> SyncFunctionOutcome {
            func approved(_ end: String) -> [UInt8] {
                let value = String(repeating: "[", count: depth) + end + String(repeating: "]", count: depth)
                return Array(Self.record("inspection", Self.approvedWith + ",\"x\":\(value)").utf8)
            }
            return try await Self.pool.run([
                SyncFunctionCall(
                    function: SyncFunctionSource(FieldSchema.syncFunction), document: approved(end),
                    oldDocument: approved("1"), meta: Self.attached([]), user: Self.ann)
            ])[0]
        }
        for depth in [JSONLimits.depth - 1, 5_000, 100_000] {
            #expect(try await decide(depth, "2").rejection != nil, "\(depth)")
            #expect(try await decide(100, "1").rejection == nil)
            #expect(try await decide(100, "2").rejection?.reason.contains("approved") == true)
        }
    }

    /// Where a gateway does not say that a record is to expire, it lives on all the same.
    @Test func nothingOfAnInspectorsExpires() async throws {
        for (user, expiry) in [(Self.ann, SyncFunctionOutcome.Expiry.seconds(0)), (Self.ines, nil), (Self.admin, nil)] {
            let outcome = try await Self.pool.run([
                SyncFunctionCall(
                    function: SyncFunctionSource(FieldSchema.syncFunction),
                    document: Self.identified(Self.whole(Self.record("site", by: user?.name.text))), user: user)
            ])[0]
            #expect(outcome.rejection == nil && outcome.expiry == expiry)
        }
    }

    private static let pool = SyncFunctionPool(executable: TestGateway.workerPath, logger: Logger(label: "test"))
}
