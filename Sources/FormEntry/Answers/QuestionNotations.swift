import DocumentValues
import FormLogic

/// What `?` says of the answers that a question takes.
package enum QuestionNotations {
    package static func lines(for question: AskedQuestion, in context: AnswerContext) -> [String] {
        switch question.type {
        case .select(let kind, _): select(kind, count: question.choices.choices.count)
        case .plain(let type): plain(type, question: question, context: context)
        }
    }

    private static func select(_ kind: QuestionType.SelectKind, count: Int) -> [String] {
        if count == 0 { return ["No choice is offered now; :why shows the rule."] }
        return switch kind {
        case .one: ["A number from 1 to \(count), or the name, the label or its beginning, in any case."]
        case .multiple:
            [
                "Numbers from 1 to \(count) or names: 1,3 or 2-4; all; none.",
                "+4 adds a choice to the answer, -1 takes one away.",
            ]
        case .rank:
            ["All numbers from 1 to \(count), the best first: 3 1 2. With fewer, the rest keeps its order behind."]
        }
    }

    private static func plain(
        _ type: QuestionType.PlainType, question: AskedQuestion, context: AnswerContext
    ) -> [String] {
        switch type {
        case .text: texts(question)
        case .integer: ["A whole number of at most \(EntryLimits.integerDigits) digits: 12, -3, 1 250."]
        case .decimal: ["A number: 12, -3, 9.5 or 9,5, 1 250."]
        case .range: range(question)
        case .date: dates(question, context: context)
        case .time: ["A time: 13:45, 1345, 1:45 pm, 9 for 09:00, now."]
        case .dateTime: ["A day and a time: 2026-03-04 13:45, today 9:00; now; -2h or -30m from now."]
        case .geopoint: positions
        case .geotrace: ["A position in each line, an empty line ends, < takes the last one back."] + files
        case .geoshape:
            ["A corner in each line, an empty line ends, < takes the last one back; it closes itself."] + files
        case .image, .audio, .video, .file: ["The path of a file, ~ for your folder; Tab completes it."]
        case .barcode: ["The code, typed or scanned."]
        case .acknowledge: ["y or Enter gives OK, n leaves it open."]
        case .note: ["There is nothing to answer: Enter goes on."]
        case .calculate, .hidden, .start, .end, .today, .deviceid, .username, .email, .phonenumber, .uriDeviceid,
            .uriUsername, .uriEmail, .uriPhonenumber, .subscriberid, .simserial, .startGeopoint, .backgroundGeopoint,
            .audit, .csvExternal, .xmlExternal:
            ["It is not answered by hand."]
        }
    }

    private static func texts(_ question: AskedQuestion) -> [String] {
        let lines =
            question.hasAppearance("numbers") ? ["A text of digits, -, +, points, commas and spaces."] : ["A text."]
        let isLong = question.hasAppearance("multiline") || question.parameters["rows"] != nil
        return isLong ? lines + ["A line with only . ends it; :edit opens your editor."] : lines
    }

    private static func range(_ question: AskedQuestion) -> [String] {
        let scale = RangeScale(question.parameters)
        let ends = [scale.value(at: 0), scale.value(at: scale.last)].sorted().map { scale.text($0) }
        let numbers = "A number from \(ends[0]) to \(ends[1])"
        return ["\(numbers) in steps of \(scale.text(scale.width))."]
            + question.choices.choices.indices.prefix(EntryLimits.markedChoices).map {
                "  \(question.choices.choices[$0].name.text.printableLine) \(question.choices.label($0).printableLine)"
            }
    }

    private static func dates(_ question: AskedQuestion, context: AnswerContext) -> [String] {
        if question.hasAppearance("year") { return ["A year: 2026, 26, -1 for the last one."] }
        if question.hasAppearance("month-year") { return ["A month: 2026-03, 3/2026, Mar, -1 for the last one."] }
        let names = CalendarNames.of(context.language)
        let (month, weekday) = (DayText(context.language).dayMonth(context.today), names.shortDays[0])
        return [
            "A day: 2026-03-04, 4.3.26, \(month), 25/12; without a year it is the nearest.",
            "t for today, yesterday, -2, +7; \(weekday) for the last \(names.days[0]).",
        ]
    }

    private static let positions = [
        "Latitude and longitude: 52.5 13.4, N52.5 E13.4, 52°30'15\"N 13°24'0\"E; altitude and accuracy in metres may follow.",
        "A full plus code 9F4MGC22+22, UTM 33U 391000 5817000, or the address of a map.",
    ]

    private static let files = [":file NAME reads them from GPX, KML, GeoJSON or lines of latitude and longitude."]
}
