import Foundation
import Testing

@testable import FieldRecords

/// The texts are complete both without and with a program's own advice.
@Suite struct AdvisedTextTests {
    private static func way(_ advice: Advice) -> String {
        switch advice {
        case .signIn: "open the menu"
        case .retry: "the button"
        default: "?"
        }
    }

    @Test(
        arguments: [
            ("Sign in\(with: .signIn, or: ".")", "Sign in.", "Sign in with: open the menu"),
            ("Send it\(bracketed: .retry), or ask.", "Send it, or ask.", "Send it (the button), or ask."),
            ("Look again\(colon: .retry, or: ".")", "Look again.", "Look again: the button"),
            ("If so, \(way: .retry, or: "sending it") helps.", "If so, sending it helps.", "If so, the button helps."),
            (
                "Größe\(bracketed: .retry) und \(way: .signIn, or: "das")", "Größe und das",
                "Größe (the button) und open the menu"
            ),
            ("nothing to do", "nothing to do", "nothing to do"),
        ] as [(AdvisedText, String, String)])
    func aProgramNamesItsOwnWays(text: AdvisedText, plain: String, named: String) {
        #expect(text.text == plain && "\(text)" == plain)
        #expect(text.naming(Self.way) == named)
    }

    @Test func partsKeepTheirWays() {
        let part: AdvisedText = "é, sign in\(bracketed: .signIn)"
        let whole: AdvisedText = "ü\(part), then \(part)"
        #expect(whole.naming(Self.way) == "üé, sign in (open the menu), then é, sign in (open the menu)")
    }

    /// A laptop's notes last longer than a version, and may be damaged.
    @Test(arguments: [(0, -1), (-1, 0), (3, 3), (Int.max, 1), (1, Int.max), (Int.min, Int.min)])
    func whatDoesNotFitIsNamedNowhere(offset: Int, length: Int) throws {
        let json = #"[{"advice":{"retry":{}},"form":"bracketed","offset":\#(offset),"length":\#(length)}]"#
        let marks = try JSONDecoder().decode([AdvisedText.Mark].self, from: Data(json.utf8))
        #expect(AdvisedText(text: "four", marks: marks).naming(Self.way) == "four")
    }

    @Test func waysAreKeptWithTheirTexts() throws {
        let text: AdvisedText =
            "Move it\(bracketed: .edit(.district, value: "mill")), or \(way: .takeOthersOut, or: "so")."
        let kept = try JSONDecoder().decode([AdvisedText.Mark].self, from: try JSONEncoder().encode(text.marks))
        #expect(AdvisedText(text: text.text, marks: kept) == text)
    }

    /// The same text in two spellings is two texts.
    @Test func textsAreComparedByTheirBytes() {
        #expect(AdvisedText(stringLiteral: "ré") != AdvisedText(stringLiteral: "re\u{301}"))
    }
}
