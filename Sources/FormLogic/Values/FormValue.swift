import DocumentValues

/// A value of an expression that is no set of nodes.
package enum FormValue: Sendable {
    case text(String)
    case number(Double)
    case boolean(Bool)
    case moment(Moment)
    case time(TimeOfDay)

    package static let empty = FormValue.text("")
    package static let notANumber = FormValue.number(.nan)

    package var isEmptyText: Bool {
        guard case .text(let text) = self else { return false }
        return text.isEmpty
    }
}

/// An instant that is shown in the local zone.
package struct Moment: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A day: its local midnight.
        case date
        case dateTime
    }

    /// Milliseconds since 1970-01-01T00:00Z.
    package var instant: Int64
    package var kind: Kind

    package init(instant: Int64, kind: Kind) {
        self.instant = instant
        self.kind = kind
    }
}

/// A time of day, as the clock showed it where it was given.
package struct TimeOfDay: Sendable {
    /// As it was written: `13:45:00.000+01:00`.
    package let text: String
    /// Milliseconds since midnight.
    package let milliseconds: Int

    package init(text: String, milliseconds: Int) {
        self.text = text
        self.milliseconds = milliseconds
    }
}
