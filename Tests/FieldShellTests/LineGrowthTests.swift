import Testing
import WorkCount

@testable import FieldShell

/// Taking a line apart costs no more than in proportion to its letters: a line may be pasted, or come through a pipe.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LineGrowthTests {
    @Test(arguments: ["a", "\\a", "'a a'", "a "]) func tokensGrowWithTheirLetters(part: String) async throws {
        let growth = try await Growth.of(2_000) { size in
            String(repeating: part, count: size)
        } work: { line in
            _ = try LineText.split(line)
        }
        #expect(!growth.isSquare, "\(growth)")
    }
}
