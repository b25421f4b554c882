import DocumentValues

/// The formats of `format-date`.
package enum FormDateFormat {
    /// What a moment is made of, by the local clock.
    struct Clock {
        let day: Int64
        /// Since midnight.
        let milliseconds: Int
    }

    /// The first letter behind a `%` that means nothing; `nil` for a format that can be used.
    package static func unknownLetter(in format: String) -> Unicode.Scalar? {
        var isLetter = false
        for scalar in format.unicodeScalars {
            if isLetter {
                guard letters.contains(scalar) else { return scalar }
                isLetter = false
            } else if scalar == "%" {
                isLetter = true
            }
        }
        return isLetter ? "%" : nil
    }

    private static let letters = Array("YymnbdeaHhMS3W%".unicodeScalars)

    /// `nil` for a format that cannot be used.
    static func text(_ clock: Clock, format: String, names: DateNames) -> String? {
        var result = ""
        var isLetter = false
        for scalar in format.unicodeScalars {
            if isLetter {
                guard let part = part(scalar, clock: clock, names: names) else { return nil }
                result += part
                isLetter = false
            } else if scalar == "%" {
                isLetter = true
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return isLetter ? nil : result
    }

    private static func part(_ letter: Unicode.Scalar, clock: Clock, names: DateNames) -> String? {
        switch letter {
        case "Y", "y", "m", "n", "b", "d", "e", "a", "W": dayPart(letter, number: clock.day, names: names)
        case "H": MomentText.padded(clock.milliseconds / 3_600_000, to: 2)
        case "h": String(clock.milliseconds / 3_600_000)
        case "M": MomentText.padded(clock.milliseconds / 60_000 % 60, to: 2)
        case "S": MomentText.padded(clock.milliseconds / 1000 % 60, to: 2)
        case "3": MomentText.padded(clock.milliseconds % 1000, to: 3)
        case "%": "%"
        default: nil
        }
    }

    private static func dayPart(_ letter: Unicode.Scalar, number: Int64, names: DateNames) -> String? {
        let day = CalendarMath.day(of: number)
        return switch letter {
        case "Y": MomentText.padded(day.year, to: 4)
        case "y": MomentText.padded(day.year % 100, to: 2)
        case "m": MomentText.padded(day.month, to: 2)
        case "n": String(day.month)
        case "b": names.months[day.month - 1]
        case "d": MomentText.padded(day.day, to: 2)
        case "e": String(day.day)
        case "a": names.days[CalendarMath.weekday(of: number)]
        case "W": String(CalendarMath.week(of: number))
        default: nil
        }
    }
}
