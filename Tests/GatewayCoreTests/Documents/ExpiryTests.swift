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
}
