import DocumentValues
import Foundation
import Testing

@testable import FieldRecords

/// Compares the texts that a worker reads about refusals with the reasons of the field database's sync function.
@Suite struct RefusalTextTests {
    /// The reasons in the function's source, with a sample text for each inserted value.
    private static func reasons() throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/GatewayServer/Field/field-sync.js")
        let source = try String(contentsOf: file, encoding: .utf8)
        let calls = source.matches(of: #/refuse\((?<text>[^;]*?"[^;]*?)\);/#).map { String($0.output.text) }
        return calls.flatMap { call -> [String] in
            let named = call.replacing(#/withArticle\([^"]+?\)\s*\+\s*"/#, with: "\"a site")
            let filled = named.replacing(#/"\s*\+\s*[^"]+?\s*\+\s*"/#, with: "site")
            return filled.matches(of: #/"(?<text>[^"]{3,})"/#).map { String($0.output.text) }
        }
    }

    @Test func everyReasonIsReworded() throws {
        let reasons = try Self.reasons()
        #expect(reasons.count > 40, "\(reasons)")
        for reason in reasons {
            let message = RefusalText.message(code: 10_403, reason: reason).text
            #expect(!message.contains("the gateway says"), "\(reason): \(message)")
            #expect(message.hasSuffix(".") && message.contains(". "), "what to do: \(message)")
        }
    }

    /// A laptop's reaction to a refusal depends on the reason. With an unknown reason, the user has to look into the outbox;
    /// so this test requires that every reason is known.
    @Test func everyReasonHasItsSubject() throws {
        let reasons = try Self.reasons()
        for reason in reasons {
            let expected = Self.subjects.filter { $0.reason.isExactly(reason) }.map(\.subject)
            #expect([RefusalText.subject(of: 10_403, reason: reason)] == expected, "\(reason)")
        }
        let unsaid = Self.subjects.map(\.reason).filter { text in !reasons.contains { $0.isExactly(text) } }
        #expect(unsaid.isEmpty, "\(unsaid)")
    }

    private static let subjects: [(subject: RefusedRecord.Subject, reason: String)] = [
        (.district, "the district site is not one of yours"),
        (.district, "the record is in no district of yours"),
        (.move, "only a supervisor moves records of others to other districts"),
        (.handOver, "only a supervisor hands work to somebody else"),
        (.review, "only a supervisor says why it is returned"),
        (.review, "only a supervisor decides what supervisors are asked about"),
        (.approval, "only a supervisor takes an approval back"),
        (.stateByOthers, "only a supervisor approves or returns filled forms"),
        (.stateByOthers, "the record says that somebody else finalised it"),
        (.supervision, "only a supervisor changes the state of somebody else's filled form"),
        (.supervision, "only a supervisor changes the answers of somebody else's filled form"),
        (.other, "the record's history loses a step"),
        (.other, "the record's history has a new step of somebody else"),
        (.other, "the record's state is none of a filled form"),
        (.creator, "the record says that site created it, and you are somebody else"),
        (.lastChange, "the record says that site changed it last, and you are somebody else"),
        (.otherChange, "the record says that site changed it last, and you are somebody else, as it is here"),
        (.otherChange, "when site changed the record does not change"),
        (.deletion, "only a supervisor deletes assignments"),
        (.deletion, "only a supervisor deletes records of others"),
        (.deletion, "only a supervisor deletes what is approved"),
        (.deletion, "only the office deletes forms"),
        (.takeover, "who created a record does not change"),
        (.other, "a file is attached that the record does not refer to"),
        (.other, "a site does not become "),
        (.other, "a site does not belong to the sites"),
        (.other, "another file is attached as site than the record refers to"),
        (.stateByOthers, "only a supervisor approves or returns inspections"),
        (.supervision, "only a supervisor assigns again what was dropped"),
        (.supervision, "only a supervisor assigns work"),
        (.supervision, "only a supervisor changes a photo of what is approved"),
        (.supervision, "only a supervisor changes what is approved"),
        (.supervision, "only a supervisor changes what was assigned"),
        (.supervision, "only a supervisor drops what was assigned"),
        (.supervision, "only a supervisor lets records expire"),
        (.supervision, "only a supervisor moves a finding of somebody else to another inspection"),
        (.supervision, "only a supervisor notes which findings were approved"),
        (.supervision, "only a supervisor notes which photos were approved"),
        (.supervision, "only a supervisor takes a photo from a finding of somebody else"),
        (.supervision, "only a supervisor takes a photo from what somebody else has submitted"),
        (.supervision, "only a supervisor takes a file from what is approved"),
        (.other, "only a supervisor, or the one whose it is, takes back what was submitted"),
        (.office, "only the office site under an id that no laptop makes: "),
        (.office, "only the office writes forms"),
        (.office, "only the office writes what everybody sees"),
        (.other, "the assignment is somebody else's"),
        (
            .other,
            "the files of the record have more than site MB together, to which only its owner or a supervisor adds"
        ),
        (.other, "the channel site is not one of yours"),
        (.other, "the deletion has files"),
        (.other, "the deletion has more than site letters of content"),
        (.other, "the gateway has only the name of the attachment site, not what is in it"),
        (.office, "the record does not say who created it"),
        (.other, "the record has more than site letters"),
        (.other, "the record has more than site names of files"),
        (.other, "the record has more than site values"),
        (.other, "the record notes more than site letters of who changed its fields"),
        (.other, "the record notes more than site values of who changed its fields"),
        (.other, "the record has no site, and no laptop can read it without"),
        (.office, "the record is changed, and does not say that you changed it"),
        (.other, "the record is nested more than site levels deep"),
        (.other, "the record does not say any more who changed it last"),
        (.other, "the record is decided about, and does not say that you decided it"),
        (.other, "the record says otherwise who changed its fields, and not that you changed it"),
        (.other, "the record is site, and does not say by whom"),
        (.stateByOthers, "the record is submitted, and does not say by whom"),
        (.other, "the record itself is marked as a file, by its @type"),
        (.other, "the record names no channel, so nobody would get it"),
        (.other, "the record refers to a file that is not attached to it"),
        (.other, "the record refers to more than site files"),
        (.stateByOthers, "the record says that it was site at another time, or on another device"),
        (.stateByOthers, "the record says that somebody else site it"),
        (.other, "the record says when or on which device it was changed, and not who changed it"),
        (.other, "the record's channels are not a list of names"),
        (.other, "the record's files are behind names of more than site letters together"),
        (.other, "the record's files have more than a digest, a length and a type: "),
        (.other, "the record's id has control characters"),
        (.other, "the record's photos are not a list of photos, each with a name and a blob"),
        (.other, "the record's site are not a list of values"),
        (.other, "the record's site cannot be taken away"),
        (.other, "the record's site is not what laptops can read"),
        (.other, "the record's status is not a text"),
        (.other, "the status site is none of site records"),
        (.other, "there is no kind of record named "),
        (.other, "when a record of somebody else was created does not change"),
        (.other, "when an inspection of somebody else was submitted does not change"),
    ]

    /// The rules can be in any order.
    @Test(arguments: [
        ("only a supervisor assigns work", "only a supervisor "),
        ("only a supervisor, or its owner", "only a supervisor"),
        ("only the office deletes forms", "only the office deletes "),
        ("only the office writes forms", "only the office "),
        ("the record has more than 7 values", "the record has more than "), ("the record has no site", "the record"),
        ("the district missing role is not one of yours", "the district "),
    ])
    func theRuleThatFitsMostOfAReasonDecides(reason: String, beginning: String) throws {
        guard case .beginning(let text) = try #require(RefusalRule.of(reason)).phrase else {
            Issue.record("\(reason) is found by what is within it")
            return
        }
        #expect(text.isExactly(beginning))
    }

    /// For example after a forgotten passphrase: the photo comes with the same sync.
    @Test func aPhotoThatIsStillOnItsWayIsNoTroubleOfTheGateway() {
        let reason = UnsentAttachment.reason(digest: "sha1-p")
        let message = RefusalText.message(code: 10_500, reason: reason).text
        #expect(message.contains("a photo of it") && message.contains("Sync again"), "\(message)")
        #expect(!message.contains("500") && !message.contains("sha1"), "\(message)")
        #expect(RefusalText.message(code: 10_500, reason: "x").text.contains("answered 500 (the gateway says: x)"))
    }

    @Test(arguments: [true, false]) func itSaysWhoMakesRoom(isFilled: Bool) {
        let message = RefusalText.message(
            code: 10_403, reason: "the record has more than 20000 values", of: RefusedDetails(isFilled: isFilled))
        #expect(message.marks.map(\.advice) == (isFilled ? [.takeOthersOut] : []), "\(message)")
        #expect(message.text.contains("a supervisor") == !isFilled, "\(message)")
    }

    @Test(arguments: [
        ("only a supervisor, or the one whose it is, takes back what was submitted", " Ask one to do it."),
        ("who created a record does not change", " The next sync leaves the record to its creator"),
        ("the record names no channel, so nobody would get it", " Give it a district."),
        ("the assignment is somebody else's", " Ask a supervisor to give it to you, or to change it."),
        ("only the office adds records under an id that no laptop makes: site-4711", " Ask the office to do it."),
    ])
    func itSaysWhomToAsk(reason: String, advice: String) {
        #expect(RefusalText.message(code: 10_403, reason: reason).text.contains("." + advice), "\(reason)")
    }
}
