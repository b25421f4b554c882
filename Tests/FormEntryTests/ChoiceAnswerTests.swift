import DocumentValues
import FormLogic
import Testing

@testable import FormEntry

/// Choices as they are typed: by number, name, label or beginning.
@Suite struct ChoiceAnswerTests {
    private static let one = QuestionType.select(.one, from: .list("l"))
    private static let several = QuestionType.select(.multiple, from: .list("l"))
    private static let rank = QuestionType.select(.rank, from: .list("l"))

    private static let faults = offered(
        "none=No fault", "serious=Serious fault", "series=Series of faults", "e=Émigré ﬁle", "o")

    @Test(arguments: [
        ("1", "none"), ("5", "o"), ("none", "none"), ("NONE", "none"), ("No fault", "none"), ("no  FAULT", "none"),
        ("no", "none"),
        ("serious", "serious"), ("seriou", "serious"), ("series", "series"), ("2 Serious fault", "serious"),
        ("2", "serious"),
        ("em", "e"), ("ÉMI", "e"), ("e\u{301}mi", "e"), ("e", "e"), ("O", "o"), ("٣", "series"), (" 3 ", "series"),
        ("ser", "? 2 Serious fault or 3 Series of faults? serious | series"), ("0", "! there is no choice 0"),
        ("6", "! there is no choice 6"), ("99999999", "! there is no choice 99999999"),
        ("x", "! there is no choice 'x'"),
        ("2 No fault", "! there is no choice '2 No fault'"), ("1 2", "! there is no choice '1 2'"),
        ("-1", "! there is no choice '-1'"),
        ("", "kept"),
    ])
    func oneChoice(typed: String, read: String) {
        #expect(TypedAnswer(Self.one, choices: Self.faults).read(typed) == read)
    }

    @Test func aSlipIsCorrected() throws {
        guard case .refused(let refusal) = TypedAnswer(Self.one, choices: Self.faults).outcome("Serioos fault") else {
            Issue.record("it is taken")
            return
        }
        #expect(refusal.hint == "Did you mean 'Serious fault'?")
        #expect(refusal.description == "there is no choice 'Serioos fault'. Did you mean 'Serious fault'?")
    }

    @Test(arguments: [
        ("1", "? 1 Zero or 2 One? 0 | 1"), ("0", "0"), ("2", "? 2 One or 3 Two? 1 | 2"), ("3", "2"), ("One", "1"),
        ("-99", "-99"),
    ])
    func aNumberThatIsAlsoANameIsAsked(typed: String, read: String) {
        let choices = offered("0=Zero", "1=One", "2=Two", "-99=Unknown")
        #expect(TypedAnswer(Self.one, choices: choices).read(typed) == read)
    }

    @Test func aScriptsNamesGoFirst() {
        var question = TypedAnswer(Self.one, choices: offered("0=Zero", "1=One", "2=Two"))
        question.context.source = .script
        #expect(question.read("1") == "1")
        #expect(question.read("3") == "2")
    }

    @Test(arguments: [
        ("a", "a"), ("A", "A"), ("no", "? 3 No or 4 Norway? n | no"), ("b", "b"),
        ("same", "? 7 Same or 8 Same? s1 | s2"), ("s2", "s2"),
    ])
    func theSameBytesGoBeforeTheSameLetters(typed: String, read: String) {
        let choices = offered("a", "A", "n=No", "no=Norway", "b=Bee", "bee=Bees", "s1=Same", "s2=Same")
        #expect(TypedAnswer(Self.one, choices: choices).read(typed) == read)
    }

    @Test func beyondNineMeaningsTheyAreListed() {
        let choices = (1...12).map { OfferedChoice(name: Name("n\($0)"), label: "Well \($0)") }
        let read = TypedAnswer(Self.one, choices: choices).read("well")
        #expect(read.hasPrefix("! 'well' may be 1 Well 1, 2 Well 2,") && read.hasSuffix("9 Well 9 and 3 more"))
    }

    @Test(arguments: [QuestionType.SelectKind.one, .multiple, .rank])
    func withoutChoicesItIsRefused(kind: QuestionType.SelectKind) {
        #expect(TypedAnswer(.select(kind, from: .list("l"))).read("1") == "! no choice is offered now")
    }

    @Test(arguments: [
        ("1,3", "w s"), ("1 3", "w s"), ("1, 3", "w s"), ("3;1", "s w"), ("2-4", "f s h"), ("4-2", "h s f"),
        ("1,3-4", "w s h"), ("w", "w"),
        ("Water", "w"), ("water, shelter", "w s"), ("w s", "w s"), ("wat foo", "w f"), ("health care", "h"),
        ("health care, w", "h w"),
        ("all", "w f s h"), ("ALL", "w f s h"), ("none", "cleared"), ("keine", "cleared"),
        ("1 Water, 4 Health care", "w h"),
        ("1,1", "w (A choice that was named twice counts once.)"),
        ("1-2,2-3", "w f s (A choice that was named twice counts once.)"),
        ("+4", "w s h"), ("-1", "s"), ("+4 -1", "s h"), ("+f,-s", "w f"), ("+2-4", "w s f h"), ("-1-4", "cleared"),
        ("-2", "w s"), ("+1", "w s"),
        ("5", "! there is no choice 5"), ("1,5", "! there is no choice 5"), ("2-5", "! there is no choice '2-5'"),
        ("x", "! there is no choice 'x'"),
        ("1,+2", "! some choices have a sign and others have none"), (",", "! there is no choice ','"),
        ("1,x", "! there is no choice 'x'"),
    ])
    func severalChoices(typed: String, read: String) {
        let choices = offered("w=Water", "f=Food", "s=Shelter", "h=Health care")
        #expect(TypedAnswer(Self.several, choices: choices, present: .names(["w", "s"])).read(typed) == read)
    }

    @Test(arguments: [
        ("none", "none"), ("all", "all"), ("-1", "! '-1' is the name of a choice, and a change of another one"),
        ("-99", "-99"), ("-2", "a"),
        ("a b", "a b"), ("A b", "x"), ("n", "? 1 None of them or 3 No answer or 6 Nanny? none | -1 | na2"),
    ])
    func namesOfChoicesGoBeforeSigns(typed: String, read: String) {
        let choices = offered(
            "none=None of them", "all=All of them", "-1=No answer", "-99=Unknown", "a=First", "na2=Nanny", "b=Second",
            "x=A big one")
        let question = TypedAnswer(Self.several, choices: choices, present: .names(["a", "all"]))
        #expect(question.read(typed) == read)
    }

    @Test func aLineCannotNameALongListAgainAndAgain() {
        let choices = (1...1_000).map { OfferedChoice(name: Name("n\($0)"), label: nil) }
        let line = Array(repeating: "1-1000", count: 1_000).joined(separator: ",")
        #expect(TypedAnswer(Self.several, choices: choices).read(line) == "! the line names choices too often")
    }

    @Test(arguments: [
        ("3 1 2", "c a b"), ("3,1,2", "c a b"), ("1-3", "a b c"), ("3-1", "c b a"), ("c a b", "c a b"),
        ("3", "? In this order: 3 C, 1 A, 2 B? c a b"),
        ("2 1", "? In this order: 2 B, 1 A, 3 C? b a c"), ("1 1 2", "! 1 A is named twice"),
        ("4", "! there is no choice 4"),
        ("+1", "! a rank has no choices to add or to remove"), ("x", "! there is no choice 'x'"),
    ])
    func ranks(typed: String, read: String) {
        #expect(TypedAnswer(Self.rank, choices: offered("a=A", "b=B", "c=C")).read(typed) == read)
    }

    @Test func theRestOfARankKeepsItsPresentOrder() {
        let question = TypedAnswer(
            Self.rank, choices: offered("a", "b", "c", "d"), present: .names(["d", "c", "gone", "b", "a"]))
        #expect(question.read("2") == "? In this order: 2 b, 4 d, 3 c, 1 a? b d c a")
    }

    @Test(arguments: [
        ("y", true), ("YES", true), ("oui", true), ("n", false), ("Nein", false), ("1", nil), ("", nil), ("maybe", nil),
    ])
    func aConsentIsReadLoosely(reply: String, isConsent: Bool?) {
        guard case .question(let clarification) = TypedAnswer(Self.rank, choices: offered("a", "b")).outcome("2") else {
            Issue.record("it is not asked")
            return
        }
        #expect(clarification.keys == "[y/n]")
        switch clarification.reply(reply) {
        case .meaning(let meaning): #expect(isConsent == true && meaning.answer.text == "b a")
        case .none: #expect(isConsent == false)
        case .unknown: #expect(isConsent == nil)
        }
    }

    @Test func aLongListIsSearchedAtOnce() {
        let choices = (0..<20_000).map { OfferedChoice(name: Name("v\($0)"), label: "Village \($0) Ñandú") }
        let index = ChoiceIndex(choices)
        #expect(index.narrowed(to: "ÑANDU").count == 20_000)
        #expect(index.narrowed(to: "1999").count == 11)
        #expect(index.narrowed(to: "").count == 20_000)
        #expect(index.narrowed(to: "zz").isEmpty)
        var question = TypedAnswer(Self.one)
        question.question.choices = index
        #expect(question.read("village 19999") == "v19999")
        #expect(question.read("v19999") == "v19999")
        #expect(question.read("20000") == "v19999")
        #expect(question.read("village 7 n") == "v7")
    }

    @Test func choicesAreShownAndReadAgain() {
        let one = TypedAnswer(Self.one, choices: Self.faults)
        #expect(one.shown("serious") == "2 Serious fault")
        #expect(one.read("2 Serious fault") == "serious")
        let several = TypedAnswer(Self.several, choices: offered("w=Water", "f=Food", "s"))
        #expect(several.shown("3,1") == "3 s, 1 Water")
        #expect(several.read("3 s, 1 Water") == "s w")
        let text = AnswerText(several.question, in: several.context)
        #expect(text.lines(.names(["s", "w", "gone"])) == ["[x] 1 Water", "[ ] 2 Food", "[x] 3 s", "[x] gone"])
        #expect(AnswerText(one.question, in: one.context).line(.text("gone")) == "gone")
    }
}
