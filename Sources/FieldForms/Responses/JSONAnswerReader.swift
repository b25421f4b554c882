import DocumentValues
import FormLogic

/// Reads a value of JSON as the answer to a question.
struct JSONAnswerReader {
    /// What a value is for a question.
    enum Reading {
        case answer(Answer)
        case cleared
        /// The path of a file that is to be added.
        case file(path: String)
        /// With the rule that the value breaks.
        case refused(String)
    }

    let conversions: Conversions
    /// Milliseconds since 1970.
    let now: Int64

    func read(_ value: JSONValue, node: FormNode, type: QuestionType) -> Reading {
        if value.isNull { return .cleared }
        if let text = value.stringValue, text.utf8.contains(0) { return .refused(Self.nulRule) }
        switch type {
        case .select(.one, _): return one(value)
        case .select(.multiple, _), .select(.rank, _): return several(value)
        case .plain(let plain): return read(value, plain: plain, type: type)
        }
    }

    private func read(_ value: JSONValue, plain: QuestionType.PlainType, type: QuestionType) -> Reading {
        if let text = value.stringValue, text.isEmpty { return .cleared }
        switch plain {
        case .text, .barcode, .hidden, .deviceid, .username, .email, .phonenumber, .uriDeviceid, .uriUsername,
            .uriEmail, .uriPhonenumber, .subscriberid, .simserial, .calculate:
            return text(value)
        case .integer: return parsed(value, type: type, rule: "must be a whole number")
        case .decimal, .range: return parsed(value, type: type, rule: "must be a number")
        case .date, .today: return parsed(value, type: type, rule: "must be a day such as 2026-03-04")
        case .time: return time(value, type: type)
        case .dateTime, .start, .end: return dateTime(value, type: type)
        case .geopoint, .startGeopoint, .backgroundGeopoint: return point(value)
        case .geotrace: return trace(value)
        case .geoshape: return shape(value)
        case .image, .audio, .video, .file: return file(value, type: type)
        case .acknowledge: return acknowledgement(value)
        case .note, .audit, .csvExternal, .xmlExternal: return .refused("takes no answer")
        }
    }

    // MARK: Texts and numbers

    /// Exports, paths of files and other programs end a text there.
    static let nulRule = "must not have the character NUL"

    private func text(_ value: JSONValue) -> Reading {
        guard let text = plainText(value) else { return refused(value, rule: "must be a text") }
        guard text.utf8.count <= FormLimits.answer else {
            return .refused("must have at most \(FormLimits.answer >> 10) KB")
        }
        return .answer(.text(text))
    }

    /// Scripts write numbers where a form has texts.
    private func plainText(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): FormNumberText.canonical(number)
        case .null, .bool, .array, .object: nil
        }
    }

    /// As a record stores it, or as a default is written.
    private func parsed(_ value: JSONValue, type: QuestionType, rule: String) -> Reading {
        if let answer = Answer(value, type: type) { return .answer(answer) }
        guard let text = value.stringValue,
            let answer = WrittenAnswer.answer(text.trimmingSpaces, type: type, conversions: conversions)
        else { return refused(value, rule: rule) }
        return .answer(answer)
    }

    // MARK: Times

    private func time(_ value: JSONValue, type: QuestionType) -> Reading {
        if let whole = value.stringValue.flatMap({ conversions.wholeTime($0, now: now) }) {
            return .answer(.time(whole))
        }
        return parsed(value, type: type, rule: "must be a time such as 13:45")
    }

    /// A moment of a record stays in its zone; another one is stored in that of the laptop.
    private func dateTime(_ value: JSONValue, type: QuestionType) -> Reading {
        if let stored = value.stringValue.flatMap({ StoredDateTime($0) }), stored.isOurs {
            return .answer(.dateTime(stored))
        }
        guard let text = value.stringValue,
            let answer = WrittenAnswer.answer(text.trimmingSpaces, type: type, conversions: conversions)
        else { return refused(value, rule: "must be a day with a time such as 2026-03-04T13:45:00+01:00") }
        return .answer(answer)
    }

    private func acknowledgement(_ value: JSONValue) -> Reading {
        switch value {
        case .bool(true): .answer(.text("OK"))
        case .bool(false): .cleared
        case .string(let text) where text.isExactly("OK"): .answer(.text("OK"))
        default: refused(value, rule: "must be true, or OK")
        }
    }

    // MARK: Choices

    private func one(_ value: JSONValue) -> Reading {
        if let text = value.stringValue, text.isEmpty { return .cleared }
        guard let text = plainText(value) ?? value.boolValue.map({ $0 ? "yes" : "no" }) else {
            return refused(value, rule: "must be the name of a choice")
        }
        return .answer(.text(text))
    }

    private func several(_ value: JSONValue) -> Reading {
        let texts: [String?]
        if let text = plainText(value) {
            texts = text.spacedParts
        } else if let elements = value.arrayValue {
            texts = elements.map { plainText($0) }
        } else {
            return refused(value, rule: "must be a list of names of choices")
        }
        var (names, seen): ([Name], Set<Name>) = ([], [])
        for text in texts {
            guard let text else { return refused(value, rule: "must be a list of names of choices") }
            if seen.insert(Name(text)).inserted { names.append(Name(text)) }
        }
        return names.isEmpty ? .cleared : .answer(.names(names))
    }

    // MARK: Positions and files

    private func point(_ value: JSONValue) -> Reading {
        guard let point = GeoPoint(json: value) ?? value.stringValue.flatMap({ GeoPoint($0) }) else {
            return refused(value, rule: "must be a position such as \"52.5 13.4\" or {latitude, longitude}")
        }
        return .answer(.point(point))
    }

    private func trace(_ value: JSONValue) -> Reading {
        guard let points = points(value), points.count >= 2 else {
            return refused(value, rule: "must be at least 2 positions")
        }
        return .answer(.points(points))
    }

    /// A shape closes itself.
    private func shape(_ value: JSONValue) -> Reading {
        guard let points = points(value).map({ GeoPoint.closed($0) }), points.count >= 4 else {
            return refused(value, rule: "must be at least 3 corners")
        }
        return .answer(.points(points))
    }

    /// Objects or texts, also one text with `;` between them.
    private func points(_ value: JSONValue) -> [GeoPoint]? {
        var points: [GeoPoint] = []
        for element in value.arrayValue ?? [value] {
            if let text = element.stringValue {
                guard let found = GeoPoint.list(text) else { return nil }
                points += found
            } else {
                guard let point = GeoPoint(json: element) else { return nil }
                points.append(point)
            }
        }
        return points
    }

    private func file(_ value: JSONValue, type: QuestionType) -> Reading {
        if let path = value.stringValue { return .file(path: path) }
        guard let answer = Answer(value, type: type) else { return refused(value, rule: "must be the path of a file") }
        return .answer(answer)
    }

    private func refused(_ value: JSONValue, rule: String) -> Reading {
        let text = value.stringValue.map { "'\($0)'" } ?? value.description
        return .refused("\(rule), not \(text.printableLine.shortened(toScalars: FormLibraryLimits.quotedAnswer))")
    }
}
