extension AnswerRefusal {
    private static let days = "2026-03-04, 4.3.26, 4 Mar, today, -2 or mon"

    static func noDay(_ text: String) -> AnswerRefusal {
        AnswerRefusal("must be a day, not \(quoted(text))", hint: "Such as \(days)")
    }

    static func noSuchDay(_ text: String) -> AnswerRefusal {
        AnswerRefusal("no calendar has the day \(quoted(text))", hint: "Such as \(days)")
    }

    static func otherWeekday(_ date: String, weekday: String) -> AnswerRefusal {
        AnswerRefusal("\(date) is a \(weekday)", hint: "Type the date without the day of the week, or the right one")
    }

    static let yearOutside = AnswerRefusal("the year must be from 1 to 9999")

    static func noMonth(_ text: String) -> AnswerRefusal {
        AnswerRefusal("must be a month, not \(quoted(text))", hint: "Such as 2026-03, 3/2026, March or -1")
    }

    static func noYear(_ text: String) -> AnswerRefusal {
        AnswerRefusal("must be a year, not \(quoted(text))", hint: "Such as 2026, 26 or -1")
    }

    static func noTime(_ text: String) -> AnswerRefusal {
        AnswerRefusal("must be a time, not \(quoted(text))", hint: "Such as 13:45, 1345, 1:45 pm, 9 or now")
    }

    static func noDateTime(_ text: String) -> AnswerRefusal {
        AnswerRefusal(
            "must be a day with a time, not \(quoted(text))", hint: "Such as 2026-03-04 13:45, today 9:00, now or -2h")
    }

    static func timeMissing(_ text: String) -> AnswerRefusal {
        AnswerRefusal("\(quoted(text)) has no time", hint: "Type one behind the day: 13:45")
    }

    static func dayMissing(_ text: String) -> AnswerRefusal {
        AnswerRefusal("\(quoted(text)) has no day", hint: "Type one before the time: today 13:45")
    }
}
