import DocumentValues
import FormLogic
import Testing

@testable import FormEntry

/// What a person has to know before a record is final.
@Suite struct FinishingTalkTests {
    /// Answers about a cold store that was not inspected after all, and all that a finished form needs.
    private static let withoutColdStore = [
        "Uno", "", "cold", "9.5", "", "Moved", ".", ":go areas", "2", ":go hands", "1", "1", "1", ":go read_out", "y",
    ]

    @Test func answersThatAreWithheldAreNamedBeforeTheyAreLeftOut() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        talk.type(Self.withoutColdStore)
        let lines = talk.type(":done")
        #expect(
            lines == [
                "~ 3 answers are set aside, and the final record will not have them: Cold store, Finding",
                "> Finalise all the same? y/N",
            ])
        // Enter leaves the draft as it is, and they come back with their questions.
        talk.type("")
        #expect(talk.left == nil && !talk.isFinal)
        #expect(talk.type(":go areas", "1,2").contains("~ 3 answers back: Cold store, Finding"))
        talk.type(":undo", ":done", "y")
        #expect(talk.isFinal && talk.left == .finalised)
    }

    @Test func aDraftThatIsOpenedAgainNamesThemToo() throws {
        var first = try FormTalk.sample("kitchen_hygiene")
        first.type(Self.withoutColdStore)
        let saved = try #require(first.saved)
        var again = try FormTalk(form: first.conversation.form, answers: saved)
        // The day of a finding is a default that need never have been asked.
        #expect(
            again.type(":done").first
                == "~ 2 answers are set aside, and the final record will not have them: Cold store")
        again.type("y")
        #expect(again.left == .finalised)
    }

    @Test func defaultsThatWereNeverAskedAreNotWithheld() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        talk.type("Uno", "", "2", "1", "1", "1", "", "y", ":done")
        #expect(talk.left == .finalised)
    }

    @Test func theEndSaysHowManyAreOpen() throws {
        let yaml = """
            questions:
              - text a: Name
                required: yes
              - text b: Village
                required: yes
              - text c: Street
              - text d: Rest

            """
        var talk = try FormTalk.form(yaml: yaml)
        #expect(talk.openCount == 0)
        talk.type(":go d")
        #expect(talk.openCount == 2)
        talk.type("x")
        #expect(
            talk.screen.suffix(2) == [
                "# f · draft saved 14:45 · 4 questions (2 open)",
                "i That was the last question, and 2 are still open. \(FormConversation.endHelp)",
            ])
        // They stay open when one goes back to the beginning.
        talk.type(":go 1")
        #expect(talk.openCount == 1)
    }

    @Test func anOrderThatLacksAChoiceIsAskedAgain() throws {
        var talk = try FormTalk.sample("playground")
        talk.type("North Park", "", "sand", "swing", "", "140", "1 2 5", "3 1 2")
        #expect(try talk.answer("piece/repair/order") == "gap bolt edge")
        talk.type(":go faults", "-2", ":go faults", "+4 -5")
        #expect(try talk.answer("piece/repair/order") == "bolt")
        let refusal = "'Rust' is not in the order: type all numbers, the best first."
        #expect(talk.type("").prefix(2) == ["! \(refusal)", "i :skip goes on."])
        let failures = talk.type(":done")
        #expect(
            failures.contains { $0.hasPrefix("Piece of equipment 1 › In which order to repair?: \(refusal)  :go ") },
            "\(failures)")
        talk.type("2 1")
        #expect(try talk.answer("piece/repair/order") == "rust bolt")
        #expect(!talk.type(":done").contains { $0.contains(refusal) })
    }

    @Test func aRecordThatWasChangedElsewhereIsNotTriedAgain() throws {
        var talk = try FormTalk.form(yaml: "questions:\n  - text a: Name\n  - text b: Village\n")
        talk.isSuperseded = true
        let lines = talk.type("Ann")
        #expect(
            lines.prefix(2) == [
                "! Not saved: it was changed elsewhere",
                "i No answer can be saved from here any more: :all shows yours, :quit leaves without them.",
            ])
        #expect(talk.type(":quit") == ["> Leave without the last answers? y/N"])
        #expect(talk.type(":quit").first == "! y leaves without them, n stays.")
        talk.type("y")
        #expect(talk.left == .unsaved && talk.saves == 0)
    }

    @Test func aTrialSaysThatNothingIsSaved() throws {
        let form = try FormTalk.form("kitchen_hygiene")
        var talk = try FormTalk(form: form, isTrial: true)
        #expect(talk.screen.first == "# Kitchen hygiene · trial, not saved · question 1 of 8")
        talk.type("Uno", "", "2", "1", "1", "1", "", "y")
        #expect(talk.screen.contains("# Kitchen hygiene · trial, not saved · 8 questions"))
        #expect(talk.type(":done").contains("i It would be finalised as: the record"))
        #expect(talk.left == .finalised)
    }
}
