import DocumentValues
import FormLogic
import Testing

@testable import FormEntry

/// Replies that are not what was asked for, and the ways that are named then.
@Suite struct ForgivingTalkTests {
    private func water(_ lines: String...) throws -> FormTalk {
        var talk = try FormTalk.sample("water_point")
        talk.type(["n", "n1", "cove", "300", "", "spring", "", "no", ""] + lines)
        return talk
    }

    @Test func aCommandIsObeyedWhereYOrNIsAsked() throws {
        var talk = try water(":go point 1", ":drop")
        #expect(talk.prompt.hasPrefix("> Drop Water point 1 of 1"))
        #expect(talk.type("perhaps").first == "! y or n, please; Enter is n.")
        #expect(talk.type("-").first == "! y or n, please; Enter is n.")
        #expect(talk.type(":undo").first?.hasPrefix("i Taken back: Does it give water today?") == true)
        #expect(try talk.answer("point/label_text") == "WP-1")
        talk.type(":drop", ":quit")
        #expect(talk.left == .draft)
    }

    @Test func aCommandIsObeyedWhereAPointMayMeanTwo() throws {
        var talk = try FormTalk.form(yaml: "questions:\n  - geotrace t: Path\n  - text b: Name\n")
        talk.type("110 13.4")
        #expect(talk.prompt.hasSuffix("[y/n]"), "\(talk.prompt)")
        talk.type(":go b")
        #expect(talk.screen.last == "Name")
    }

    @Test func anotherInstanceIsReachedFromBehind() throws {
        var talk = try water("")
        #expect(talk.screen.last?.hasPrefix("N 0 of them give water") == true)
        #expect(talk.type("<").last == "> Add another Water point? (1 so far) y/N/list")
        #expect(talk.type("<").last == "> ")
        #expect(talk.screen.last == "Picture")
    }

    @Test func addNamesItsRepeats() throws {
        var talk = try water("")
        #expect(talk.type(":add").first == "! This question is in no repeat. :add point adds a Water point.")
        #expect(talk.type(":add puddle").first == "! No repeat is called 'puddle'. :add point adds a Water point.")
        #expect(talk.type(":add test").first?.hasPrefix("! Water test: not asked, because") == true)
        #expect(talk.type(":go point 2").first == "! There is no Water point 2: there is 1. :add point adds one.")
        #expect(talk.type(":add Water point").contains("Water point 2 of 2 – WP-2 ›"))
        #expect(talk.conversation.commands.contains(":add point") && !talk.conversation.commands.contains(":add test"))
    }

    @Test func dropAtAnEmptyPictureDropsNoInstance() throws {
        var talk = try water("<")
        #expect(talk.screen.last == "Picture")
        #expect(talk.type(":drop") == ["! There is no file to drop. To drop Water point 1: :drop point", "> "])
        #expect(talk.type(":drop point").last?.hasPrefix("> Drop Water point 1 of 1") == true)
        #expect(talk.type("", ":drop house").contains { $0.hasPrefix("! This question is in no 'house'.") })
    }

    @Test func aPictureIsNotTakenFromTheLastRecord() throws {
        var talk = try FormTalk.form(yaml: "questions:\n  - image p: Picture\n")
        #expect(talk.type(":same").first?.hasPrefix("i The last record's file is not taken over") == true)
    }

    @Test func noneLeavesAnOptionalQuestionOpen() throws {
        var talk = try FormTalk.form(
            yaml: """
                lists: {l: {a: A, b: B}}
                questions:
                  - select_multiple l many: Faults
                  - select_multiple l more: More
                    required: yes
                """)
        #expect(talk.type("none").contains("More  *"))
        #expect(talk.type("none").first == "! This question must be answered.")
    }

    @Test func anAcknowledgementSaysWhatEnterMeans() throws {
        let yaml = "questions:\n  - acknowledge a: Read out\n    required: yes\n  - text b: Name\n"
        var talk = try FormTalk.form(yaml: yaml)
        #expect(talk.screen.last == "Read out  *   (Enter gives OK, n leaves it open)")
        #expect(talk.type("n").prefix(2) == ["i Left open.", "Name"])
        #expect(talk.openCount == 1)
        talk.type("<", "")
        #expect(try talk.answer("a") == "OK")
        talk.type("<")
        #expect(talk.screen.last == "Read out  *")
    }

    @Test func aRemarkThatIsReplacedIsNamed() throws {
        var talk = try FormTalk.form(yaml: "questions:\n  - text a: Name\n")
        #expect(talk.type(":note one").first == "i Noted for the reviewer.")
        #expect(talk.type(":note two").first == "i Noted for the reviewer, in place of: one")
    }

    @Test func listsShowLabelsWithoutTheNumbersOfTheQuestion() throws {
        var talk = try FormTalk.form(
            yaml: """
                lists: {l: {a: Cleaning, b: Staff}}
                questions:
                  - repeat r: Finding
                    questions:
                      - select_one l about: About
                """)
        talk.type("1", "<")
        #expect(talk.prompt == "> [1 Cleaning]")
        let lines = talk.type(":all")
        #expect(lines.contains("Finding 1 of 1 – Cleaning ›") && lines.contains("1 About: Cleaning"), "\(lines)")
    }

    @Test func aRuleNamesTheLabelsOfItsQuestions() throws {
        var talk = try FormTalk.form(
            yaml: """
                questions:
                  - integer people: People
                  - integer houses: Houses
                    constraint: . <= ${people}
                """)
        talk.type("7")
        #expect(talk.type(":why").prefix(2) == ["allowed if: . <= ${people}", "  ${people} (People) is 7"])
    }
}
