import DocumentValues
import FormLogic
import SeededRandom
import Testing

@testable import FormEntry

/// Whatever is typed, the conversation goes on or ends, and the disk has what it shows.
@Suite struct RandomTalkTests {
    private static let lines = [
        "", "", "", "1", "2", "3", "1 2", "4", "9,5", "500", "-3", "y", "n", "yes", "no", "cold", "wash", "n1", "cove",
        "today", "1/2/2026", "12:30", "52.5 13.4", "52.5 13.4 3 50", "text with letters", ".", "-", "<", ">", "?",
        ":skip",
        ":all", ":add", ":drop", ":list", ":same", ":undo", ":why", ":edit", ":open", ":lang de", ":lang fr",
        ":lang en",
        ":note unsure", ":go 3", ":go 7", ":go point 2", ":go finding 1", ":go test 2", ":go piece 2", ":go worst",
        ":add point", ":drop piece", ":add test", ":file x", "::", "::a", ":zz", "list", "\u{0}", "é", "all", "none",
        "+1", "-1", "/tmp/a.jpg", "a\nb",
        ":go region", ":go source", "spring", "well", "s", "s1",
    ]

    @Test(arguments: ["kitchen_hygiene", "water_point", "playground"], 0..<6)
    func randomLinesNeverTrap(name: String, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var talk = try FormTalk.sample(name)
        talk.files = ["/tmp/a.jpg": [], "x": Array("1 1\n2 2\n".utf8)]
        talk.editor = "written"
        for step in 0..<120 {
            let line = Self.lines[random.number(below: Self.lines.count)]
            let (before, steps) = (talk.answers, talk.conversation.steps.count)
            talk.type(line)
            #expect(talk.left == nil, "\(name) \(seed) \(step) \(line)")
            // A new record is on no disk before its first answer.
            if talk.saves > 0 { #expect(talk.saved == talk.answers, "\(name) \(seed) \(step) \(line)") }
            // An answer that was stored can be taken back at once.
            guard talk.conversation.steps.count == steps + 1 else { continue }
            var other = talk
            other.type(":undo")
            if case .asking = talk.conversation.stage {
                #expect(other.answers == before, "\(name) \(seed) \(step) \(line)")
                #expect(other.saved == before, "\(name) \(seed) \(step) \(line)")
            }
        }
        _ = talk.send(.ended)
        #expect(talk.saves > 0)
        #expect(talk.left == .draft)
        #expect(talk.saved == talk.answers)
    }

    @Test(arguments: 0..<20)
    func otherEventsNeverTrap(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(1_000 + seed))
        let form = try FormTalk.form("water_point")
        var talk = try FormTalk(form: form)
        for _ in 0..<60 {
            switch random.number(below: 12) {
            case 0: _ = talk.conversation.take(.saved, now: FormTalk.noon)
            case 1: _ = talk.conversation.take(.failed("no"), now: FormTalk.noon)
            case 2: _ = talk.conversation.take(.edited("text"), now: FormTalk.noon)
            case 3: _ = talk.conversation.take(.attached(AnsweredFile(name: "a.jpg")), now: FormTalk.noon)
            case 4: _ = talk.conversation.take(.read(name: "x", bytes: [0x31]), now: FormTalk.noon)
            case 5: _ = talk.conversation.take(.finalised(name: "x"), now: FormTalk.noon)
            case 7: _ = talk.conversation.take(.superseded("no"), now: FormTalk.noon)
            case 6: _ = talk.conversation.take(.interrupted(unfinished: "x"), now: FormTalk.noon)
            default: talk.type(Self.lines[random.number(below: Self.lines.count)])
            }
        }
        // A result without its action changes nothing: the conversation still takes lines.
        #expect(talk.conversation.isOver || talk.type(":all").count > 2)
    }
}
