import DocumentValues
import FieldRecords
import Foundation

/// Importing, and the file that names every odd row.
struct ImportCommand {
    let session: ShellSession

    func run(_ request: ImportRequest) throws -> CommandResult {
        let field = try session.field()
        let file = request.report
        let paths = request.paths.map { HomeFolder.expanding($0) }
        if let file, FileManager.default.fileExists(atPath: HomeFolder.expanding(file)) {
            throw UsageError("\(file) is there already.", hint: "Name a file for the report that does not exist yet.")
        }
        let work = try RecordImport(into: field, by: session.author(), options: request.options) { progress in
            session.meter.update(
                progress.records, completed: UInt64(progress.completed), total: UInt64(progress.total))
        }
        do {
            let report = try work.run(paths)
            session.meter.finish()
            return try reported(report, file: file)
        } catch let error as ImportInterruption {
            session.meter.finish()
            report(error, file: file)
            throw error
        }
    }

    /// - Throws: the reason why the report could not be written, after the imported records have been reported.
    private func reported(_ report: ImportReport, file: String?) throws -> CommandResult {
        do {
            return .imported(report, reportFile: try write(report, to: file))
        } catch {
            session.emit(.imported(report, reportFile: nil))
            throw error
        }
    }

    private func report(_ interruption: ImportInterruption, file: String?) {
        do {
            session.emit(.imported(interruption.report, reportFile: try write(interruption.report, to: file)))
        } catch {
            session.emit(.imported(interruption.report, reportFile: nil))
            session.dialogue.show(ErrorText.text(error))
        }
    }

    /// - Returns: where it is; `nil` where there is nothing to report.
    private func write(_ report: ImportReport, to file: String?) throws -> String? {
        // A preview leaves nothing behind unless it is asked to.
        guard !report.notes.isEmpty, !report.isPreview || file != nil else { return nil }
        do {
            if let file {
                let url = URL(fileURLWithPath: HomeFolder.expanding(file))
                try FieldFolder.writePrivately(report.csv, to: url)
                return url.path
            }
            return try session.folder.keep(report, at: session.environment.now()).path
        } catch {
            throw ImportReportError(file: file ?? session.folder.reports.path, reason: ErrorText.text(error))
        }
    }
}

/// The records are imported, but the list of the odd rows is not written.
struct ImportReportError: UserFacingError {
    let file: String
    let reason: String

    var description: String {
        "The report of the odd rows could not be written to \(file): \(reason) "
            + "What was imported is stored; importing the same files again writes the report."
    }
}
