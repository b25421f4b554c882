import DocumentValues

extension FormFunctions {
    static let dates: [FormFunction: Function] = [
        .today: { .moment($1.conversions.cutToDay(Moment(instant: $1.now, kind: .dateTime))) },
        .now: { .moment(Moment(instant: $1.now, kind: .dateTime)) },
        .date: { arguments, state in date(arguments.value(0, state: &state), state: &state) },
        .dateTime: { arguments, state in
            let value = arguments.value(0, state: &state)
            guard case .number(let number) = value else {
                return dateTime(value, in: "date-time", state: &state)
            }
            return instant(days: number, in: "date-time", state: &state)
        },
        .decimalDateTime: { arguments, state in
            let value = arguments.value(0, state: &state)
            if case .number = value { return value }
            guard case .moment(let moment) = dateTime(value, in: "decimal-date-time", state: &state) else {
                return .notANumber
            }
            return .number(state.conversions.decimalDays(moment))
        },
        .decimalTime: { decimalTime($0.value(0, state: &$1), state: &$1) },
        .formatDate: { format($0, state: &$1) },
        .formatDateTime: { format($0, state: &$1) },
    ]

    private static func date(_ value: FormValue, state: inout FunctionState) -> FormValue {
        switch value {
        case .number(let number) where number.isNaN: return value
        case .number(let number):
            guard let day = Int64(exactly: number.rounded(.towardZero)), let moment = state.conversions.date(day) else {
                state.report(.outOfRange, in: "date")
                return .empty
            }
            return .moment(moment)
        case .moment(let moment): return .moment(state.conversions.cutToDay(moment))
        case .text, .boolean, .time: return dateTime(value, in: "date", state: &state)
        }
    }

    /// Of a text, or of a moment as it is.
    private static func dateTime(
        _ value: FormValue, in function: Report.FunctionName, state: inout FunctionState
    ) -> FormValue {
        switch value {
        case .moment: return value
        case .text(let text):
            let text = text.trimmingSpaces
            if text.isEmpty { return .empty }
            do throws(MomentText.Failure) {
                let parts = try MomentText.parse(text)
                if let moment = state.conversions.moment(parts) { return .moment(moment) }
                state.report(.outOfRange, in: function)
            } catch {
                state.report(error == .outOfRange ? .outOfRange : .unreadable, in: function)
            }
            return .empty
        case .number, .boolean, .time:
            state.report(.unreadable, in: function)
            return .empty
        }
    }

    /// Days from 1970-01-01T00:00Z on.
    private static func instant(
        days: Double, in function: Report.FunctionName, state: inout FunctionState
    ) -> FormValue {
        if days.isNaN { return .notANumber }
        let milliseconds = (days * Double(CalendarMath.millisecondsOfDay)).rounded()
        guard let instant = Int64(exactly: milliseconds), instant.magnitude < 1 << 58,
            CalendarMath.days.contains(state.conversions.day(of: Moment(instant: instant, kind: .dateTime)))
        else {
            state.report(.outOfRange, in: function)
            return .empty
        }
        return .moment(Moment(instant: instant, kind: .dateTime))
    }

    private static func decimalTime(_ value: FormValue, state: inout FunctionState) -> FormValue {
        let clock: FormDateFormat.Clock? = clock(value, in: "decimal-time", state: &state)
        guard let clock else { return .notANumber }
        return .number(Double(clock.milliseconds) / Double(CalendarMath.millisecondsOfDay))
    }

    /// What the local clock shows; a time alone is a time of the first day.
    private static func clock(
        _ value: FormValue, in function: Report.FunctionName, state: inout FunctionState
    ) -> FormDateFormat.Clock? {
        let moment: FormValue
        switch value {
        case .time(let time): return FormDateFormat.Clock(day: 0, milliseconds: time.milliseconds)
        case .text(let text):
            if let time = MomentText.time(text.trimmingSpaces) {
                return FormDateFormat.Clock(day: 0, milliseconds: time.milliseconds)
            }
            moment = dateTime(value, in: function, state: &state)
        case .number where function.description == "decimal-time":
            guard case .number(let days) = value else { return nil }
            moment = instant(days: days, in: function, state: &state)
        case .number: moment = date(value, state: &state)
        case .boolean, .moment: moment = dateTime(value, in: function, state: &state)
        }
        guard case .moment(let moment) = moment else { return nil }
        return FormDateFormat.Clock(
            day: state.conversions.day(of: moment), milliseconds: state.conversions.clock(of: moment))
    }

    private static func format(_ arguments: FunctionArguments, state: inout FunctionState) -> FormValue {
        let value = arguments.value(0, state: &state)
        let format = arguments.text(1, state: &state)
        guard let clock = clock(value, in: arguments.function, state: &state) else { return .empty }
        guard let text = FormDateFormat.text(clock, format: format, names: DateNames.of(state.language)) else {
            state.report(.unreadable, in: arguments.function)
            return .empty
        }
        return .text(text)
    }
}
