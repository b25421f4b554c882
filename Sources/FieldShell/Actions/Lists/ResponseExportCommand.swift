import DocumentValues
import FieldForms
import FieldRecords
import FormLogic

/// Writes the filled forms of one form for other programs.
struct ResponseExportCommand {
    let session: ShellSession

    func run(_ request: ResponseExportRequest) throws -> FormOutput {
        let field = try session.field()
        let loaded = try FormLibrary(in: field).load(try FormNaming(session: session).name(request.form))
        try check(request.options.language, of: loaded)
        var wanted = request.filter
        wanted.form = loaded.form.id.text
        let ids = try ListingBuilder(field, filter: ListCommand(session: session).filter(wanted)).responseIDs()
        let export = try ResponseExport(
            of: loaded, in: field, to: request.folder, setting: session.formSetting(language: request.options.language),
            options: request.options)
        let report = try export.run(ids)
        return FormOutput(lines: lines(report), objects: [object(report)], exitStatus: report.leftOut.isEmpty ? 0 : 1)
    }

    private func check(_ language: String?, of loaded: LoadedForm) throws {
        guard let language else { return }
        let known = loaded.form.languages.map(\.code.text)
        guard !known.containsExactly(language) else { return }
        let names = known.map(\.printableLine).joined(separator: ", ")
        throw UsageError(
            "The form has no language '\(language)'.",
            hint: names.isEmpty ? "It has one language: leave --labels out." : "It has \(names).")
    }

    private func lines(_ report: ResponseExport.Report) -> [String] {
        var lines = report.files.map { "\($0.name.printableLine)  \($0.rows.grouped)" }
        if report.media > 0 { lines.append("\(report.media.of("file")) in media/") }
        lines += named(report.missing, are: "not on this laptop: fetch them with: sync --reset", of: "file")
        lines += named(
            report.leftOut, are: "left out, since it or its version of the form cannot be read", of: "record")
        return lines + ["Exported to \(report.folder)"]
    }

    private func named(_ names: [String], are what: String, of noun: String) -> [String] {
        guard !names.isEmpty else { return [] }
        return ["\(names.count.of(noun)) \(what)"]
            + names.prefix(ShellLimits.candidates).map { "  \($0.printableLine)" }
    }

    private func object(_ report: ResponseExport.Report) -> JSONObject {
        [
            "folder": .string(report.folder), "media": .int(report.media),
            "files": .array(report.files.map { ["name": .string($0.name), "rows": .int($0.rows)] }),
            "missing": .array(report.missing.map { .string($0) }),
            "leftOut": .array(report.leftOut.map { .string($0) }),
        ]
    }
}
