import DocumentValues
import FormLogic
import SeededRandom
import Testing

@testable import FormEntry

/// Texts, codes, paths, consent, and what holds for every text at every question.
@Suite struct TextAnswerTests {
    @Test(arguments: [
        ("a", [], "a"), (" a ", [], " a "), ("a\nb", [], "a\nb"), ("-", [], "-"),
        ("05/3-1.2,+ 4", ["numbers"], "05/3-1.2,+ 4 (This question expects digits.)"),
        ("+49 30 1.2-3,4", ["numbers"], "+49 30 1.2-3,4"), ("٠١", ["numbers"], "٠١"),
        ("x", ["Numbers"], "x (This question expects digits.)"), ("", [], "kept"), (" \n", [], "kept"),
    ])
    func texts(typed: String, appearance: [String], read: String) {
        #expect(TypedAnswer(.text, appearance: appearance).read(typed) == read)
    }

    @Test func aTextHasALimit() {
        let longest = String(repeating: "é", count: FormLimits.answer / 2)
        #expect(TypedAnswer(.text).read(longest) == longest)
        #expect(TypedAnswer(.text).read(longest + "a") == "! the text has 64 KiB, the limit is 64 KiB")
    }

    @Test(arguments: [
        (QuestionType.PlainType.barcode, " 4006381333931\r", "4006381333931"), (.acknowledge, "", "OK"),
        (.acknowledge, "y", "OK"), (.acknowledge, "OK", "OK"),
        (.acknowledge, "Oui", "OK"), (.acknowledge, "n", "cleared"), (.acknowledge, "nein", "cleared"),
        (.acknowledge, "x", "! must be y or n, not 'x'"),
        (.image, "/a/b.jpg", "file /a/b.jpg"), (.image, " '/a b/c.jpg' ", "file /a b/c.jpg"),
        (.file, "\"~/x y.pdf\"", "file ~/x y.pdf"), (.file, "~/x\\ y.pdf", "file ~/x y.pdf"),
        (.audio, "file:///a%20b/%C3%A9.mp3", "file /a b/é.mp3"), (.video, "a\\\\b", "file a\\b"),
        (.file, "'", "file '"), (.note, "x", "! a note has no answer"), (.note, "", "kept"),
        (.calculate, "1", "! a question of the type calculate is not answered by hand"),
        (.audit, "x", "! a question of the type audit is not answered by hand"),
    ])
    func otherTypes(type: QuestionType.PlainType, typed: String, read: String) {
        #expect(TypedAnswer(.plain(type)).read(typed) == read)
    }

    @Test func answersAreShown() {
        let context = TypedAnswer(.text).context
        func line(_ answer: Answer, type: QuestionType = .text, appearance: [String] = []) -> String {
            AnswerText(AskedQuestion(type: type, appearance: appearance), in: context).line(answer)
        }
        #expect(line(.text("a\u{1B}[2Jb")) == "a?[2Jb")
        #expect(line(.text("a\nb\nc")) == "a … (3 lines)")
        #expect(line(.text("secret"), appearance: ["masked"]) == line(.text("s"), appearance: ["masked"]))
        #expect(line(.text("secret"), appearance: ["masked"]) == "••••••••")
        #expect(line(.text("123"), type: .plain(.barcode), appearance: ["hidden-answer"]) == "(scanned)")
        #expect(line(.text("OK"), type: .plain(.acknowledge)) == "OK")
        #expect(line(.boolean(true), type: .plain(.calculate)) == "true")
        #expect(
            line(.file(AnsweredFile(name: "front.jpg", blob: ["length": 812_345])), type: .plain(.image))
                == "front.jpg 812 KB")
        #expect(line(.file(AnsweredFile(name: "front.jpg")), type: .plain(.image)) == "front.jpg")
        let text = AnswerText(AskedQuestion(type: .text), in: context)
        #expect(text.lines(.text("a\n\nb")) == ["a", "", "b"])
        let masked = AnswerText(AskedQuestion(type: .text, appearance: ["masked"]), in: context)
        #expect(masked.lines(.text("a\nb")) == ["••••••••"])
    }

    @Test(arguments: [(0.4, "0.4 m"), (340, "340 m"), (1_234, "1.2 km"), (123_456, "123 km"), (0, "0.0 m")])
    func lengths(metres: Double, text: String) { #expect(LengthText.of(metres) == text) }

    @Test(arguments: [(340.0, "340 m²"), (12_345, "1.2 ha"), (3_400_000, "3.4 km²")])
    func areas(squareMetres: Double, text: String) { #expect(LengthText.ofArea(squareMetres) == text) }

    // MARK: Everything

    static let types: [QuestionType] =
        QuestionType.PlainType.allCases.map { .plain($0) }
        + QuestionType.SelectKind.allCases.map { .select($0, from: .list("l")) }

    @Test(arguments: types)
    func everyTypeHasItsNotations(type: QuestionType) {
        let question = TypedAnswer(type, choices: offered("a=A", "b=B"))
        let lines = QuestionNotations.lines(for: question.question, in: question.context)
        #expect(!lines.isEmpty && lines.allSatisfy { !$0.isEmpty && $0.utf8.count <= 130 })
    }

    /// Each is refused or taken, and what is taken has the type of the question.
    @Test(arguments: types)
    func hostileTextsAreReadToTheirEnd(type: QuestionType) {
        let question = TypedAnswer(type, choices: offered("a=A", "b=B", "e\u{301}=É"))
        let marks = String(repeating: "\u{301}", count: 20_000)
        let texts = [
            "e" + marks, marks, "\u{202E}12", "\u{200F}٣\u{200E}", "\u{0}", "\u{FEFF}1", "🇩🇪👨‍👩‍👧", "1\u{20E3}",
            String(repeating: "1", count: 1 << 20),
            String(repeating: "1,", count: 4_000), String(repeating: "1 ", count: 4_000),
            String(repeating: "- ", count: 4_000), String(repeating: "a", count: 1 << 20),
            String(repeating: "(", count: 8_000), String(repeating: "·", count: 4_000),
            String(repeating: "1-3,", count: 2_000), String(repeating: ";", count: 1 << 20),
            String(repeating: "1 2\n", count: 1 << 18), String(repeating: "'", count: 8_000),
            "9999999999999999999999999999", "-9223372036854775808",
        ]
        for text in texts { check(question, text) }
    }

    @Test(arguments: types)
    func randomTextsAreReadToTheirEnd(type: QuestionType) {
        let question = TypedAnswer(type, choices: offered("a=A", "1=B", "-1=Cé"), present: .names(["a"]))
        var random = SeededGenerator(seed: 8)
        let pieces = [
            "1", "12", "2026", "-", "+", ".", ",", "/", ":", " ", "a", "mar", "t", "h", "pm", "N", "E", "°", "'", "\"",
            "·", "é", "٣", "(", ")", "%", "\\", "\n", ";",
        ]
        for _ in 0..<500 {
            let count = 1 + random.number(below: 8)
            check(question, (0..<count).map { _ in pieces[random.number(below: pieces.count)] }.joined())
        }
    }

    private func check(_ question: TypedAnswer, _ text: String) {
        switch question.outcome(text) {
        case .answer(let answer, _): check(answer, question, text)
        case .question(let clarification):
            #expect(!clarification.meanings.isEmpty && clarification.question.utf8.count < 2_000)
            for meaning in clarification.meanings { check(meaning.answer, question, text) }
        case .refused(let refusal): #expect(!refusal.reason.isEmpty && refusal.description.utf8.count < 2_000)
        case .file(let path): #expect(path.utf8.count <= text.utf8.count)
        case .cleared, .kept: break
        }
    }

    private func check(_ answer: Answer, _ question: TypedAnswer, _ text: String) {
        let type = question.question.type
        #expect(Answer(answer.json, type: type) == answer, "\(text.prefix(40)) gives no answer of \(type)")
        let shown = AnswerText(question.question, in: question.context)
        #expect(!shown.line(answer).utf8.contains(0x0A))
        #expect(!shown.lines(answer).isEmpty)
    }
}
