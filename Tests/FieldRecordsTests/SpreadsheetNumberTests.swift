import Testing

@testable import FieldRecords

/// The forms that spreadsheets give to texts that look like numbers.
@Suite struct SpreadsheetNumberTests {
    @Test(arguments: [
        ("14153625925", "+14153625925"), ("1.41536E+10", "+14153625925"), ("1,41536E+10", "+14153625925"),
        ("1.4E+10", "14153625925"), ("1E+10", "14153625925"), ("123", "00123"), ("0", "000"),
        ("1234567890123460", "1234567890123456"), ("1234567890123450", "1234567890123456"),
        ("1.235E+15", "1234567890123456"),
        ("2E+03", "1999"), ("5", "5"),
    ])
    func formsAreKnown(cell: String, text: String) { #expect(SpreadsheetNumber.isForm(cell, of: text)) }

    @Test(arguments: [
        ("1.41537E+10", "+14153625925"), ("1.41536E+11", "+14153625925"), ("14153625926", "+14153625925"),
        ("+1", "01"), ("01", "001"), ("", ""), ("", "0"), ("1", ""), ("1E+10", "ten"), ("12", "1 2"), ("1.5", "1"),
        ("1E+999", "1"), ("1E-3", "1"), ("١", "1"), ("1E+00", "9"), ("1E+01", "99"),
    ])
    func otherTextsAreOthers(cell: String, text: String) { #expect(!SpreadsheetNumber.isForm(cell, of: text)) }

    @Test func lostDigitsAreSeen() {
        for cell in ["1.41536E+10", "1E+5", "9,9e+12"] { #expect(SpreadsheetNumber.isShortened(cell), "\(cell)") }
        for cell in ["", "1E5", "E+10", "12E+10", "1.E+10", "x1E+10", "1E+10 "] {
            #expect(!SpreadsheetNumber.isShortened(cell), "\(cell)")
        }
    }
}
