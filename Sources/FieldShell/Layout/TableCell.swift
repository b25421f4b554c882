import DocumentValues

/// A text as it is shown in a row of a table, and the cells of the screen that it takes. A line end in it would be taken for
/// another row; and a name may be as long as a record.
struct TableCell: Sendable {
    let text: String
    let width: Int

    init(_ text: String) {
        let bytes = text.utf8
        // Most are plain, and of a list of thousands each takes its time.
        if bytes.count <= ShellLimits.cell, bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            self.text = text
            width = bytes.count
        } else {
            self.text = text.shortened(toScalars: ShellLimits.cell).printableLine
            width = self.text.displayWidth
        }
    }
}
