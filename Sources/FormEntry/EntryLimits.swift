/// The limits of typed answers.
package enum EntryLimits {
    /// Bytes of an answer that is neither a text nor a line of points: no number, day or list of choices has more.
    package static let line = 8_192
    /// Digits of an integer, as in ODK Collect.
    package static let integerDigits = 9
    /// Characters of a decimal, as in ODK Collect.
    package static let decimalCharacters = 15
    /// Choices from which a person may choose by a number when several begin with the typed text; others are counted.
    package static let clarified = 9
    /// Choices among which one is looked for that is spelled like a typed text.
    package static let comparedChoices = 500
    /// Bytes of a file with a line of points: a day's track of a receiver that notes each second has some megabytes.
    package static let pointFile = 16 << 20
    /// Points of a line: a JSON object each in the record, which has a limit itself.
    package static let points = 20_000
    /// Elements inside each other in a file with points.
    package static let markupDepth = 64
    /// Letters of a typed text that a message repeats.
    package static let quoted = 40
}
