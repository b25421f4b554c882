import DocumentValues
import FieldModels

/// A table of exported records, which is written record by record.
final class ExportedTable<Record: FieldRecord> {
    private let file: WholeFile
    private let columns: [Column<Record>]
    private var writer = CSVWriter()
    private var count = 0

    /// - Parameter columns: before those that each table has.
    init(of columns: [Column<Record>], in folder: ExportFolder) throws {
        file = try folder.wholeFile("\(Record.kind.plural).csv")
        self.columns = EnvelopeColumns.completing(columns)
        writer.append(self.columns.map(\.name))
    }

    func append(_ record: Record) throws {
        let cells = RecordCells(record)
        writer.append(columns.map { $0.value(cells) ?? "" })
        count += 1
        if writer.bytes.count >= FieldRecordsLimits.filePortion { try file.write(writer.take()) }
    }

    func finish() throws -> ExportReport.File {
        try file.write(writer.take())
        try file.finish()
        return ExportReport.File(name: file.name, records: count)
    }
}
