import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormExchange
import FormLogic
import Foundation

/// Writes the filled forms of one form into a folder, in one of the styles of other programs.
package struct ResponseExport {
    package struct Report: Sendable {
        package struct File: Sendable, Hashable {
            @Exact package private(set) var name: String
            package let rows: Int
        }

        package let folder: String
        package internal(set) var files: [File] = []
        package internal(set) var media = 0
        /// Files of records that are not on this laptop.
        package internal(set) var missing: [String] = []
        /// Records that cannot be read, or whose version of the form is not here.
        package internal(set) var leftOut: [String] = []
    }

    let field: FieldDatabase
    let loaded: LoadedForm
    let setting: FormSetting
    let options: ExportOptions
    let folder: ExportFolder
    let layout: ExportLayout

    /// - Parameter path: a folder, which is made, or an empty one.
    /// - Throws: `FormLibraryError` where an earlier version is wanted and not here.
    package init(
        of loaded: LoadedForm, in field: FieldDatabase, to path: String, setting: FormSetting, options: ExportOptions
    ) throws {
        self.field = field
        self.loaded = loaded
        self.setting = setting
        self.options = options
        folder = ExportFolder(path: path)
        var nodes = loaded.form.nodes
        if options.hasAllVersions {
            let library = FormLibrary(in: field)
            for version in try library.versions(of: loaded.form.id).reversed()
            where !version.isExactly(loaded.form.version) {
                nodes = ExportLayout.union(
                    nodes, with: try library.load(form: loaded.form.id, version: version).form.nodes)
            }
        }
        layout = ExportLayout(nodes, form: loaded.form.id, keepsNotes: options.style != .kobo)
    }

    /// - Parameter ids: of the records, in their order.
    /// - Throws: `ExportError` if there is something in the folder.
    package func run(_ ids: [String]) throws -> Report {
        try folder.make()
        var report = Report(folder: folder.url.path)
        switch options.style {
        case .central, .kobo, .fieldbook: try ResponseTables(self, ids: ids).write(to: &report)
        case .geojson: try ResponseFeatures(self).write(ids, to: &report)
        case .jsonl: try writeLines(ids, to: &report)
        case .xml: try writeSubmissions(ids, to: &report)
        }
        try folder.finish()
        return report
    }

    /// `nil` for one that cannot be read, or is of another form.
    func response(_ id: String) throws -> Response? {
        guard let response = try field.responses.findReadable(id), response.form.isExactly(loaded.form.id.text) else {
            return nil
        }
        return response
    }

    private func writeLines(_ ids: [String], to report: inout Report) throws {
        let name = loaded.form.id.text.fileName + ".jsonl"
        let file = try folder.newFile(name)
        var rows = 0
        for id in ids {
            guard let response = try response(id) else {
                report.leftOut.append(id)
                continue
            }
            try file.write(contentsOf: Data(response.identifiedObject.bytes + [UInt8(ascii: "\n")]))
            rows += 1
        }
        try file.close()
        report.files.append(Report.File(name: name, rows: rows))
    }

    /// One folder a record.
    private func writeSubmissions(_ ids: [String], to report: inout Report) throws {
        var rows = 0
        for id in ids {
            guard let response = try response(id), let session = try opened(id) else {
                report.leftOut.append(id)
                continue
            }
            let meta: [(String, String?)] = [
                ("instanceID", response.instanceID), ("instanceName", response.instanceName),
                ("deprecatedID", response.deprecatedID),
            ]
            let bytes = SubmissionExport.write(
                session.state.record, form: session.loaded.form,
                meta: meta.compactMap { name, text in text.map { (name, $0) } })
            let uuid = ExportedRow(response: response, files: (0, 0), number: 0).uuid.fileName
            let file = try folder.newFile("\(uuid)/submission.xml")
            try file.write(contentsOf: Data(bytes))
            try file.close()
            rows += 1
        }
        report.files.append(Report.File(name: "submission.xml", rows: rows))
    }
}

extension ResponseExport {
    /// With all that follows from its answers; `nil` where its version of the form is not here.
    fileprivate func opened(_ id: String) throws -> FormSession? {
        do {
            return try FormSession.open(id, in: field, setting: setting, byReviewer: true)
        } catch is FormLibraryError {
            return nil
        }
    }
}

extension ExportLayout.Leaf {
    /// The answer in a row of its table; `nil` for none, and for one that the type does not have.
    func answer(in row: JSONObject) -> Answer? { value(in: row).flatMap { Answer($0, type: type) } }

    func value(in row: JSONObject) -> JSONValue? { row.value(at: path) }
}

extension JSONObject {
    /// Through groups; an empty path is none.
    func value(at path: [Name]) -> JSONValue? {
        guard let first = path.first else { return nil }
        return path.dropFirst().reduce(self[first.text]) { $0?[$1.text] }
    }
}
