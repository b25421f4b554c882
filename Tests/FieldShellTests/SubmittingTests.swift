import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// An inspection is handed in.
@Suite struct SubmittingTests {
    @Test func submittingNamesWhatIsMissing() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("new inspection mill form=kitchen pests=yes --yes", "submit 1")
        #expect(
            try shell.withoutIDs(transcript).contains(
                """
                fieldbook (1 draft)> submit 1
                Not submitted yet. Still to answer: Fridge °C, Which.
                """))
        #expect(try shell.field.inspections.all().records.map(\.status) == [.draft])
    }

    /// Going back changes the questions.
    @Test func anAnswerThatIsNotAskedAnyMoreIsNamed() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new inspection mill form=kitchen fridge=4 pests=yes which=mice --yes", "edit 1 pests=no", "show 1",
            "edit 1 which=moths", "submit 1")
        #expect(transcript.contains("Which (not asked any more)  mice"))
        #expect(transcript.contains("which is not asked after the other answers; its answer can be taken away only"))
        #expect(
            try shell.withoutIDs(transcript).replacing("\n", with: " ").contains(
                "Submitted ID, Old mill, 2026-03-04 routine, without the answers that are not asked any more: Which: mice. "
            ))
        #expect(try shell.field.inspections.all().records.map { $0.answers["which"] } == [nil])
    }

    @Test func aDraftOfSomebodyElseIsNotHandedInByASlip() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill inspector=mara --yes")
        try shell.signIn("tomas")
        let left = try await shell.type("list", "submit 1", "n")
        #expect(left.contains("The inspection is mara's. Submit it all the same? y or n"), "\(left)")
        let unchanged = try await shell.type("list", "edit 1", "n")
        #expect(unchanged.contains("mara's. Change it all the same? y or n"), "\(unchanged)")
        #expect(unchanged.contains("Nothing was changed."), "\(unchanged)")
        #expect(try shell.field.inspections.all().records.map(\.status) == [.draft])
        #expect(try await shell.type("list", "submit 1", "y").contains("Submitted"))
    }
}
