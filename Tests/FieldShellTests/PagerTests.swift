import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell
@testable import FieldSync

/// Pages of a screen.
@Suite struct PagerTests {
    private func dialogue(_ lines: String..., height: Int?) -> ScriptedDialogue {
        let dialogue = ScriptedDialogue(lines: lines)
        dialogue.screenHeight = height
        return dialogue
    }

    private static let numbers = Portions((1...10).map(String.init))

    @Test func whatFitsIsShownAtOnce() throws {
        for (height, isWhole) in [(11, false), (nil, false), (4, true)] as [(Int?, Bool)] {
            let dialogue = dialogue(height: height)
            #expect(try Pager().show(Self.numbers, on: dialogue, isWhole: isWhole) == nil)
            #expect(dialogue.transcript == Self.numbers.first.joined(separator: "\n") + "\n")
        }
    }

    @Test func pagesAreTurnedByEnter() throws {
        let dialogue = dialogue("", "", "", height: 5)
        let pager = Pager()
        #expect(try pager.show(Self.numbers, on: dialogue) == nil)
        #expect(
            dialogue.transcript == """
                1
                2
                3
                4
                Enter: more (6), q Enter: stop: 
                5
                6
                7
                8
                Enter: more (2), q Enter: stop: 
                9
                10

                """)
    }

    @Test func whatWasNotShownIsShownByMore() throws {
        let dialogue = dialogue("q", "show 3", height: 5)
        let pager = Pager()
        #expect(try pager.show(Self.numbers, on: dialogue) == nil)
        #expect(try pager.more(on: dialogue) == "show 3")
        #expect(dialogue.transcript.contains("\n8\n") && !dialogue.transcript.contains("\n9\n"))
        dialogue.screenHeight = 24
        #expect(try pager.more(on: dialogue) == nil)
        #expect(dialogue.transcript.hasSuffix("9\n10\n"))
        #expect(try pager.more(on: dialogue) == nil)
        #expect(dialogue.transcript.hasSuffix("There is nothing more to show.\n"))
    }

    @Test(arguments: [1, 2, 3, 24]) func everyLineIsShownOnce(height: Int) throws {
        let dialogue = ScriptedDialogue(lines: Array(repeating: "", count: 60))
        dialogue.screenHeight = height
        _ = try Pager().show(Portions((1...50).map { "line \($0)." }), on: dialogue)
        for number in 1...50 {
            #expect(dialogue.transcript.components(separatedBy: "line \(number).\n").count == 2)
        }
    }

    @Test func theHelpFitsItsPagesAtAnyWidth() async throws {
        let shell = try Shell()
        for width in [40, 80] {
            var transcript = ""
            for topic in ["help", "help sync", "help photo", "help outbox"] {
                transcript += try await shell.type("\(topic)", width: width)
            }
            let lines = transcript.split(separator: "\n").filter { !$0.hasPrefix("fieldbook>") }
            #expect(lines.allSatisfy { $0.count <= width }, "\(lines.filter { $0.count > width })")
        }
    }

    @Test func aLineTypedAtAPageIsACommand() async throws {
        let shell = try Shell()
        let dialogue = ScriptedDialogue(lines: ["help", "sites mill"])
        dialogue.screenHeight = 10
        shell.use(dialogue)
        _ = await ShellLoop(shell.session) { [session = shell.session] in
            TextRenderer(width: 80, numbersRows: true, clock: session.environment.clock)
        }.run()
        #expect(dialogue.transcript.contains("Old mill"))
    }
}
