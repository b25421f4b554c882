import DocumentValues
import FormLogic
import Testing

@testable import FormEntry

/// Each command of a conversation, on small forms.
@Suite struct CommandTalkTests {
    private static let three = """
        questions:
          - text a: Name
          - integer b: Number
            required: yes
            constraint: . > 2
          - note n: The number is ${b}.
        """

    @Test func movingThroughTheForm() throws {
        var talk = try FormTalk.form(yaml: Self.three)
        #expect(talk.type("<") == ["i This is the first question.", "> "])
        // An optional question is left open by Enter.
        #expect(talk.type("") == ["Number  *", "> "])
        #expect(talk.type(":back") == ["Name", "> "])
        #expect(talk.type(">") == ["Number  *", "> "])
        #expect(talk.type(">").first == "! This question must be answered.")
        talk.type("5", "")
        #expect(talk.screen.last == "i That was the last question. \(FormConversation.endHelp)")
        #expect(talk.type("hm") == ["i \(FormConversation.endHelp)", "> "])
        #expect(talk.type("<").dropFirst() == ["N The number is 5.   (note, Enter goes on)", "> "])
    }

    @Test(arguments: ["-", ":clear", ":CLEAR"])
    func anAnswerIsCleared(command: String) throws {
        var talk = try FormTalk.form(yaml: Self.three)
        talk.type("Ann", "<")
        #expect(talk.prompt == "> [Ann]")
        #expect(talk.type(command) == ["i Cleared.", "Name", "> "])
        #expect(talk.saved?["a"] == nil)
        #expect(talk.type(command) == ["i There is no answer to clear.", "> "])
    }

    @Test func aMinusInANumberIsItsSign() throws {
        var talk = try FormTalk.form(yaml: Self.three)
        #expect(talk.type("", "-5").contains("! This answer is not allowed: . > 2"))
    }

    @Test func aTextMayBeginWithAColon() throws {
        var talk = try FormTalk.form(yaml: Self.three)
        talk.type("::-)")
        #expect(try talk.answer("a") == ":-)")
        talk.type("<", "::go")
        #expect(try talk.answer("a") == ":go")
    }

    @Test(arguments: [
        (":udo", "! ':udo' is no command. Did you mean ':undo'?"),
        (":qui", "! ':qui' is no command. Did you mean ':quit'?"),
        (
            ":zzzzzz",
            "! ':zzzzzz' is no command. A text that begins with a colon is typed with two of them."
        ),
    ])
    func aSlipIsNoAnswer(typed: String, reply: String) throws {
        var talk = try FormTalk.form(yaml: Self.three)
        #expect(talk.type(typed) == [reply, "> "])
        #expect(try talk.answer("a") == "")
    }

    @Test(arguments: [("2", "2"), ("2000", "2000"), ("a", "2"), ("B", "2000"), ("2 000", "2000")])
    func aMeaningIsTakenByItsValueOrItsLetter(reply: String, answer: String) throws {
        var talk = try FormTalk.form(yaml: "questions:\n  - integer a: Households\n")
        #expect(talk.type("2,000") == ["> 2 or 2000? [a/b]"])
        #expect(talk.type("1") == ["! Type a or b, or the whole answer.", "> 2 or 2000? [a/b]"])
        talk.type(reply)
        #expect(try talk.answer("a") == answer)
    }

    @Test func aStepOfARangeIsTakenByItsValue() throws {
        var talk = try FormTalk.form(
            yaml: "questions:\n  - range a: Score\n    parameters: {start: 0, end: 5, step: 1}\n")
        #expect(talk.type("2.5").last == "> 2 or 3? [a/b]")
        talk.type("2")
        #expect(try talk.answer("a") == "2")
    }

    @Test func aChoiceIsNotMistakenForItsNumberInAnotherList() {
        let clarification = Clarification(
            between: [
                Clarification.Meaning("2 Serious fault", answer: .names(["se"])),
                Clarification.Meaning("4 Severe fault", answer: .names(["sv"])),
            ])
        #expect(clarification.keys == "[a/b]")
        let replies = [("2", "se"), ("4", "sv"), ("b", "sv"), ("Serious fault", "se"), ("4 severe fault", "sv")]
        for (reply, text) in replies {
            guard case .meaning(let meaning) = clarification.reply(reply) else {
                Issue.record("\(reply) is no reply")
                continue
            }
            #expect(meaning.answer == .names([Name(text)]))
        }
    }

    @Test func remarksAreKept() throws {
        var talk = try FormTalk.form(yaml: Self.three)
        #expect(talk.type(":note").first == "i A remark for the reviewer: :note TEXT")
        talk.type(":note he was not sure")
        #expect(Array(talk.conversation.marks.notes.values) == ["he was not sure"])
        #expect(talk.screen.suffix(2) == ["Name", "  your remark: he was not sure"])
        #expect(talk.type(":all").contains("1 Name: –  (remark)"))
        talk.type(":note -")
        #expect(talk.conversation.marks.notes.isEmpty)
    }

    @Test func theEditorGivesItsText() throws {
        var talk = try FormTalk.form(yaml: Self.three)
        talk.editor = "from the editor\nwith two lines\n"
        talk.type("first", "<", ":edit")
        #expect(talk.opened == ["edit first"])
        #expect(try talk.answer("a") == "from the editor\nwith two lines")
        #expect(talk.type(":edit").first == "! An editor is for texts.")
        talk.editor = nil
        #expect(talk.type("<", ":edit").contains("i The text is empty; the answer is as it was. To clear it: -"))
    }

    @Test func aTextIsGoneOnWithInTheEditor() throws {
        var talk = try FormTalk.form(yaml: "questions:\n  - text a: Story\n    appearance: multiline\n")
        talk.editor = "all of it"
        talk.type("one", ":undo", "::two", ":edit")
        #expect(talk.screen.contains { $0.hasPrefix("! A line that holds only . ends the text first.") })
        #expect(talk.opened == ["edit one\n:two"])
        #expect(try talk.answer("a") == "all of it")
    }

    @Test func rulesAreExplained() throws {
        var talk = try FormTalk.form(yaml: Self.three)
        #expect(talk.type(":why").first == "i a has no rules.")
        talk.type("", "5", "<")
        #expect(talk.type(":why").prefix(2) == ["required", "allowed if: . > 2   now true"])
    }

    @Test func aRuleAboutARepeatSaysHowManyInstancesThereAre() throws {
        let yaml = """
            questions:
              - repeat point: Point
                questions:
                  - text a: Name
              - text b: Summary
                relevant: count(${point}) > 0

            """
        var talk = try FormTalk.form(yaml: yaml)
        talk.type(":add", "One", ":add", "Two", ":go b", ":why")
        let count = talk.answers["point"]?.arrayValue?.count ?? 0
        #expect(count >= 2)
        #expect(talk.screen.contains { $0.contains("${point} (Point) has \(count) instances") }, "\(talk.screen)")
        #expect(!talk.screen.contains { $0.contains("without an answer") })
    }

    @Test func helpHasTheGuidance() throws {
        var talk = try FormTalk.form(
            yaml: "questions:\n  - text a: Name\n    guidance_hint: as on the **door**\n")
        #expect(talk.type("?").first == "as on the door")
        #expect(talk.screen.suffix(5).first == TypedCommand.help[0])
    }

    @Test func nothingButTheTypedLineIsLost() throws {
        var talk = try FormTalk.form(yaml: Self.three)
        talk.type("Ann")
        #expect(
            talk.send(.interrupted(unfinished: "12")).first
                == "i The line was dropped. Ctrl-C again, or :quit, leaves the draft.")
        _ = talk.send(.interrupted(unfinished: ""))
        #expect(talk.left == .draft)
        #expect(talk.saved?["a"] == .string("Ann"))
    }

    @Test func theEndOfTheInputKeepsLinesOfAText() throws {
        var talk = try FormTalk.form(yaml: "questions:\n  - text a: Story\n    appearance: multiline\n")
        talk.type("one", "two")
        #expect(talk.saved?["a"] == nil)
        _ = talk.send(.ended)
        #expect(talk.left == .draft)
        #expect(talk.saved?["a"] == .string("one\ntwo"))
    }

    @Test func eachLineOfATextIsSavedBeforeTheNext() throws {
        let yaml = "questions:\n  - text b: Name\n  - text a: Story\n    appearance: multiline\n  - text c: End\n"
        var talk = try FormTalk.form(yaml: yaml)
        talk.type("Ann")
        let before = talk.saves
        talk.type("one", "", "two")
        #expect(talk.saves == before + 3)
        // The terminal is closed here: only the marks have the lines.
        #expect(Array(talk.conversation.marks.begun.values) == ["one\n\ntwo"])
        #expect(talk.saved?["a"] == nil)

        let saved = try #require(talk.saved)
        var again = try FormTalk(form: talk.conversation.form, answers: saved, marks: talk.conversation.marks)
        #expect(again.screen.contains { $0.hasPrefix("i Begun before; go on") })
        #expect(again.screen.suffix(3) == ["one", "", "two"])
        again.type("three", ".")
        #expect(try again.answer("a") == "one\n\ntwo\nthree")
        #expect(again.conversation.marks.begun.isEmpty)
        #expect(again.screen.last == "End")
        again.type(":undo")
        #expect(again.conversation.marks.begun.isEmpty)
    }

    @Test func aBegunTextThatIsRefusedIsKeptUntilItIsCleared() throws {
        let yaml = "questions:\n  - text a: Story\n    appearance: multiline\n    constraint: string-length(.) > 50\n"
        var talk = try FormTalk.form(yaml: yaml)
        talk.type("one", ".")
        #expect(Array(talk.conversation.marks.begun.values) == ["one"])
        #expect(talk.type("-").first == "i The text that was begun is dropped.")
        #expect(talk.conversation.marks.begun.isEmpty)
    }

    @Test func eachPointOfALineIsSavedBeforeTheNext() throws {
        var talk = try FormTalk.form(yaml: "questions:\n  - geotrace t: Path\n")
        talk.type("52.5 13.4", "52.6 13.4", "52.7 13.4", "<")
        let saved = try #require(talk.saved)
        var again = try FormTalk(form: talk.conversation.form, answers: saved, marks: talk.conversation.marks)
        #expect(again.screen.contains { $0.hasPrefix("i Begun before: 2 points") }, "\(again.screen)")
        #expect(again.prompt == "> point 3, empty line ends")
        again.type("")
        #expect(try again.answer("t") == "52.5 13.4 0.0 0.0; 52.6 13.4 0.0 0.0")
        #expect(again.conversation.marks.begun.isEmpty)
    }

    @Test func aFullDiskLosesNothingWhileTheShellIsOpen() throws {
        var talk = try FormTalk.form(yaml: Self.three)
        talk.diskFault = "the disk is full"
        #expect(talk.type("Ann").first == "! Not saved: the disk is full")
        #expect(talk.prompt == "> ")
        #expect(talk.type(":all").first == "# f · not saved · question 2 of 3")
        #expect(talk.type(":quit").last == "> Leave without the last answers? y/N")
        talk.type("n")
        #expect(talk.left == nil)
        talk.diskFault = nil
        talk.type(":quit")
        #expect(talk.left == .draft)
        #expect(talk.saved?["a"] == .string("Ann"))
    }

    @Test func aLineOfPointsIsDrawn() throws {
        var talk = try FormTalk.form(yaml: "questions:\n  - geotrace t: Path\n  - text b: Name\n")
        talk.files = ["way.txt": Array("1 1\n2 2\n".utf8)]
        #expect(talk.type("52.5 13.4").last == "> point 2, empty line ends")
        talk.type("52.6 13.4", "52.7 13.4")
        #expect(talk.type("<").last == "> point 3, empty line ends")
        #expect(talk.type(":file way.txt").contains("i 2 points from way.txt"))
        #expect(talk.type(":all").first == "! An empty line ends the points first, < takes the last one back.")
        talk.type("")
        #expect(try talk.answer("t") == "52.5 13.4 0.0 0.0; 52.6 13.4 0.0 0.0; 1.0 1.0 0.0 0.0; 2.0 2.0 0.0 0.0")
        #expect(talk.screen.last == "Name")
    }

    @Test func longListsAreNarrowed() throws {
        let choices = (1...40).map { "    c\($0): \($0 < 30 ? "Red" : "Blue") house \($0)\n" }.joined()
        var talk = try FormTalk.form(
            yaml: "lists:\n  l:\n\(choices)questions:\n  - select_one l a: House\n  - text b: Name\n")
        #expect(talk.screen.contains("  40 choices: type a part to narrow them, Tab completes."))
        #expect(talk.asked?.completions.count == 40)
        let lines = talk.type("house 3")
        #expect(lines.contains { $0.hasPrefix("- 3 Red house 3") } || lines.last?.contains("?") == true, "\(lines)")
        talk.type("Blue house 31")
        #expect(try talk.answer("a") == "c31")
    }

    @Test func readOnlyQuestionsAreShownAndPassed() throws {
        var talk = try FormTalk.form(
            yaml: """
                questions:
                  - integer a: Number
                  - integer double: Twice
                    calculation: ${a} * 2
                  - text code: Code
                    read_only: yes
                    default: X1
                  - text b: Name
                """)
        let lines = talk.type("4")
        #expect(
            lines == ["Twice: 8   (not to be changed)", "Code: X1   (not to be changed)", "Name", "> "], "\(lines)")
        #expect(talk.type("<") == ["Number", "> [4]"])
    }

    @Test func reportsAreShownOnce() throws {
        var talk = try FormTalk.form(
            yaml: """
                questions:
                  - text a: Pattern
                  - text b: Name
                    constraint: regex(., ${a})
                """)
        let lines = talk.type("(", "x")
        #expect(lines.filter { $0.hasPrefix("~ A defect of the form: constraint of b") }.count == 1, "\(lines)")
        #expect(talk.type("<", "y").allSatisfy { !$0.contains("defect") })
    }

    @Test func aFieldListIsShownAsAPage() throws {
        var talk = try FormTalk.form(
            yaml: """
                questions:
                  - text a: Name
                  - group g: Room
                    appearance: field-list
                    questions:
                      - integer b: Beds
                      - integer c: Chairs
                """)
        #expect(
            talk.type("x") == [
                "# f · draft saved 14:45 · question 2 of 3", "Room ›", "2 Beds: –", "3 Chairs: –", "Beds", "> ",
            ])
        #expect(talk.type("2") == ["Chairs", "> "])
    }

    @Test func aGridShowsItsChoicesOnce() throws {
        var talk = try FormTalk.form(
            yaml: """
                lists: {yn: {y: Yes, n: No}}
                questions:
                  - group g: Things
                    appearance: table-list
                    questions:
                      - select_one yn a: Table
                      - select_one yn b: Chair
                """)
        #expect(talk.screen.suffix(3) == ["Table", "- 1 Yes", "- 2 No"])
        #expect(talk.type("1") == ["= 1 Yes", "Chair", "> "])
    }

    @Test func ignoredAppearancesAreNamedOnce() throws {
        let talk = try FormTalk.form(
            yaml:
                "questions:\n  - image a: Sketch\n    appearance: draw\n  - image b: Name\n    appearance: signature\n")
        #expect(talk.screen.first == "i 2 appearances have no meaning in a terminal: draw, signature")
    }
}
