import DocumentValues
@testable import GatewayCore
import Testing

/// The mark by which a client is recognized.
@Suite struct DeviceMarkTests {
    private static let secret = [UInt8](repeating: 7, count: 32)

    @Test func aMarkIsForOneNameAndPasswordOfOneDatabase() {
        let mark = DeviceMark(for: "ann", password: "hash", secret: Self.secret)
        #expect(DeviceMark(reading: mark.text, of: "ann", password: "hash", secret: Self.secret) == mark)
        #expect(DeviceMark(reading: mark.text, of: "bob", password: "hash", secret: Self.secret) == nil)
        #expect(DeviceMark(reading: mark.text, of: "ann", password: "hash", secret: [1, 2, 3]) == nil)
        #expect(DeviceMark(for: "ann", password: "hash", secret: Self.secret).identifier != mark.identifier)
    }

    /// A user who has collected marks with a known password gets only a few counts for guessing the next one.
    @Test func withANewPasswordDevicesShareAFewCounts() throws {
        let marks = (0..<100).map { _ in DeviceMark(for: "ann", password: "hash", secret: Self.secret) }
        let later = try marks.map { mark in
            try #require(DeviceMark(reading: mark.text, of: "ann", password: "new", secret: Self.secret))
        }
        #expect(marks.allSatisfy(\.isOfPresentPassword) && later.allSatisfy { !$0.isOfPresentPassword })
        #expect(Set(marks.map(\.account)).count == 100 && Set(later.map(\.account)).count <= 16)
        #expect(Set(marks.map(\.account)).isDisjoint(with: later.map(\.account)))
        #expect(later.map(\.identifier) == marks.map(\.identifier) && later.map(\.text) == marks.map(\.text))
        #expect(DeviceMark(reading: marks[0].text, of: "bob", password: "new", secret: Self.secret) == nil)
    }

    /// `é` in its two forms is two names.
    @Test func namesAreBytes() {
        let mark = DeviceMark(for: "\u{E9}", password: "hash", secret: Self.secret)
        #expect(DeviceMark(reading: mark.text, of: "e\u{301}", password: "hash", secret: Self.secret) == nil)
    }

    @Test func whatIsNoMarkIsNone() {
        let mark = DeviceMark(for: "ann", password: "hash", secret: Self.secret)
        let text = mark.text
        let invented = String(repeating: "0", count: 32) + text.dropFirst(mark.identifier.utf8.count)
        let others: [String] = [
            "", ".", mark.identifier, "\(mark.identifier).", String(text.dropLast()), "\(text)0", "\(text).",
            "0\(text)",
            invented,
        ]
        for text in others {
            #expect(DeviceMark(reading: text, of: "ann", password: "hash", secret: Self.secret) == nil, "\(text)")
        }
    }
}
