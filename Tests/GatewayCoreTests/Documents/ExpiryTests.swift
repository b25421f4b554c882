import DocumentValues
import Logging
import Testing

@testable import GatewayCore

@Suite struct ExpiryTests {
    /// The value may be as large as a document, and the reason would contain it three times.
    @Test(arguments: [
        JSONValue.string(String(repeating: "9", count: 1 << 20)), .string(String(repeating: "é", count: 1 << 20)),
    ])
    func aRefusalRepeatsTheBeginningOfATimeThatIsNone(value: JSONValue) {
        let error = #expect(throws: GatewayError.self) { try Expiry.time(value, now: 0) }
        #expect((error?.reason.utf8.count ?? .max) < 500)
    }

    @Test func aShortOneIsRepeatedWhole() {
        let error = #expect(throws: GatewayError.self) { try Expiry.time(.string("soon"), now: 0) }
        #expect(error?.reason.contains("parse expiry soon as") == true)
    }

    /// One that cannot expire is tried again in the next round, which does not come sooner for it.
    @Test func aDamagedDocumentKeepsNoOtherFromItsEnd() async throws {
        try await TestDatabase.run { test in
            for id in ["a", "damaged", "z"] { try await test.put(id, ["_exp": 10]) }
            try await test.store.makeUnreadable(.tree(ofDocument: "damaged"))
            test.pass(seconds: 20)
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let pause = await DatabaseMaintenance(registry: test.opened, logger: logger).round()
            #expect(pause == GatewayLimits.maintenanceInterval)
            for id in ["a", "z"] { #expect(try await test.body(id) == "404") }
        }
    }

    @Test(.timeLimit(.minutes(1))) func moreThanAPageOfThemKeepNoOtherFromItsEnd() async throws {
        try await TestDatabase.run { test in
            try await test.put("z", ["_exp": 15])
            let expires = test.now + 10
            // No revision can follow the last generation, so no tombstone either.
            try await test.database.store.write { transaction in
                for number in 0...GatewayLimits.expiryBatch {
                    let sequence = try await transaction.nextSequence()
                    let row = DocumentRow.test(.test(.max), at: sequence, expires: expires)
                    try await transaction.documents.insert(row, id: "d\(number)", in: 1)
                }
            }
            test.pass(seconds: 20)
            let round = await test.database.maintenance.keepHouse()
            #expect(round.failures.map(\.step) == ["expiry of documents"])
            #expect(try await test.body("z") == "404")
        }
    }
}
