import DocumentValues
import FormLogic
import Testing

@testable import FormEntry

/// The conversation about the inspection of a kitchen.
@Suite struct KitchenTalkTests {
    @Test func itBeginsWithTheFirstQuestionAndSavesNothingYet() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        #expect(
            talk.screen == [
                "# Kitchen hygiene · question 1 of 8", "Name of the kitchen  *",
            ])
        #expect(talk.prompt == "> ")
        #expect(talk.saves == 0)
        talk.type(":quit")
        #expect(talk.left == .untouched && talk.saves == 0)
    }

    @Test func anAnswerIsSavedBeforeTheNextQuestion() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        #expect(talk.type("Café Uno") == ["Day of the visit  *", "> [Wed 4 March 2026]"])
        #expect(talk.saved?["site_name"] == .string("Café Uno"))
        #expect(talk.saved?["visited"] == .string("2026-03-04"))
        #expect(talk.saves == 1)
        // Enter keeps the default, and saves nothing.
        talk.type("")
        #expect(talk.saves == 1)
        #expect(try talk.answer("visited") == "2026-03-04")
    }

    @Test func aRequiredQuestionIsLeftBySkipping() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        #expect(
            talk.type("") == ["! This question must be answered.", "i :skip leaves it open.", "> "])
        talk.type(":skip")
        #expect(talk.openCount == 1)
        #expect(talk.conversation.marks.skipped.count == 1)
        // It counts no more once it is answered.
        talk.type("<", "Uno")
        #expect(talk.openCount == 0)
        #expect(talk.conversation.marks.skipped.isEmpty)
    }

    @Test func aGroupAppearsWithItsHeading() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        talk.type("Uno", "")
        #expect(
            talk.type("1 2") == [
                "= 1 Cold store, 2 Preparation", "# Kitchen hygiene · draft saved 14:45 · question 4 of 9",
                "Cold store ›", "Warmest reading (°C)  *", "  Measured between the goods", "> ",
            ])
        #expect(
            talk.type("9,5") == ["= 9.5", "N 9.5 °C is above the limit of 7 °C.   (note, Enter goes on)", "> "])
        #expect(talk.type("").first == "What was done at once?  *   end with a line holding only .")
        talk.type("Moved to the second store", "- at once", ".")
        #expect(try talk.answer("cold/cold_action") == "Moved to the second store\n- at once")
    }

    @Test func hiddenAnswersAreNamedOnceAndComeBack() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        talk.type("Uno", "", "cold", "9.5", "", "Moved", ".", ":go areas")
        let lines = talk.type("2")
        #expect(lines.contains("~ 3 answers set aside: Cold store, Finding"), "\(lines)")
        #expect(try talk.answer("cold/cold_temp") == "9.5")
        #expect(talk.conversation.state.record.answers(isFinal: true)["cold"] == nil)
        let back = talk.type(":go areas", "1,2")
        #expect(back.contains("~ 3 answers back: Cold store, Finding"), "\(back)")
    }

    @Test func undoTakesTheAnswerBackWithItsConsequences() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        talk.type("Uno", "", "cold", "9.5", "", "Moved", ".", ":go areas")
        let before = talk.answers
        talk.type("2")
        #expect(talk.answers != before)
        let lines = talk.type(":undo")
        #expect(lines.contains("i Taken back: What was inspected?; now Cold store"), "\(lines)")
        #expect(talk.answers == before)
        #expect(talk.saved == before)
        // All of it, down to the new record.
        for _ in 0..<10 { talk.type(":undo") }
        #expect(talk.type(":undo").first == "i There is no answer to take back.")
        #expect(try talk.answer("site_name") == "")
    }

    @Test func aConstraintHasItsMessage() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        talk.type("Uno")
        #expect(talk.type("2026-03-05") == ["! Not in the future", "> [Wed 4 March 2026]"])
        #expect(talk.asked?.refused == "2026-03-05")
        #expect(try talk.answer("visited") == "2026-03-04")
        talk.type("2026-03-05")
        #expect(
            talk.type("2026-03-05") == [
                "! Not in the future", "i rule: . <= today(), yours: 2026-03-05", "> [Wed 4 March 2026]",
            ])
    }

    @Test func anAmbiguousDateIsAskedOnce() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        talk.type("Uno")
        #expect(talk.type("1/2/2026").last == "> 1 February 2026 or 2 January 2026? [1/2]")
        talk.type("1")
        #expect(try talk.answer("visited") == "2026-02-01")
        talk.type("<", "3/1/2026")
        #expect(try talk.answer("visited") == "2026-01-03")
    }

    @Test func theFormAtAGlance() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        talk.type("Uno", "", "2")
        let lines = talk.type(":all")
        #expect(
            lines.prefix(11) == [
                "# Kitchen hygiene · draft saved 14:45 · question 4 of 8", "1 Name of the kitchen: Uno",
                "2 Day of the visit: Wed 4 March 2026", "3 What was inspected?: Preparation", "Rooms and staff ›",
                "4 Hand washing: –  (open)", "5 Surfaces: –  (open)", "6 Signs of pests: –  (open)", "  faults = 0",
                "  score = 100", "7 Score 100 of 100, 0 points of faults, 0 described. (note)",
            ])
        #expect(talk.type(":go 5").contains("Surfaces  *"))
        #expect(talk.type(":go surfaces").contains("Surfaces  *"))
        #expect(talk.type(":go Signs").contains("Signs of pests  *"))
        #expect(talk.type(":go drains").first == "! Drains: not asked, because selected(${areas}, 'wash') is false")
        #expect(talk.type(":go surfces").first == "! No question is called 'surfces'. Did you mean 'surfaces'?")
        #expect(talk.type(":go faults").first == "! 'faults' is calculated and never asked; :all shows it.")
        #expect(talk.type(":go 99").first == "! There is no question 99: the numbers are 1 to 8. See :all")
    }

    @Test func aWholeInspectionIsFinalised() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        talk.type("Uno", "", "2", "1", "1", "1")
        #expect(talk.screen.last == "N Score 100 of 100, 0 points of faults, 0 described.   (note, Enter goes on)")
        let failures = talk.type(":done")
        #expect(failures.first == "i Not finalised: 1 answer keeps it from that.")
        #expect(failures.contains("The result was read to the manager.: This question must be answered.  :go 8"))
        #expect(talk.left == nil && !talk.isFinal)
        talk.type("", "y")
        #expect(talk.screen.last == "i That was the last question. \(FormConversation.endHelp)")
        talk.type(":done")
        #expect(talk.isFinal && talk.left == .finalised)
        #expect(talk.conversation.isOver)
        #expect(talk.send(.line("more")) == [talk.prompt])
    }

    @Test func theLanguageChanges() throws {
        var talk = try FormTalk.sample("kitchen_hygiene")
        talk.type("Uno", "")
        #expect(
            talk.type(":lang de") == [
                "# Küchenhygiene · draft saved 14:45 · question 3 of 8", "Was wurde geprüft?  *", "- 1 [ ] Kühlraum",
                "- 2 [ ] Vorbereitung", "- 3 [ ] Spülküche", "- 4 [ ] Trockenlager", "> ",
            ])
        talk.type("spül")
        #expect(try talk.answer("areas") == "wash")
        #expect(talk.type(":lang fr").first == "! The form has these languages: en English, de Deutsch")
    }

    @Test func theLastRecordGivesItsAnswer() throws {
        var last = try FormTalk.sample("kitchen_hygiene")
        last.type("Café Uno", "", "1 4", ":quit")
        #expect(last.left == .draft)
        var talk = try FormTalk.sample("kitchen_hygiene", lastSaved: last.conversation.state.record)
        #expect(talk.prompt == "> [Café Uno]")
        talk.type("", "")
        #expect(talk.type(":same").first == "= 1 Cold store, 4 Dry store")
        #expect(try talk.answer("areas") == "cold store")
        #expect(talk.type(":same").first == "i The last record has no answer to this question.")
    }

    @Test func aDraftGoesOnAtTheFirstOpenQuestion() throws {
        var first = try FormTalk.sample("kitchen_hygiene")
        first.type("Uno", "", ":skip", "1", ":quit")
        let form = try FormTalk.form("kitchen_hygiene")
        let saved: JSONObject = try #require(first.saved)
        let again = try FormTalk(form: form, answers: saved, marks: first.conversation.marks)
        // The skipped one is open, and the next one is asked.
        #expect(again.screen.contains("# Kitchen hygiene · draft saved 14:45 · question 5 of 8 (1 open)"))
        #expect(again.screen.contains("Surfaces  *"))
        #expect(again.saves == 0)
    }
}
