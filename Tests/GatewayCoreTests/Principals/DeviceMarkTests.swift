import DocumentValues
@testable import GatewayCore
import Testing

/// By which a client is known again.
@Suite struct DeviceMarkTests {
    private static let secret = [UInt8](repeating: 7, count: 32)

    @Test func aMarkIsForOneNameOfOneDatabase() {
        let mark = DeviceMark(for: "ann", secret: Self.secret)
        #expect(DeviceMark(reading: mark.text, of: "ann", secret: Self.secret) == mark)
        #expect(DeviceMark(reading: mark.text, of: "bob", secret: Self.secret) == nil)
        #expect(DeviceMark(reading: mark.text, of: "ann", secret: [1, 2, 3]) == nil)
        #expect(DeviceMark(for: "ann", secret: Self.secret).identifier != mark.identifier)
    }

    /// `é` in its two forms is two names.
    @Test func namesAreBytes() {
        let mark = DeviceMark(for: "\u{E9}", secret: Self.secret)
        #expect(DeviceMark(reading: mark.text, of: "e\u{301}", secret: Self.secret) == nil)
    }

    @Test func whatIsNoMarkIsNone() {
        let mark = DeviceMark(for: "ann", secret: Self.secret)
        let text = mark.text
        let invented = String(repeating: "0", count: 32) + text.dropFirst(mark.identifier.utf8.count)
        let others: [String] = [
            "", ".", mark.identifier, "\(mark.identifier).", String(text.dropLast()), "\(text)0", "\(text).",
            "0\(text)",
            invented,
        ]
        for text in others { #expect(DeviceMark(reading: text, of: "ann", secret: Self.secret) == nil, "\(text)") }
    }
}
