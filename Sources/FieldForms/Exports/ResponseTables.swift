import DocumentValues
import FieldModels
import FieldRecords
import FormLogic
import Foundation

/// The tables of an export, written as the records are read.
struct ResponseTables {
    private let export: ResponseExport
    private let ids: [String]

    init(_ export: ResponseExport, ids: [String]) {
        self.export = export
        self.ids = ids
    }

    /// A table that is being written.
    private struct Open {
        let name: String
        let file: FileHandle
        var rows: TableRows
        let columns: [[ExportColumn]]
        var count = 0

        mutating func append(_ cells: [String]) {
            rows.append(cells)
            count += 1
        }
    }

    private var options: ExportOptions { export.options }
    private var layout: ExportLayout { export.layout }

    func write(to report: inout ResponseExport.Report) throws {
        var open = try opened()
        var media = ExportedMedia(folder: export.folder, database: export.field.database)
        for id in ids {
            guard let response = try export.response(id) else {
                report.leftOut.append(id)
                continue
            }
            try append(response, to: &open, media: &media)
            for index in open.indices where open[index].rows.bytes.count > FieldRecordsLimits.attachmentPortion {
                try open[index].file.write(contentsOf: Data(open[index].rows.take()))
            }
        }
        for index in open.indices {
            try open[index].file.write(contentsOf: Data(open[index].rows.take()))
            try open[index].file.close()
            report.files.append(ResponseExport.Report.File(name: open[index].name, rows: open[index].count))
        }
        try AuditTable(export).write(ids, to: &report)
        report.media = media.copied
        report.missing = media.missing
    }

    private func opened() throws -> [Open] {
        let makes = ExportColumns(options: options, form: export.loaded.form, seen: try seenChoices())
        return try layout.tables.enumerated().map { index, table in
            let name = table.name.fileName + ".csv"
            let columns = table.leaves.map { makes.columns(of: $0) }
            var rows = TableRows(options)
            rows.append(headings(columns.flatMap { $0 }.map(\.heading), of: index))
            return Open(name: name, file: try export.folder.newFile(name), rows: rows, columns: columns)
        }
    }

    private func headings(_ answers: [String], of table: Int) -> [String] {
        switch (options.style, table) {
        case (.kobo, 0): return answers + ExportedRow.koboHeadings
        case (.kobo, _): return answers + ExportedRow.koboRepeatHeadings
        case (_, 0):
            let meta = (layout.hasAudit ? ["meta-audit"] : []) + ["meta-instanceID", "meta-instanceName"]
            let front = options.style == .fieldbook ? ["Id", "State", "InstanceName"] : []
            return front + ["SubmissionDate"] + answers + meta + ExportedRow.centralHeadings
        default: return answers + ["PARENT_KEY", "KEY"]
        }
    }

    // MARK: Choices

    /// Those that the records have, where a column is made of each.
    private func seenChoices() throws -> [[Name]: Set<Name>] {
        guard options.splitsSelects || options.style == .kobo else { return [:] }
        var seen: [[Name]: Set<Name>] = [:]
        for id in ids {
            guard let response = try export.response(id) else { continue }
            try forEachRow(of: response) { table, row, _, _ in
                for leaf in layout.tables[table].leaves {
                    guard case .select(.multiple, _) = leaf.type, case .names(let names)? = leaf.answer(in: row) else {
                        continue
                    }
                    seen[leaf.key, default: []].formUnion(names)
                }
            }
        }
        return seen
    }

    // MARK: Rows

    /// Calls `body` for the record and for each instance of its repeats, an instance behind the one around it.
    ///
    /// - Parameter body: gets the table, the row's answers, its key and that of the row around it.
    private func forEachRow(
        of response: Response, _ body: (Int, JSONObject, String, String) throws -> Void
    ) throws {
        func visit(_ table: Int, row: JSONObject, key: String, parent: String) throws {
            try body(table, row, key, parent)
            for (index, inner) in layout.tables.enumerated() where inner.parent == table {
                let path = inner.path.map(\.text).joined(separator: "/")
                let instances = row.value(at: inner.path)?.arrayValue ?? []
                for (position, instance) in instances.enumerated() {
                    guard let answers = instance.objectValue else { continue }
                    try visit(index, row: answers, key: "\(key)/\(path)[\(position + 1)]", parent: key)
                }
            }
        }
        try visit(0, row: answers(of: response), key: response.instanceID, parent: "")
    }

    /// With those that later versions of the form have no question for, where all versions are wanted.
    private func answers(of response: Response) -> JSONObject {
        guard options.hasAllVersions else { return response.answers }
        return response.former.reduce(response.answers) { answers, entry in
            guard let path = entry["path"]?.stringValue, let value = entry["value"], answers[path] == nil,
                !path.utf8.contains(UInt8(ascii: "/")), !path.utf8.contains(UInt8(ascii: "["))
            else { return answers }
            return answers.setting([path: value])
        }
    }

    private func append(_ response: Response, to open: inout [Open], media: inout ExportedMedia) throws {
        var cells: [(table: Int, answers: [String], key: String, parent: String)] = []
        var (expected, present) = (0, 0)
        let uuid = ExportedRow(response: response, files: (0, 0), number: 0).uuid
        try forEachRow(of: response) { table, row, key, parent in
            var answers: [String] = []
            for (leaf, columns) in zip(layout.tables[table].leaves, open[table].columns) {
                var answer = leaf.answer(in: row)
                if case .file? = answer, let value = leaf.value(in: row) {
                    let copy = try media.copy(value, of: response.id, uuid: uuid)
                    answer = .file(AnsweredFile(name: Name(copy.name)))
                    expected += 1
                    present += copy.isCopied ? 1 : 0
                }
                answers += columns.map { $0.text(answer) }
            }
            cells.append((table, answers, key, parent))
        }
        let row = ExportedRow(response: response, files: (expected, present), number: open[0].count + 1)
        var numbers: [Name: Int] = [:]
        for cell in cells {
            numbers[Name(cell.key)] = open[cell.table].count + 1
            let parent = numbers[Name(cell.parent)] ?? 0
            open[cell.table].append(whole(cell, of: row, number: open[cell.table].count + 1, parent: parent))
        }
    }

    private func whole(
        _ cell: (table: Int, answers: [String], key: String, parent: String), of row: ExportedRow, number: Int,
        parent: Int
    ) -> [String] {
        let response = row.response
        switch (options.style, cell.table) {
        case (.kobo, 0): return cell.answers + row.koboCells
        case (.kobo, let table):
            let around = layout.tables[layout.tables[table].parent ?? 0].name
            return cell.answers + [String(number), around, String(parent)] + row.koboSubmission
        case (_, 0):
            let audit = layout.hasAudit ? [response.audit.isEmpty ? "" : "audit.csv"] : []
            let front =
                options.style == .fieldbook ? [response.id, response.state.rawValue, response.instanceName ?? ""] : []
            return front + [row.submitted ?? ""] + cell.answers + audit
                + [response.instanceID, response.instanceName ?? ""] + row.centralCells
        default: return cell.answers + [cell.parent, cell.key]
        }
    }
}
