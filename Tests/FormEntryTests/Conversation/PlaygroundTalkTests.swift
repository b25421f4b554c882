import DocumentValues
import FormLogic
import Testing

@testable import FormEntry

/// The conversation about a playground: several choices, a rank, a trigger, pictures.
@Suite struct PlaygroundTalkTests {
    private func talk(_ lines: String...) throws -> FormTalk {
        var talk = try FormTalk.sample("playground")
        talk.files = ["/tmp/bolt.jpg": []]
        talk.type(["North Park", "", "sand"] + lines)
        return talk
    }

    @Test func aPictureIsAttached() throws {
        var talk = try talk("swing", "", "140", "1 3", "", "now")
        #expect(talk.screen.last == "Picture  *")
        #expect(talk.type("").first == "! A closed piece needs a picture.")
        #expect(talk.type("/tmp/none.jpg").first == "! There is no file '/tmp/none.jpg'.")
        talk.type("/tmp/bolt.jpg")
        #expect(talk.prompt == "> Add another Piece of equipment? (1 so far) y/N/list")
        #expect(try talk.answer("piece/repair/photo") == "/tmp/bolt.jpg")
        talk.type("<", ":open")
        #expect(talk.opened == ["/tmp/bolt.jpg"])
        talk.type(":drop")
        #expect(try talk.answer("piece/repair/photo") == "")
    }

    @Test func aRankIsAskedAboutTheChosenFaults() throws {
        var talk = try talk("swing", "", "140", "1 3 4")
        #expect(
            talk.screen.suffix(4) == ["In which order to repair?", "- 1 Loose bolt", "- 2 Rotten wood", "- 3 Rust"])
        talk.type("3 1 2")
        #expect(try talk.answer("piece/repair/order") == "rust bolt rot")
        // A fault that is taken back leaves the rank.
        let lines = talk.type(":go faults", "-4")
        #expect(lines.contains { $0.contains("'Rust' removed, it does not belong to the new Faults") }, "\(lines)")
        #expect(try talk.answer("piece/repair/order") == "bolt rot")
    }

    @Test func aTriggerIsNamed() throws {
        var talk = try talk(":go impression")
        let lines = talk.type("4")
        #expect(lines.contains { $0.hasPrefix("~ Time of leaving: 14:45") && $0.hasSuffix("(by a rule of the form)") })
        #expect(lines.contains("Time of leaving"))
        #expect(try talk.answer("left").hasPrefix("14:45"))
    }

    @Test func theScaleOfARangeIsShown() throws {
        var talk = try talk(":go impression")
        #expect(talk.screen.suffix(2) == ["Impression as a whole (1 bad, 5 good)  *", "  1 to 5"])
        #expect(talk.type("7").first?.hasPrefix("! ") == true)
    }
}
