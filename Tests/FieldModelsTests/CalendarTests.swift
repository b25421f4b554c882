import FieldModels
import Testing

@Suite struct CalendarTests {
    @Test(arguments: [
        ("2026-03-04", "2026-03-04"), ("20171211", "2017-12-11"), ("2024-02-29", "2024-02-29"),
        ("2000-02-29", "2000-02-29"), ("0001-01-01", "0001-01-01"),
    ])
    func readsBothSpellings(text: String, expected: String) throws {
        #expect(try #require(CalendarDay(text)).description == expected)
    }

    @Test(arguments: [
        "", "2026-3-4", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "20260431", "2026/03/04", "0000-01-01",
        "2026-03-04T", "２０２６0304",
    ])
    func refusesDaysThatNoCalendarHas(text: String) {
        #expect(CalendarDay(text) == nil)
    }

    @Test func countsEveryDayOfFourCenturies() throws {
        var day = try #require(CalendarDay("1799-12-31"))
        for number in day.daysSince1970...(day.daysSince1970 + 146_097) {
            #expect(day.daysSince1970 == number)
            let next = day.adding(days: 1)
            #expect(day < next)
            #expect(CalendarDay(next.description) == next)
            day = next
        }
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-03-04T10:15:07Z", 1_772_619_307), ("1969-12-31T23:59:59Z", -1),
        ("2000-02-29T23:59:59Z", 951_868_799),
    ])
    func momentsReadAndWrite(text: String, seconds: Int64) throws {
        let moment = try #require(Timestamp(text))
        #expect(moment.secondsSince1970 == seconds)
        #expect(moment.description == text)
    }

    @Test(arguments: ["2026-03-04", "2026-03-04T10:15:07", "2026-03-04 10:15:07Z", "2026-03-04T25:00:00Z", "x"])
    func refusesOtherMoments(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func aFractionIsPassedOver() {
        #expect(Timestamp("2026-03-04T10:15:07.123Z") == Timestamp("2026-03-04T10:15:07Z"))
        #expect(Timestamp("9999-12-31T23:59:60Z")?.description == "9999-12-31T23:59:59Z")
    }
}
