import DocumentValues
import FieldForms
import FieldRecords
import FormLogic

/// Takes a form into the folder, unless it has an error.
struct FormImporting {
    let session: ShellSession

    /// - Returns: with status 1 where nothing was taken in.
    func run(_ request: FormFileRequest) throws -> FormOutput {
        let source: FormSource
        do {
            source = try FormSource.read(request.path, options: request.options)
        } catch {
            return Self.refusal(FormFileReport(unreadable: error, file: request.path))
        }
        var report = FormFileReport(source)
        guard !source.findings.hasErrors else { return Self.refusal(report) }
        if request.isTrial {
            return FormOutput(
                lines: report.lines + ["\(Self.named(source)) could be taken in. This is a trial; nothing was."],
                objects: [report.object])
        }
        do {
            let publication = try publish(source)
            for change in publication.changedTypes { report.addWarning(change.message, row: change.row) }
            var object = report.object
            object["new"] = .bool(publication.isNew)
            return FormOutput(lines: report.lines + [Self.done(source, isNew: publication.isNew)], objects: [object])
        } catch let error as FormLibraryError {
            report.addError(ErrorText.sentence(error.description))
            return Self.refusal(report)
        }
    }

    private func publish(_ source: FormSource) throws -> Publication {
        // A folder's passphrase is asked for only where something is to be sealed.
        if source.upload.needsVault, !session.isOpen { session.keyUse = .atOnce }
        let field = try session.field()
        let author = try session.author()
        field.journal.begin("form import", by: author)
        return try FormLibrary(in: field).publish(source.upload, by: author)
    }

    private static func refusal(_ report: FormFileReport) -> FormOutput {
        FormOutput(
            lines: report.lines + ["Nothing was taken in."], objects: [report.object], exitStatus: 1)
    }

    private static func named(_ source: FormSource) -> String {
        "\(source.form.id.text), version \(source.form.version), with \(source.form.questionCount.of("question"))"
    }

    private static func done(_ source: FormSource, isNew: Bool) -> String {
        isNew
            ? "Took in \(named(source)). The gateway takes forms from the office only."
            : "\(named(source)), is here already, with the same content."
    }
}
