import DocumentValues
import FormLogic

/// What an answer depends on besides its question.
package struct AnswerContext: Sendable {
    /// How the answer comes in.
    package enum Source: Sendable {
        /// A person types below a numbered list.
        case person
        /// A script names choices as the form does: where the number of a row is also another choice's name, it is the name.
        case script
    }

    /// Milliseconds since 1970-01-01T00:00Z.
    package var now: Int64
    package var zone: any FormZone
    /// The code of the language in which the form is shown: `en`, `fr-CA`.
    package var language: Name?
    /// How the person reads `3-4-2026`; `nil` until they were asked.
    package var dayOrder: DayOrder?
    /// What a comma is in the numbers of the person's country; `nil` where `1,250` has to be asked.
    package var comma: CommaUse?
    /// Where the site of the record is, to show how far a position is from it.
    package var site: GeoPoint?
    package var source: Source

    package init(
        now: Int64, zone: any FormZone, language: Name? = nil, dayOrder: DayOrder? = nil, comma: CommaUse? = nil,
        site: GeoPoint? = nil, source: Source = .person
    ) {
        self.now = now
        self.zone = zone
        self.language = language
        self.dayOrder = dayOrder
        self.comma = comma
        self.site = site
        self.source = source
    }

    /// Days since 1970 to the local day.
    package var today: Int64 { Conversions(zone: zone).day(of: Moment(instant: now, kind: .dateTime)) }
}

/// Which of two numbers in a date is the day.
package enum DayOrder: Sendable, Hashable {
    case dayFirst, monthFirst
}

package enum CommaUse: Sendable, Hashable {
    /// `1,5` is one and a half.
    case decimalMark
    /// `1,250` is a thousand and some.
    case thousands
}
