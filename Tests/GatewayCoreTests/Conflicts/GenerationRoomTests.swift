import DocumentValues
import SyncProtocol
import Testing

@testable import GatewayCore

/// A client chooses the generation of a revision that it pushes. After none of them is a document closed to later writes.
@Suite(.timeLimit(.minutes(1))) struct GenerationRoomTests {
    private static let limit = RevisionLimits.generation
    private static let step = RevisionLimits.generationStep

    @Test(arguments: [UInt32.max, UInt32.max - 1, RevisionLimits.generation + 1] as [UInt32], [false, true])
    func aRevisionThatTakesTheRoomIsRefused(generation: UInt32, allowsConflicts: Bool) async throws {
        try await TestDatabase.run(["allow_conflicts": .bool(allowsConflicts)]) { test in
            let high = "\(generation)-aa"
            for isDeleted in [false, true] {
                let error = await #expect(throws: GatewayError.self) {
                    try await test.push("d", high, [], isDeleted: isDeleted)
                }
                #expect(error?.status == 400 && error?.reason.contains("\(high) leaves no room") == true)
            }
            let first = try await test.put("d", ["n": 1]).revision.description
            let error = await #expect(throws: GatewayError.self) { try await test.push("d", high, [first]) }
            #expect(error?.reason.contains("up to \(Self.limit)") == true)
            try await test.put("d", ["n": 2])
            #expect(try await test.body("d") == #"{"n":2}"#)
        }
    }

    @Test func aSessionGetsTheSameRefusal() async throws {
        try await TestDatabase.run { test in
            let backend = DatabaseSyncBackend(database: test.database, requester: .admin, version: .version3)
            let high = IncomingRevision.test("d", "\(UInt32.max)-aa", "{}")
            let refusal = GatewayError.noRoomAfter(high.revision, limit: Self.limit)
            let refused = try await backend.store([high], collection: 0)
            #expect(refused == [.refused(refusal.blipReply)])
            let low = IncomingRevision.test("d", "\(Self.limit)-aa", "{}")
            let stored = try await backend.store([low], collection: 0)
            #expect(stored == [.stored])
        }
    }

    /// Clients and users go on from the highest generation that a first revision may have.
    @Test func aboveTheLimitThereIsRoom() async throws {
        try await TestDatabase.run { test in
            try await test.push("d", "\(Self.limit)-aa")
            let edited = try await test.put("d", ["n": 1]).revision
            #expect(edited.treeRevision?.generation == Self.limit + 1)
            let last = Self.limit + 1 + Self.step
            await #expect(throws: GatewayError.self) {
                try await test.push("d", "\(last + 1)-bb", [edited.description])
            }
            try await test.push("d", "\(last)-bb", [edited.description])
            try await test.delete("d")
            #expect(try await test.body("d") == "404")
        }
    }

    /// It may have been stored before there was this rule. It can be read and purged.
    @Test func anEditOfTheLastGenerationIsRefused() async throws {
        try await TestDatabase.run { test in
            try await test.database.store.write { transaction in
                let row = DocumentRow.test(.test(.max), at: try await transaction.nextSequence())
                try await transaction.documents.insert(row, id: "d", in: 1)
            }
            let error = await #expect(throws: GatewayError.self) { try await test.put("d", ["n": 1]) }
            #expect(error?.status == 400 && error?.reason.contains("leaves no room") == true)
            #expect(try await test.body("d") == #"{"a":1}"#)
            _ = try await test.database.documents.purge(["d"], in: TestDatabase.collection)
            try await test.put("d", ["n": 1])
        }
    }
}
