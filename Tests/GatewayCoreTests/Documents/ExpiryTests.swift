import DocumentValues
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
}
