/// Sizes up to which files of forms are read. A form of a national survey has some 5,000 rows and 3 MB.
package enum FormExchangeLimits {
    /// Bytes of a file: workbook, table or XForm.
    package static let file = 16 * 1024 * 1024
    /// Bytes of a form's XML, which is in memory as a tree of elements.
    package static let markup = 16 * 1024 * 1024
    /// Bytes of all parts of a workbook that are unpacked.
    static let unpacked = 128 * 1024 * 1024
    /// Bytes of one part, which is in memory as a whole.
    static let part = 64 * 1024 * 1024
    /// How many times as long as its packed bytes a part may be; tables of equal cells get to 100.
    static let ratio = 250
    /// Below this size of a part its ratio says nothing.
    static let ratioFrom = 1024 * 1024
    /// Parts of a workbook; those with pictures on each sheet have some hundreds.
    static let parts = 5_000
    /// Levels of elements, of which a form needs three a group.
    static let markupDepth = 200
    /// Sheets of a workbook.
    static let sheets = 500
    /// Rows of a sheet. Longer lists of choices are better kept in a CSV file beside the form.
    static let rows = 200_000
    /// Cells of a workbook that are not empty.
    static let cells = 2_000_000
    /// Columns of a sheet; spreadsheets have 16,384.
    static let columns = 4_096
    /// Bytes of a cell's text: what a spreadsheet allows, at four bytes a character.
    static let cell = 4 * 32_767
    /// Empty rows after which a sheet ends.
    static let emptyRows = 60
    /// Empty cells after which a header row ends.
    static let emptyColumns = 20
    /// Levels of groups and repeats.
    static let depth = 40
    /// Findings that a report lists.
    static let findings = 100
}
