import DocumentValues
import FieldModels
import FieldRecords
import FormLogic
import Foundation

/// The logs of all records in one table, of forms that ask for a log.
struct AuditTable {
    private let export: ResponseExport

    init(_ export: ResponseExport) { self.export = export }

    func write(_ ids: [String], to report: inout ResponseExport.Report) throws {
        guard export.options.style != .kobo, let audit = FormAudit(export.loaded.form) else { return }
        let name = "\(export.loaded.form.id.text.fileName) - audit.csv"
        let columns = ["event", "node", "start", "end"] + audit.moreColumns
        let file = try export.folder.newFile(name)
        var rows = TableRows(export.options)
        rows.append(["instance ID"] + columns)
        var count = 0
        for id in ids {
            guard let response = try export.response(id) else { continue }
            for entry in response.audit {
                rows.append([response.instanceID] + columns.map { entry[$0]?.cell ?? "" })
                count += 1
            }
            try file.write(contentsOf: Data(rows.take()))
        }
        try file.write(contentsOf: Data(rows.take()))
        try file.close()
        report.files.append(ResponseExport.Report.File(name: name, rows: count))
    }
}
