import DocumentValues

/// Makes an answer of the result of a calculation, a dynamic default or a trigger.
package struct AnswerStoring {
    private let conversions: Conversions

    package init(_ conversions: Conversions) { self.conversions = conversions }

    /// An empty text and NaN make no answer, without a report.
    package func answer(_ value: FormValue, for type: QuestionType) -> (answer: Answer?, report: Report.Code?) {
        switch value {
        case .text(let text) where text.isEmpty: return (nil, nil)
        case .number(let number) where number.isNaN: return (nil, nil)
        case .text, .number, .boolean, .moment, .time: break
        }
        switch type {
        case .select(.one, _): return plain(value)
        case .select(.multiple, _), .select(.rank, _): return names(value)
        case .plain(let type): return plain(value, type: type)
        }
    }

    private func plain(
        _ value: FormValue, type: QuestionType.PlainType
    ) -> (answer: Answer?, report: Report.Code?) {
        switch type {
        case .integer: return whole(conversions.number(value))
        case .decimal, .range:
            let number = conversions.number(value)
            return number.isFinite ? (.number(number), nil) : (nil, number.isNaN ? nil : .cannotHold)
        case .date, .today: return moment(value) { .date(conversions.day(of: $0)) }
        case .dateTime, .start, .end: return moment(value) { stored($0) }
        case .time: return time(value)
        case .geopoint, .startGeopoint, .backgroundGeopoint:
            return GeoPoint(conversions.text(value)).map { (.point($0), nil) } ?? (nil, .unreadable)
        case .geotrace: return points(value, atLeast: 2)
        case .geoshape: return points(value, atLeast: 4)
        case .image, .audio, .video, .file: return (.file(AnsweredFile(name: Name(conversions.text(value)))), nil)
        case .text, .barcode, .note, .acknowledge, .calculate, .hidden, .deviceid, .username, .email, .phonenumber,
            .uriDeviceid, .uriUsername, .uriEmail, .uriPhonenumber, .subscriberid, .simserial, .audit:
            return plain(value)
        case .csvExternal, .xmlExternal: return (nil, .cannotHold)
        }
    }

    /// As the value is.
    private func plain(_ value: FormValue) -> (answer: Answer?, report: Report.Code?) {
        switch value {
        case .text(let text): text.utf8.count <= FormLimits.answer ? (.text(text), nil) : (nil, .limit)
        // JSON has no infinity.
        case .number(let number): (number.isFinite ? .number(number) : .text(FormNumberText.of(number)), nil)
        case .boolean(let boolean): (.boolean(boolean), nil)
        case .moment(let moment): (stored(moment), nil)
        case .time(let time): (.text(time.text), nil)
        }
    }

    private func whole(_ number: Double) -> (answer: Answer?, report: Report.Code?) {
        if number.isNaN { return (nil, nil) }
        guard let whole = Int32(exactly: number.rounded(.towardZero)) else { return (nil, .cannotHold) }
        return (.number(Double(whole)), nil)
    }

    private func names(_ value: FormValue) -> (answer: Answer?, report: Report.Code?) {
        var (names, seen): ([Name], Set<Name>) = ([], [])
        for part in conversions.text(value).spacedParts where seen.insert(Name(part)).inserted {
            names.append(Name(part))
        }
        return (names.isEmpty ? nil : .names(names), nil)
    }

    private func points(_ value: FormValue, atLeast least: Int) -> (answer: Answer?, report: Report.Code?) {
        guard let points = GeoPoint.list(conversions.text(value)), points.count >= least else {
            return (nil, .unreadable)
        }
        return (.points(points), nil)
    }

    private func stored(_ moment: Moment) -> Answer {
        let text = conversions.wholeText(moment)
        return StoredDateTime(text).map { .dateTime($0) } ?? .text(text)
    }

    /// Texts are read, numbers are days.
    private func moment(
        _ value: FormValue, make: (Moment) -> Answer
    ) -> (answer: Answer?, report: Report.Code?) {
        switch value {
        case .moment(let moment): return (make(moment), nil)
        case .text(let text):
            guard let parts = try? MomentText.parse(text.trimmingSpaces) else { return (nil, .unreadable) }
            return conversions.moment(parts).map { (make($0), nil) } ?? (nil, .outOfRange)
        case .number(let number):
            guard let day = Int64(exactly: number.rounded(.towardZero)), let moment = conversions.date(day) else {
                return (nil, .outOfRange)
            }
            return (make(moment), nil)
        case .boolean, .time: return (nil, .cannotHold)
        }
    }

    private func time(_ value: FormValue) -> (answer: Answer?, report: Report.Code?) {
        if case .time(let time) = value { return (.time(time), nil) }
        if case .text(let text) = value, let time = MomentText.time(text.trimmingSpaces) { return (.time(time), nil) }
        guard case .number(let number) = value else { return moment(value) { clock(of: $0) } }
        guard let day = Int64(exactly: number.rounded(.down)), let midnight = conversions.date(day) else {
            return (nil, .outOfRange)
        }
        // The rest is a fraction of a day.
        let fraction = number - number.rounded(.down)
        let milliseconds = Int((fraction * Double(CalendarMath.millisecondsOfDay)).rounded(.down))
        return (clock(of: Moment(instant: midnight.instant + Int64(milliseconds), kind: .dateTime)), nil)
    }

    private func clock(of moment: Moment) -> Answer {
        let text = String(decoding: conversions.wholeText(moment).utf8.dropFirst(11), as: UTF8.self)
        return MomentText.time(text).map { .time($0) } ?? .text(text)
    }
}
