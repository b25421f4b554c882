/// The limits of typed answers.
package enum EntryLimits {
    /// Bytes of an answer that is neither a text nor a line of points: no number, day or list of choices has more.
    package static let line = 8_192
    /// Bytes of a date, and of a time of day: one with all of its parts has about forty, and a long name some more.
    package static let date = 200
    package static let time = 40
    /// Bytes of a position: addresses of maps are long.
    package static let position = 4_096
    /// Numbers, signs and letters of a position: with degrees, minutes and seconds twice it has about sixteen.
    package static let positionParts = 24
    /// Characters of one of its numbers.
    package static let positionDigits = 30
    /// Metres of an altitude or an accuracy: beyond it the number is another one.
    package static let altitude = 100_000.0
    /// Digits of an integer, as in ODK Collect.
    package static let integerDigits = 9
    /// Characters of a decimal, as in ODK Collect.
    package static let decimalCharacters = 15
    /// Choices from which a person may choose by a number when several begin with the typed text; others are counted.
    package static let clarified = 9
    /// Choices that are listed with marks; of a longer list only the chosen ones are shown.
    package static let markedChoices = 15
    /// Choices among which one is looked for that is spelled like a typed text.
    package static let comparedChoices = 500
    /// Bytes of a file with a line of points: a day's track of a receiver that notes each second has some megabytes.
    package static let pointFile = 16 << 20
    /// Points of a line: a JSON object each in the record, which has a limit itself.
    package static let points = 20_000
    /// Elements inside each other in a file with points.
    package static let markupDepth = 64
    /// Scalars of a text whose accents are taken from their letters in one call.
    static let decomposed = 64
    /// Letters of a typed text that a message repeats.
    package static let quoted = 40
}
