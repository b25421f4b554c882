import DocumentValues
import FormLogic
import Testing

@testable import FormEntry

/// Integers, decimals and ranges as they are typed.
@Suite struct NumberAnswerTests {
    @Test(arguments: [
        ("12", "12"), ("-3", "-3"), ("+5", "5"), (" 7 ", "7"), ("0", "0"), ("-0", "0"), ("007", "7"), ("12.0", "12"),
        ("12,0", "12"), ("3.", "3"), ("1 250", "1250"), ("1'250", "1250"), ("1’250", "1250"), ("1,250", "1250"),
        ("1\u{A0}250\u{202F}000", "1250000"), ("1,250,000", "1250000"), ("1.250.000", "1250000"),
        ("999999999", "999999999"),
        ("-999 999 999", "-999999999"), ("−5", "-5"), ("١٢", "12"), ("४२", "42"), ("１２", "12"),
        ("1,000", "? 1 or 1000? 1 | 1000"), ("1.000", "? 1 or 1000? 1 | 1000"),
        ("1.250", "? Did you mean 1250? 1250"),
        ("1000000000", "! a whole number has at most 9 digits"),
        ("3.5", "! must be a whole number, not '3.5'"), ("3,5", "! must be a whole number, not '3,5'"),
        ("1 25", "! must be a whole number, not '1 25'"), ("12 kg", "! must be a whole number, not '12 kg'"),
        ("1e3", "! must be a whole number, not '1e3'"), ("0x10", "! must be a whole number, not '0x10'"),
        ("-", "! must be a whole number, not '-'"), ("--5", "! must be a whole number, not '--5'"),
        ("5-", "! must be a whole number, not '5-'"), ("1,2,3", "! must be a whole number, not '1,2,3'"),
        ("1'2", "! must be a whole number, not '1'2'"), ("two", "! must be a whole number, not 'two'"),
        ("", "kept"), ("  ", "kept"), ("\t", "kept"),
    ])
    func integers(typed: String, read: String) { #expect(TypedAnswer(.plain(.integer)).read(typed) == read) }

    @Test(arguments: [
        ("9,5", "9.5"), ("9.5", "9.5"), ("-3", "-3"), (".5", "0.5"), (",5", "0.5"), ("5.", "5"), ("9.50", "9.5"),
        ("1 250", "1250"), ("1 250,5", "1250.5"), ("1'250.5", "1250.5"), ("1.250,5", "1250.5"), ("1,250.5", "1250.5"),
        ("1.250", "1.25"), ("0,125", "0.125"), ("1,25", "1.25"), ("1,2500", "1.25"), ("1250,125", "1250.125"),
        ("1,250,000", "1250000"), ("1.250.000", "1250000"), ("1.250.000,25", "1250000.25"),
        ("12.345678901234", "12.345678901234"),
        ("1,250", "? 1.25 or 1250? 1.25 | 1250"), ("-1,250", "? -1.25 or -1250? -1.25 | -1250"),
        ("100,000", "? 100 or 100000? 100 | 100000"), ("٣٫٥", "3.5"), ("-0.0", "0"), ("000.5", "0.5"),
        ("123456789.123456", "! a number has at most 15 characters"),
        ("1234567890123456", "! a number has at most 15 characters"),
        ("1,25,000", "! must be a number, not '1,25,000'"), ("1..5", "! must be a number, not '1..5'"),
        ("1.5.", "! must be a number, not '1.5.'"), ("1.2.3", "! must be a number, not '1.2.3'"),
        ("1,5,", "! must be a number, not '1,5,'"), (".", "! must be a number, not '.'"),
        ("2+3", "! must be a number, not '2+3'"), ("NaN", "! must be a number, not 'NaN'"),
        ("inf", "! must be a number, not 'inf'"), ("1e5", "! must be a number, not '1e5'"),
        ("½", "! must be a number, not '½'"), ("5 °C", "! must be a number, not '5 °C'"),
    ])
    func decimals(typed: String, read: String) { #expect(TypedAnswer(.plain(.decimal)).read(typed) == read) }

    @Test(arguments: [
        (CommaUse.decimalMark, QuestionType.PlainType.decimal, "1.25"), (.thousands, .decimal, "1250"),
        (.decimalMark, .integer, "! must be a whole number, not '1,250'"), (.thousands, .integer, "1250"),
    ])
    func aKnownUseOfTheCommaIsNotAsked(comma: CommaUse, type: QuestionType.PlainType, read: String) {
        var typed = TypedAnswer(.plain(type))
        typed.context.comma = comma
        #expect(typed.read("1,250") == read)
    }

    @Test(arguments: [
        ("0", "10", "0.5", "5.3", "? 5.0 or 5.5? 5 | 5.5"), ("0", "10", "0.5", "5.5", "5.5"),
        ("0", "10", "0.5", "5,5", "5.5"),
        ("0", "1", "0.1", "0.3", "0.3"), ("0", "1", "0.1", "0.35", "? 0.3 or 0.4? 0.3 | 0.4"),
        ("1", "10", "1", "10", "10"),
        ("1", "10", "1", "0", "! must be from 1 to 10, not '0'"),
        ("1", "10", "1", "11", "! must be from 1 to 10, not '11'"),
        ("1", "10", "1", "2.5", "? 2 or 3? 2 | 3"), ("10", "0", "2", "4", "4"),
        ("10", "0", "2", "5", "? 4 or 6? 4 | 6"),
        ("10", "0", "2", "0", "0"), ("-5", "5", "5", "-5", "-5"), ("-5", "5", "5", "1", "? 0 or 5? 0 | 5"),
        ("0", "10", "3", "9", "9"), ("0", "10", "3", "10", "! must be from 0 to 9, not '10'"),
        ("0", "10", "1", "1,000", "1"),
        ("0", "2000", "250", "1,250", "1250"), ("1", "10", "1", "x", "! must be a number, not 'x'"),
        ("x", "y", "0", "7", "7"), ("0", "10", "-2", "4", "4"),
    ])
    func ranges(start: String, end: String, step: String, typed: String, read: String) {
        let parameters = [("Start", start), ("end", end), ("STEP", step)].map { NamedText(name: Name($0), text: $1) }
        #expect(TypedAnswer(.plain(.range), parameters: parameters).read(typed) == read)
    }

    @Test func aRangeWithoutParametersGoesFromOneToTen() {
        #expect(TypedAnswer(.plain(.range)).read("10") == "10")
        #expect(TypedAnswer(.plain(.range)).read("1.5") == "? 1 or 2? 1 | 2")
    }

    @Test(arguments: [("good", "5"), ("Very", "! must be a number, not 'Very'"), ("very bad", "1"), ("3", "3")])
    func theLabelOfATickIsItsNumber(typed: String, read: String) {
        let ticks = offered("1=Very bad", "5=Good", "10=Very good")
        #expect(TypedAnswer(.plain(.range), choices: ticks).read(typed) == read)
    }

    @Test(arguments: [
        (QuestionType.PlainType.integer, "1250000", ["thousands-sep"], "1 250 000"),
        (.integer, "-1250", ["thousands-sep"], "-1 250"),
        (.integer, "999", ["Thousands-Sep"], "999"), (.decimal, "1250.125", ["thousands-sep"], "1 250.125"),
        (.integer, "1250", [], "1250"), (.decimal, "0,5", [], "0.5"),
    ])
    func numbersAreShownAndReadAgain(type: QuestionType.PlainType, typed: String, appearance: [String], shown: String) {
        let question = TypedAnswer(.plain(type), appearance: appearance)
        #expect(question.shown(typed) == shown)
        #expect(question.read(shown) == question.read(typed))
    }

    @Test func aNumberOfARangeHasItsLabel() {
        let parameters = [NamedText(name: "step", text: "0.5")]
        let question = TypedAnswer(.plain(.range), choices: offered("5=Good"), parameters: parameters)
        #expect(question.shown("5") == "5.0 Good")
        #expect(question.shown("5.5") == "5.5")
    }
}
