import DocumentValues
import FormLogic
import Testing

@testable import FormEntry

/// The conversation about a village and its water points: repeats, also inside each other, and choices that depend on others.
@Suite struct WaterTalkTests {
    private static let village = ["n", "n1", "cove", "300"]

    private func talk(_ lines: String...) throws -> FormTalk {
        var talk = try FormTalk.sample("water_point")
        talk.type(Self.village + lines)
        return talk
    }

    @Test func aRepeatHasATitleAndAsksForAnother() throws {
        var talk = try talk()
        #expect(talk.screen.suffix(2) == ["Water point 1 of 1 – WP-1 ›", "Painted number or name  *"])
        #expect(talk.prompt == "> [WP-1]")
        talk.type("", "spring", "", "no", "")
        #expect(talk.prompt == "> Add another Water point? (1 so far) y/N/list")
        #expect(
            talk.type("list").prefix(2) == ["Water point 1 of 1 – WP-1", "i To go to one: :go point 1"])
        talk.type("y")
        #expect(talk.screen.suffix(2) == ["Water point 2 of 2 – WP-2 ›", "Painted number or name  *"])
        talk.type("Well 2", "well", "52.5 13.4 30 5", "12", "no", "")
        #expect(talk.prompt == "> Add another Water point? (2 so far) y/N/list")
        talk.type("maybe")
        #expect(talk.screen.last == "! y adds one, Enter goes on, list shows them.")
        talk.type("")
        #expect(talk.screen.last?.hasPrefix("N 0 of them give water") == true)
        talk.type("")
        // The answers to a question in the repeat are the choices.
        #expect(talk.screen.suffix(3) == ["Which needs repair first?", "- 1 WP-1", "- 2 Well 2"])
        talk.type("2")
        #expect(try talk.answer("worst") == "Well 2")
    }

    @Test func instancesAreAddedDroppedAndReached() throws {
        var talk = try talk("", "spring", "", "no", "", "y", "B", ":add", "C")
        #expect(
            try ["point[1]", "point[2]", "point[3]"].map { try talk.answer($0 + "/label_text") } == ["WP-1", "B", "C"])
        #expect(talk.type(":go point 2").contains("Water point 2 of 3 – B ›"))
        #expect(talk.type(":go point 9").first == "! There is no Water point 9: there are 3. :add point adds one.")
        #expect(talk.type(":drop").last == "> Drop Water point 2 of 3 – B with 1 answer? y/N")
        #expect(talk.type("").last == "> [B]")
        let before = talk.answers
        #expect(talk.type(":drop", "y").contains("i Dropped: Water point 2 of 3 – B. :undo brings it back."))
        #expect(try ["point[1]", "point[2]"].map { try talk.answer($0 + "/label_text") } == ["WP-1", "C"])
        #expect(talk.type(":undo").contains("i The instance is back with its answers."))
        #expect(talk.answers == before)
    }

    @Test func instancesByACountAreNeitherAddedNorDropped() throws {
        var talk = try talk("", "well", "", "", "yes", "")
        #expect(talk.screen.contains("Water point 1 of 1 – WP-1 › Water test 1 of 2 ›"))
        let counted = "! How many of Water test there are follows from other answers."
        // The way to the repeat around it is named.
        #expect(talk.type(":add").first == "\(counted) :add point adds a Water point.")
        #expect(talk.type(":drop").first == "\(counted) To drop Water point 1: :drop point")
        #expect(talk.type(":drop point").last?.hasPrefix("> Drop Water point 1 of 1") == true)
        #expect(talk.type("", ":add point").contains("Water point 2 of 2 – WP-2 ›"))
    }

    @Test func surplusInstancesAreAskedAbout() throws {
        var talk = try talk("", "well", "", "", "yes", "", "7", "3", "7.2", "4")
        // A spring has one test only.
        talk.type(":go source", "spring")
        #expect(talk.type(":go test 2").contains("Water point 1 of 1 – WP-1 › Water test 2 of 2 (beyond the count) ›"))
        #expect(talk.type(":done").last == "> 1 instance is beyond the count. Drop it? y/N")
        talk.type("y")
        #expect(talk.left == .finalised)
        #expect(talk.conversation.state.surplus.isEmpty)
    }

    @Test func surplusInstancesMayStay() throws {
        var talk = try talk("", "well", "", "", "yes", "", "7", "3", "7.2", "4", ":go source", "spring", ":done", "n")
        #expect(talk.left == .finalised)
        #expect(talk.conversation.state.surplus.count == 1)
        #expect(talk.send(.ended) == [talk.prompt])
    }

    @Test func choicesThatAreFilteredAwayAreNamed() throws {
        var talk = try talk(":go region")
        let before = talk.answers
        let lines = talk.type("South")
        #expect(lines.contains("~ District: 'Alder' cleared, it does not belong to the new Region"), "\(lines)")
        #expect(lines.contains("~ Village: 'Cove' cleared, it does not belong to the new Region"), "\(lines)")
        #expect(try talk.answer("village") == "")
        #expect(talk.type(":undo").contains("i District: Alder"))
        #expect(talk.answers == before)
    }

    @Test func theThirdRefusalShowsTheRuleWithItsValues() throws {
        var talk = try FormTalk.sample("water_point")
        talk.type("n", "n1", "cove")
        #expect(talk.type("1400") == ["! More households than the 1300 people", "> "])
        talk.type("1400")
        #expect(talk.type("1400").contains("i rule: . > 0 and . <= 1300, yours: 1400"))
        #expect(talk.type(":why").prefix(2) == ["allowed if: . > 0 and . <= ${people}", "  ${people} is 1300"])
        #expect(try talk.answer("households") == "")
    }

    @Test func aReasonIsGivenForWhatIsNotAsked() throws {
        var talk = try talk()
        #expect(
            talk.type(":go depth").first
                == "! Depth (m): not asked, because ${source} = 'borehole' or ${source} = 'well' is false")
        #expect(talk.type(":go ph").first == "! pH: not asked, because ${works} = 'yes' is false")
    }

    @Test func failuresHaveTheirInstances() throws {
        var talk = try talk("", "spring", "", "no", "", "y", "B", ":done")
        #expect(talk.screen.contains("Water point 2 › Kind: This question must be answered.  :go 11"), "\(talk.screen)")
        #expect(talk.type(":go 11").contains("Kind  *"))
    }
}
