import DocumentValues
import FormLogic
import Testing

@testable import FormEntry

/// Dates, times and both, as they are typed on Wednesday 2026-03-04 at 13:30:30.
@Suite struct MomentAnswerTests {
    @Test(arguments: [
        ("2026-03-04", "2026-03-04"), ("2026-3-4", "2026-03-04"), ("20260304", "2026-03-04"),
        ("2026/03/04", "2026-03-04"),
        ("2026.03.04", "2026-03-04"), ("4.3.26", "2026-03-04"), ("4.3.2026", "2026-03-04"),
        ("04.03.2026", "2026-03-04"),
        ("4. 3. 2026", "2026-03-04"), ("4.3.", "2026-03-04"), ("4.3", "2026-03-04"), ("4 Mar", "2026-03-04"),
        ("4 MAR 2026", "2026-03-04"), ("Mar 4", "2026-03-04"), ("March 4, 2026", "2026-03-04"),
        ("4th March", "2026-03-04"),
        ("the 4th of March", "2026-03-04"), ("4-Mar-2026", "2026-03-04"), ("4/mar/26", "2026-03-04"),
        ("4 mar. 26", "2026-03-04"),
        ("2026 March 4", "2026-03-04"), ("4 mars 2026", "2026-03-04"), ("1er mars 2026", "2026-03-01"),
        ("4. März 2026", "2026-03-04"), ("4 MÄRZ", "2026-03-04"), ("4 mrz", "2026-03-04"),
        ("4 Ma\u{308}rz", "2026-03-04"),
        ("4 de marzo de 2026", "2026-03-04"), ("4 août 2025", "2025-08-04"), ("4 aout 25", "2025-08-04"),
        ("3 Okt 25", "2025-10-03"),
        ("3 févr. 26", "2026-02-03"), ("3 juil 25", "2025-07-03"), ("5 mrt 2026", "2026-03-05"),
        ("5 dez 25", "2025-12-05"),
        ("today", "2026-03-04"), ("t", "2026-03-04"), ("T", "2026-03-04"), ("heute", "2026-03-04"),
        ("Aujourd’hui", "2026-03-04"),
        ("now", "2026-03-04"), ("yesterday", "2026-03-03"), ("gestern", "2026-03-03"), ("ayer", "2026-03-03"),
        ("tomorrow", "2026-03-05"), ("mañana", "2026-03-05"), ("-2", "2026-03-02"), ("+7", "2026-03-11"),
        ("-0", "2026-03-04"),
        ("−2", "2026-03-02"), ("-400", "2025-01-28"), ("mon", "2026-03-02"), ("Monday", "2026-03-02"),
        ("wed", "2026-03-04"),
        ("thu", "2026-02-26"), ("tu", "2026-03-03"), ("Montag", "2026-03-02"), ("Wed 4 March 2026", "2026-03-04"),
        ("Wed, 4 March", "2026-03-04"), ("Mi. 4. März", "2026-03-04"), ("wed 4/3/2026", "2026-03-04"),
        ("25/12", "2025-12-25"), ("12/25", "2025-12-25"), ("25.12.", "2025-12-25"), ("25/12/2024", "2024-12-25"),
        ("3/3", "2026-03-03"),
        ("12/25/2024", "2024-12-25"), ("1.1", "2026-01-01"), ("1 Sep", "2026-09-01"), ("4 Sep", "2025-09-04"),
        ("31 Aug", "2026-08-31"),
        ("29.2", "2028-02-29"), ("29.2.2024", "2024-02-29"), ("1.1.76", "1976-01-01"), ("1.1.75", "2075-01-01"),
        ("1.1.00", "2000-01-01"),
        ("٢٠٢٦-٠٣-٠٤", "2026-03-04"), ("4 3 2026", "? 4 March 2026 or 3 April 2026? 2026-03-04 | 2026-04-03"),
        ("12/3", "? 12 March or 3 December? 2026-03-12 | 2025-12-03"),
        ("3-4-2026", "? 3 April 2026 or 4 March 2026? 2026-04-03 | 2026-03-04"), ("0001-01-01", "0001-01-01"),
        ("9999-12-31", "9999-12-31"),
    ])
    func dates(typed: String, read: String) { #expect(TypedAnswer(.plain(.date)).read(typed) == read) }

    @Test(arguments: [
        ("30.2.2026", "! no calendar has the day '30.2.2026'"), ("29.2.2026", "! no calendar has the day '29.2.2026'"),
        ("2026-13-04", "! no calendar has the day '2026-13-04'"), ("31/4", "! no calendar has the day '31/4'"),
        ("13/13", "! no calendar has the day '13/13'"), ("0.1.2026", "! no calendar has the day '0.1.2026'"),
        ("20261301", "! no calendar has the day '20261301'"), ("0000-01-01", "! no calendar has the day '0000-01-01'"),
        ("Mon 4 March 2026", "! 4 March 2026 is a Wednesday"), ("4", "! must be a day, not '4'"),
        ("March", "! must be a day, not 'March'"),
        ("mar", "! must be a day, not 'mar'"), ("2026", "! must be a day, not '2026'"),
        ("2026-03", "! must be a day, not '2026-03'"), ("1 5", "! must be a day, not '1 5'"),
        ("4 jui 2026", "! must be a day, not '4 jui 2026'"), ("4 foo 2026", "! must be a day, not '4 foo 2026'"),
        ("4.3.2026 x", "! must be a day, not '4.3.2026 x'"), ("4.3.126", "! must be a day, not '4.3.126'"),
        ("1.2.3.4", "! must be a day, not '1.2.3.4'"), ("-", "! must be a day, not '-'"),
        ("--2", "! must be a day, not '--2'"),
        ("+9999999", "! must be a day, not '+9999999'"), ("-999999", "! the year must be from 1 to 9999"),
        ("2026年3月4日", "! must be a day, not '2026年3月4日'"),
    ])
    func noDates(typed: String, read: String) { #expect(TypedAnswer(.plain(.date)).read(typed) == read) }

    @Test(arguments: [
        ("fr", "mar", "2026-03-03"), ("fr", "mardi", "2026-03-03"), ("fr", "mar 4", "2026-03-04"),
        ("fr", "mar. 3 mars 2026", "2026-03-03"),
        ("fr-CA", "sam", "2026-02-28"), ("de", "so", "2026-03-01"), ("de", "do", "2026-02-26"),
        ("es", "mié", "2026-03-04"),
        ("es", "MIE", "2026-03-04"), ("xx", "fri", "2026-02-27"), ("fr", "3 jui", "! must be a day, not '3 jui'"),
        ("de", "4.3", "2026-03-04"),
    ])
    func namesOfTheLanguageGoFirst(language: String, typed: String, read: String) {
        var question = TypedAnswer(.plain(.date))
        question.context.language = Name(language)
        #expect(question.read(typed) == read)
    }

    @Test func theOrderOfDayAndMonthIsAskedOnce() throws {
        var question = TypedAnswer(.plain(.date))
        guard case .question(let clarification) = question.outcome("12/3") else {
            Issue.record("12/3 is not asked")
            return
        }
        #expect(clarification.keys == "[1/2]")
        guard case .meaning(let meaning) = clarification.reply("2") else {
            Issue.record("2 is no reply")
            return
        }
        #expect(meaning.answer == .date(try #require(CalendarMath.number(of: .init(year: 2025, month: 12, day: 3)))))
        #expect(meaning.remembered == .monthFirst)
        question.context.dayOrder = meaning.remembered
        #expect(question.read("3-4-2026") == "2026-03-04")
        #expect(question.read("25/12") == "2025-12-25")
        #expect(question.read("4.3.2026") == "2026-03-04")
        question.context.dayOrder = .dayFirst
        #expect(question.read("3-4-2026") == "2026-04-03")
    }

    @Test(arguments: [
        (". <= today()", "5.3", "2025-03-05"), (".<today() and . > '2000-01-01'", "5 mar", "2025-03-05"),
        ("today() >= .", "4.3", "2026-03-04"),
        (". > today()", "5.3", "2026-03-05"), ("", "5.3", "2026-03-05"), (". <= today()", "29.2", "2024-02-29"),
        (". <= today()", "12/3", "? 12 March or 3 December? 2025-03-12 | 2025-12-03"),
    ])
    func withoutAYearItIsTheNearestThatTheConstraintAllows(constraint: String, typed: String, read: String) {
        var question = TypedAnswer(.plain(.date))
        question.question.usualDays = AskedQuestion.UsualDays(constraint: constraint)
        #expect(question.read(typed) == read)
    }

    @Test(arguments: [
        ("2026-03", "2026-03-01"), ("3/2026", "2026-03-01"), ("03.2026", "2026-03-01"), ("3/26", "2026-03-01"),
        ("202603", "2026-03-01"),
        ("March 2026", "2026-03-01"), ("mar 26", "2026-03-01"), ("März", "2026-03-01"), ("11", "2025-11-01"),
        ("nov", "2025-11-01"),
        ("4.3.2026", "2026-03-01"), ("-1", "2026-02-01"), ("-3", "2025-12-01"), ("+10", "2027-01-01"),
        ("today", "2026-03-01"),
        ("12/3", "? March 2026 or December 2025? 2026-03-01 | 2025-12-01"),
        ("13/2026", "! must be a month, not '13/2026'"),
        ("13", "! must be a month, not '13'"), ("x", "! must be a month, not 'x'"),
        ("-99999", "! the year must be from 1 to 9999"),
    ])
    func months(typed: String, read: String) {
        #expect(TypedAnswer(.plain(.date), appearance: ["Month-Year"]).read(typed) == read)
    }

    @Test(arguments: [
        ("2026", "2026-01-01"), ("26", "2026-01-01"), ("76", "1976-01-01"), ("-1", "2025-01-01"),
        ("today", "2026-01-01"),
        ("March 2025", "2025-01-01"), ("4.3.2024", "2024-01-01"), ("126", "! must be a year, not '126'"),
        ("x", "! must be a year, not 'x'"),
    ])
    func years(typed: String, read: String) {
        #expect(TypedAnswer(.plain(.date), appearance: ["year"]).read(typed) == read)
    }

    @Test(arguments: [
        ("13:45", "13:45:00.000+01:00"), ("1345", "13:45:00.000+01:00"), ("945", "09:45:00.000+01:00"),
        ("1:45 pm", "13:45:00.000+01:00"),
        ("1:45PM", "13:45:00.000+01:00"), ("1.45 p.m.", "13:45:00.000+01:00"), ("9", "09:00:00.000+01:00"),
        ("09", "09:00:00.000+01:00"),
        ("9am", "09:00:00.000+01:00"), ("12 am", "00:00:00.000+01:00"), ("12 pm", "12:00:00.000+01:00"),
        ("13h45", "13:45:00.000+01:00"),
        ("13h", "13:00:00.000+01:00"), ("13.45", "13:45:00.000+01:00"), ("13.45 Uhr", "13:45:00.000+01:00"),
        ("0:00", "00:00:00.000+01:00"),
        ("23:59:59", "23:59:59.000+01:00"), ("134530", "13:45:30.000+01:00"), ("13:45:30.5", "13:45:30.500+01:00"),
        ("13:45:30,123456", "13:45:30.123+01:00"), ("now", "13:30:30.000+01:00"), ("jetzt", "13:30:30.000+01:00"),
        ("-30m", "13:00:30.000+01:00"), ("-2h", "11:30:30.000+01:00"), ("+15 min", "13:45:30.000+01:00"),
        ("13:45+02:00", "13:45:00.000+02:00"), ("13:45 (-03:30)", "13:45:00.000-03:30"),
        ("13:45Z", "13:45:00.000+00:00"),
        ("13:45:00.000+01:00", "13:45:00.000+01:00"), ("１３：４５", "13:45:00.000+01:00"),
        ("24:00", "! must be a time, not '24:00'"), ("13:60", "! must be a time, not '13:60'"),
        ("13:5", "! must be a time, not '13:5'"),
        ("13 pm", "! must be a time, not '13 pm'"), ("0 am", "! must be a time, not '0 am'"),
        ("noonish", "! must be a time, not 'noonish'"),
        ("13:45:", "! must be a time, not '13:45:'"), (":45", "! must be a time, not ':45'"),
        ("12345", "! must be a time, not '12345'"),
        ("13:45+25:00", "! must be a time, not '13:45+25:00'"), ("(", "! must be a time, not '('"),
        ("13:45 (", "! must be a time, not '13:45 ('"),
        ("pm", "! must be a time, not 'pm'"), ("z", "! must be a time, not 'z'"), ("+", "! must be a time, not '+'"),
    ])
    func times(typed: String, read: String) { #expect(TypedAnswer(.plain(.time)).read(typed) == read) }

    @Test(arguments: [
        ("2026-03-04 13:45", "2026-03-04T13:45:00.000+01:00"),
        ("2026-03-04T13:45:30.5", "2026-03-04T13:45:30.500+01:00"),
        ("2026-03-04T13:45+03:00", "2026-03-04T11:45:00.000+01:00"),
        ("2026-03-04T12:45:00Z", "2026-03-04T13:45:00.000+01:00"),
        ("4.3.26 1345", "2026-03-04T13:45:00.000+01:00"), ("4 Mar 1:45 pm", "2026-03-04T13:45:00.000+01:00"),
        ("today 9:00", "2026-03-04T09:00:00.000+01:00"),
        ("t 9", "2026-03-04T09:00:00.000+01:00"), ("-2 9:00", "2026-03-02T09:00:00.000+01:00"),
        ("mon 9:00", "2026-03-02T09:00:00.000+01:00"),
        ("yesterday 23h30", "2026-03-03T23:30:00.000+01:00"), ("now", "2026-03-04T13:30:30.000+01:00"),
        ("-2h", "2026-03-04T11:30:30.000+01:00"),
        ("-30m", "2026-03-04T13:00:30.000+01:00"), ("-1d", "2026-03-03T13:30:30.000+01:00"),
        ("Wed 4 March 2026 13:45 (+01:00)", "2026-03-04T13:45:00.000+01:00"),
        ("20260304 9:00", "2026-03-04T09:00:00.000+01:00"), ("20260304T0900", "2026-03-04T09:00:00.000+01:00"),
        (
            "12/3 13:45",
            "? 12 March or 3 December? 2026-03-12T13:45:00.000+01:00 | 2025-12-03T13:45:00.000+01:00"
        ),
        ("2026-03-04", "! '2026-03-04' has no time"), ("today", "! 'today' has no time"),
        ("13:45", "! '13:45' has no day"),
        ("x", "! must be a day with a time, not 'x'"),
        ("2026-03-04 25:00", "! must be a day with a time, not '2026-03-04 25:00'"),
        ("30.2.2026 9:00", "! no calendar has the day '30.2.2026'"), ("x 9:00", "! must be a day, not 'x'"),
    ])
    func dateTimes(typed: String, read: String) { #expect(TypedAnswer(.plain(.dateTime)).read(typed) == read) }

    @Test(arguments: [
        ("en", "4.3.2026", [], "Wed 4 March 2026"), ("de", "4.3.2026", [], "Mi 4. März 2026"),
        ("fr", "1.8.2025", [], "ven 1 août 2025"),
        ("es", "4.3.2026", [], "mié 4 marzo 2026"), ("pt-BR", "7.3.2026", [], "sáb 7 março 2026"),
        ("it", "3.3.2026", [], "mar 3 marzo 2026"),
        ("nl", "3.3.2026", [], "di 3 maart 2026"), ("sw", "4.3.2026", [], "Wed 4 March 2026"),
        ("en", "0926-03-04", [], "Mon 4 March 0926"),
        ("en", "4.3.2026", ["month-year"], "March 2026"), ("de", "4.3.2026", ["month-year"], "März 2026"),
        ("en", "4.3.2026", ["year"], "2026"),
    ])
    func datesAreShownAndReadAgain(language: String, typed: String, appearance: [String], shown: String) {
        var question = TypedAnswer(.plain(.date), appearance: appearance)
        question.context.language = Name(language)
        #expect(question.shown(typed) == shown)
        #expect(question.read(shown) == question.read(typed))
    }

    @Test(arguments: [
        (QuestionType.PlainType.time, "13:45", "13:45 (+01:00)"), (.time, "13:45:30", "13:45:30 (+01:00)"),
        (.time, "13:45:30.5Z", "13:45:30.500 (+00:00)"),
        (.dateTime, "2026-03-04 13:45", "Wed 4 March 2026 13:45 (+01:00)"),
        (.dateTime, "2026-03-04T13:45:30-05:00", "Wed 4 March 2026 19:45:30 (+01:00)"),
    ])
    func timesAreShownAndReadAgain(type: QuestionType.PlainType, typed: String, shown: String) {
        let question = TypedAnswer(.plain(type))
        #expect(question.shown(typed) == shown)
        #expect(question.read(shown) == question.read(typed))
    }

    @Test(arguments: CalendarNames.all.map(\.code))
    func everyDayOfAYearIsReadAsItIsShown(language: Name) throws {
        var question = TypedAnswer(.plain(.date))
        question.context.language = language
        let start = try #require(CalendarMath.number(of: .init(year: 2024, month: 1, day: 1)))
        for day in start..<start + 366 {
            let shown = DayText(language).whole(day)
            #expect(question.read(shown) == MomentText.date(day), "\(shown)")
        }
    }
}
