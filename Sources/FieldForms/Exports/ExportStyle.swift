import DocumentValues

/// How filled forms are written for other programs.
package enum ExportStyle: String, Sendable, Hashable, CaseIterable {
    /// A table for the records and one for each repeat, as ODK Central and Briefcase write them.
    case central
    /// The same as KoboToolbox writes them.
    case kobo
    /// Those of `central`, with the id, the state and the name of each record in front.
    case fieldbook
    /// A feature a record.
    case geojson
    /// A record a line.
    case jsonl
    /// A file a record, as servers of OpenRosa take them.
    case xml

    var hasTables: Bool {
        switch self {
        case .central, .kobo, .fieldbook: true
        case .geojson, .jsonl, .xml: false
        }
    }
}

package struct ExportOptions: Sendable, Hashable {
    package var style = ExportStyle.central
    /// Headers and choices are labels in this language; `nil` for names.
    @Exact package var language: String?
    /// Also a column of 0 or 1 for each choice of a `select_multiple`.
    package var splitsSelects = false
    /// Whether a header has the names of the groups around a question.
    package var namesGroups = true
    /// Also the questions that only earlier versions of the form had.
    package var hasAllVersions = false
    /// Texts that a spreadsheet would run get an apostrophe in front.
    package var isSpreadsheetSafe = false
    /// Paths of the questions for places in GeoJSON; empty for the first one.
    package var geoFields: [Name] = []

    package init() {}
}
