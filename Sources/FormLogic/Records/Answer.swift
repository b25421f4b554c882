import DocumentValues

/// What a person answered, or a calculation stored. A question without an answer has none of these.
package enum Answer: Sendable {
    /// Not empty.
    case text(String)
    case number(Double)
    case boolean(Bool)
    /// Days since 1970.
    case date(Int64)
    case time(TimeOfDay)
    case dateTime(StoredDateTime)
    /// Names of choices, none twice, at least one.
    case names([Name])
    case point(GeoPoint)
    case points([GeoPoint])
    case file(AnsweredFile)
}

/// `2026-03-04T13:45:30.500+01:00`, as it was stored.
package struct StoredDateTime: Sendable {
    package let text: String
    package let parts: MomentText.Parts

    /// `nil` for a text that is no date with a time.
    package init?(_ text: String) {
        guard let parts = try? MomentText.parse(text), parts.milliseconds != nil else { return nil }
        self.text = text
        self.parts = parts
    }

    /// Whether it is spelled as we write it, with milliseconds and an offset.
    package var isOurs: Bool {
        guard let milliseconds = parts.milliseconds, let offset = parts.offset else { return false }
        let time = MomentText.time(milliseconds: milliseconds, offset: offset)
        return text.isExactly("\(MomentText.date(parts.day))T\(time)")
    }
}

/// A picture, a sound, a film or another file.
package struct AnsweredFile: Sendable {
    package var name: Name
    /// As the record has it; `nil` for the name of a file that is not there yet.
    package var blob: JSONValue?

    package init(name: Name, blob: JSONValue? = nil) {
        self.name = name
        self.blob = blob
    }
}

extension Answer {
    /// What an expression finds in the node.
    package func value(_ conversions: Conversions) -> FormValue {
        switch self {
        case .text(let text): .text(text)
        case .number(let number): .number(number)
        case .boolean(let boolean): .boolean(boolean)
        case .date(let day): conversions.date(day).map { .moment($0) } ?? .empty
        case .time(let time): .time(time)
        case .dateTime(let stored): conversions.moment(stored.parts).map { .moment($0) } ?? .text(stored.text)
        case .names, .point, .points, .file: .text(text)
        }
    }

    /// What tables have.
    package var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): FormNumberText.of(number)
        case .boolean(let boolean): boolean ? "1" : "0"
        case .date(let day): MomentText.date(day)
        case .time(let time): time.text
        case .dateTime(let stored): stored.text
        case .names(let names): names.map(\.text).joined(separator: " ")
        case .point(let point): point.text
        case .points(let points): points.map(\.text).joined(separator: "; ")
        case .file(let file): file.name.text
        }
    }
}

extension Answer: Equatable {
    /// Whether storing one over the other changes nothing.
    package static func == (left: Answer, right: Answer) -> Bool { left.json == right.json }
}
