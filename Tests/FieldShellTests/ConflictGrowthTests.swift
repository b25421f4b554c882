import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Testing
import WorkCount

@testable import FieldShell

/// Showing and deciding a conflict costs no more than in proportion to its values.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ConflictGrowthTests {
    /// A draft with so many values for its score.
    private static func contested(_ count: Int, here: Bool) async throws -> (Shell, RecordConflict) {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=80 --yes")
        let device = try #require(try shell.session.settings().device)
        let id = try #require(try shell.field.inspections.all().records.first?.id)
        let collection = shell.field.collection(of: .inspection)
        var body = try #require(try collection.document(id: id)?.body)
        body["conflicts"] = .array(
            (0..<count).map { number -> JSONValue in
                [
                    "field": "score", "value": .int(100 + number), "by": "ines",
                    "device": .string(here ? device : "other"),
                ]
            })
        try collection.save(bodies: [(id, body.bytes)])
        return (shell, try #require(try shell.field.conflicts.conflict(of: .inspection, id)))
    }

    @Test(arguments: [true, false]) func showingGrowsWithTheValues(here: Bool) async throws {
        let growth = try await Growth.of(100) { size in
            (size, try await Self.contested(size, here: here))
        } work: { size, contested in
            let (shell, conflict) = contested
            let sections = try ConflictText(conflict, session: shell.session).sections
            #expect(sections.map(\.lines.count) == [size + 1])
            _ = conflict.json
        }
        #expect(!growth.isSquare, "\(growth)")
    }

    /// Of many values that were typed here, none is known to be the last one; all others are theirs.
    @Test func decidingGrowsWithTheValues() async throws {
        let growth = try await Growth.of(100) { size in
            try await Self.contested(size, here: true)
        } work: { shell, conflict in
            let choice = try ConflictText(conflict, session: shell.session).choice
            let field = try #require(conflict.fields.first)
            #expect(throws: UsageError.self) { try choice.value("mine", of: field) }
            _ = try? choice.value("theirs", of: field)
        }
        #expect(!growth.isSquare, "\(growth)")
    }
}
