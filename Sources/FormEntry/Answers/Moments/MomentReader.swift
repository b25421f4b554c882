import DocumentValues
import FormLogic

/// Reads dates, times of day, and both together.
struct MomentReader {
    private let question: AskedQuestion
    private let context: AnswerContext
    private let conversions: Conversions

    init(_ question: AskedQuestion, context: AnswerContext) {
        self.question = question
        self.context = context
        conversions = Conversions(zone: context.zone)
    }

    // MARK: Dates

    /// A day; with the appearance `month-year` or `year` the first of that month or year.
    ///
    /// - Throws: `AnswerRefusal` for another text, and for a day that no calendar has.
    func date(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        let days: [TypedDay]
        if question.hasAppearance("year") {
            days = try MonthReader(question, context: context).year(text)
        } else if question.hasAppearance("month-year") {
            days = try MonthReader(question, context: context).month(text)
        } else {
            days = try DateReader(question, context: context).read(text)
        }
        return outcome(days.map { ($0, .date($0.day)) })
    }

    private func outcome(_ found: [(day: TypedDay, answer: Answer)]) -> AnswerOutcome {
        if found.count == 1 { return .answer(found[0].answer, notes: []) }
        return .question(
            Clarification(
                between: found.map { Clarification.Meaning($0.day.text, answer: $0.answer, remembered: $0.day.order) }))
    }

    // MARK: Times

    /// - Throws: `AnswerRefusal` for another text.
    func time(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        let folded = FoldedText.of(text)
        if let instant = instant(folded) {
            return .answer(
                .time(time(milliseconds: conversions.clock(of: instant), offset: zoneOffset(at: instant))), notes: [])
        }
        guard let typed = TypedTime(folded) else { throw .noTime(text) }
        let parts = MomentText.Parts(day: context.today, milliseconds: typed.milliseconds)
        let offset = typed.offset ?? conversions.moment(parts).map { zoneOffset(at: $0) } ?? 0
        return .answer(.time(time(milliseconds: typed.milliseconds, offset: offset)), notes: [])
    }

    private func time(milliseconds: Int, offset: Int64) -> TimeOfDay {
        TimeOfDay(text: MomentText.time(milliseconds: milliseconds, offset: offset), milliseconds: milliseconds)
    }

    private func zoneOffset(at moment: Moment) -> Int64 { context.zone.offset(at: moment.instant / 1000) }

    /// `now`, `-2h`; in whole seconds.
    private func instant(_ folded: String) -> Moment? {
        let plain = PlainDigits.of(folded)
        guard let offset = RelativeName.isNow(folded) ? 0 : RelativeName.milliseconds(plain) else { return nil }
        let instant = context.now + offset
        return Moment(instant: instant - (instant % 1000 + 1000) % 1000, kind: .dateTime)
    }

    // MARK: Both

    /// - Throws: `AnswerRefusal` for another text, and for a date without a time.
    func dateTime(_ text: String) throws(AnswerRefusal) -> AnswerOutcome {
        let folded = FoldedText.of(text)
        if let instant = instant(folded) { return .answer(try stored(instant), notes: []) }
        let days = DateReader(question, context: context)
        if (try? days.read(text)) != nil { throw .timeMissing(text) }
        for split in Self.splits(folded) {
            guard let time = TypedTime(split.time) else { continue }
            var found: [(day: TypedDay, answer: Answer)] = []
            for day in try days.read(split.date) { found.append((day, try answer(day, time: time))) }
            return outcome(found)
        }
        throw TypedTime(folded) == nil ? .noDateTime(text) : .dayMissing(text)
    }

    private func answer(_ day: TypedDay, time: TypedTime) throws(AnswerRefusal) -> Answer {
        let parts = MomentText.Parts(day: day.day, milliseconds: time.milliseconds, offset: time.offset)
        guard let moment = conversions.moment(parts) else { throw .yearOutside }
        return try stored(moment)
    }

    private func stored(_ moment: Moment) throws(AnswerRefusal) -> Answer {
        guard CalendarMath.days.contains(conversions.day(of: moment)),
            let stored = StoredDateTime(conversions.wholeText(moment))
        else { throw .yearOutside }
        return .dateTime(stored)
    }

    /// Where a date may end and a time begin: at a `t` between digits, or at one of the last three spaces, the last first.
    private static func splits(_ folded: String) -> [(date: String, time: String)] {
        let bytes = Array(PlainDigits.of(folded).utf8)
        var found: [(date: String, time: String)] = []
        func add(_ index: Int) {
            let (date, time) = (bytes[..<index], bytes[(index + 1)...])
            found.append(
                (
                    String(decoding: date, as: UTF8.self).trimmingSpaces,
                    String(decoding: time, as: UTF8.self).trimmingSpaces
                ))
        }
        for index in bytes.indices.dropFirst().dropLast()
        where bytes[index] == UInt8(ascii: "t") && isDigit(bytes[index - 1]) && isDigit(bytes[index + 1]) {
            add(index)
        }
        for index in bytes.indices.filter({ bytes[$0] == 0x20 }).suffix(3).reversed() { add(index) }
        return found
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
