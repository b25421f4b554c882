import DocumentValues

extension String {
    /// The text, cut to the length that a report quotes.
    var shortened: String { shortened(toScalars: FieldRecordsLimits.quotedValue) }
}
