import Testing

@testable import DocumentValues

/// Numbers that are read from their digits, without a text between.
@Suite struct DecimalDigitsTests {
    private static func digits<Magnitude: FixedWidthInteger & UnsignedInteger>(
        _ text: String, as type: Magnitude.Type
    ) -> DecimalDigits<Magnitude> {
        Array(text.utf8).withUnsafeBufferPointer { DecimalDigits<Magnitude>($0) }
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("12", 12), ("-12", -12), ("1.0", 1), ("-3.00", -3), ("1.5", nil), ("1.50", nil),
            ("100e-2", 1), ("150e-1", 15), ("10e-2", nil), ("1E+2", 100), ("0.001e3", 1), ("0.0", 0),
            ("0e99999999999999999999", 0), ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil),
            ("1e18", 1_000_000_000_000_000_000), ("1e19", nil), ("9223372036854775807", Int64.max),
            ("-9223372036854775807", -Int64.max), ("9223372036854775808", nil),
            // The lowest of all is read by way of its text.
            ("-9223372036854775808", nil), ("18446744073709551616", nil), ("10000000000000000000000", nil),
            ("10000000000000000000000e-22", 1), ("1000000000000000000000e-21", 1),
            ("1.0000000000000000000000000", 1), ("0.1000000000000000000000000e1", 1),
            ("1.00000000000000000000000001", nil),
        ] as [(String, Int64?)])
    func wholeNumbers(text: String, value: Int64?) {
        let read = Self.digits(text, as: UInt64.self)
        // Where it cannot say it says nothing, and never another number.
        if let found = read.int64 {
            #expect(found == value, "\(text)")
        } else if let value {
            #expect(value.magnitude > 1 << 62, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("18446744073709551616", 1 << 64), ("-18446744073709551616", 1 << 64),
            ("340282366920938463463374607431768211455", .max), ("340282366920938463463374607431768211456", nil),
            ("1e38", 100_000_000_000_000_000_000_000_000_000_000_000_000), ("1e39", nil), ("0.5", nil),
        ] as [(String, UInt128?)])
    func largeMagnitudes(text: String, magnitude: UInt128?) {
        let read = Self.digits(text, as: UInt128.self)
        #expect(read.whole == magnitude && read.isNegative == text.hasPrefix("-"))
    }

    /// One operation between two exact numbers is rounded once, as the nearest one is.
    @Test(arguments: [
        "0.1", "-0.1", "123.456", "1e22", "-0.0", "0", "9007199254740992", "4.35", "1e-22", "0.000001", "12345678e-5",
        "9007199254740991e22", "1e23", "1e-23", "9007199254740993", "5e-324", "1.7976931348623157e308",
        "0.30000000000000004",
    ])
    func aDoubleIsTheNearestOrNone(text: String) throws {
        guard let found = Self.digits(text, as: UInt64.self).double else { return }
        let nearest = try #require(Double(text))
        #expect(found == nearest && found.sign == nearest.sign)
    }

    @Test func mostNumbersAreReadWithoutTheirText() {
        for text in ["0.1", "123.456", "1e22", "4.35", "9007199254740992"] {
            #expect(Self.digits(text, as: UInt64.self).double != nil, "\(text)")
        }
        for text in ["1e23", "9007199254740993", "5e-324"] {
            #expect(Self.digits(text, as: UInt64.self).double == nil, "\(text)")
        }
    }
}
