import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// A folder in the session that has made it.
@Suite struct NewFolderTests {
    @Test func ownChangesAreNotNamedAsThoseOfOthers() async throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("made-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let environment = ShellEnvironment(
            variables: [:], now: { Timestamp(secondsSince1970: 1_772_619_307) },
            today: { CalendarDay(daysSince1970: 20_516) })
        let dialogue = ScriptedDialogue(lines: [
            "new site Mill district=hill --yes", "new inspection 1 score=4 --yes", "show 2", "edit 2 score=5",
            "submit 2",
        ])
        let session = ShellSession(
            folder: root.path, environment: environment, dialogue: dialogue, meter: NoProgressMeter())
        _ = try await CommandRunner(session).run(.initialize(usesKeyFile: true))
        let field = try session.field()
        _ = await ShellLoop(session) { TextRenderer(width: 200, numbersRows: true, clock: environment.clock) }.run()
        let inspections = try field.inspections.all().records
        #expect(inspections.map(\.score) == [5], "\(dialogue.transcript)")
        #expect(!dialogue.transcript.contains("since you looked at it"), "\(dialogue.transcript)")
        #expect(inspections.map(\.status) == [.submitted], "\(dialogue.transcript)")
        try session.close()
    }
}
