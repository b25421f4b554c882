import DocumentValues
import FieldForms
import FieldRecords
import FormExchange
import FormLogic
import Foundation

/// Writes a form as a file.
struct FormExporting {
    let session: ShellSession

    func run(_ request: FormExportRequest) throws -> FormOutput {
        let output = request.output.map { HomeFolder.expanding($0) }
        if let output, FileManager.default.fileExists(atPath: output) {
            throw UsageError("\(output) is there already.", hint: "Name a file that does not exist yet.")
        }
        let isShown = output == nil && (session.isShell || Terminal.hasOutput)
        if isShown, request.format == .xlsx {
            throw UsageError("A workbook cannot be shown.", hint: "Name a file for it: --output FILE.xlsx")
        }
        let library = try FormLibrary(in: session.field())
        let loaded = try library.load(try FormNaming(session: session).name(request.form))
        let file = try FormFileMaker(loaded: loaded).file(request.format)
        var object: JSONObject = [
            "form": .string(loaded.form.id.text), "version": .string(loaded.form.version),
            "format": .string(request.format.rawValue), "losses": .array(file.losses.map { .string($0) }),
        ]
        guard let output else { return shown(file, object: object, format: request.format) }
        try FieldFolder.writePrivately(file.bytes, to: URL(fileURLWithPath: output))
        object["file"] = .string(output)
        return FormOutput(lines: ["Wrote \(loaded.reference) to \(output)."] + file.notes, objects: [object])
    }

    /// Programs get the bytes of the file on the standard output; missing parts are named beside them.
    private func shown(_ file: FormFileMaker.File, object: JSONObject, format: FormExportRequest.Format) -> FormOutput {
        var object = object
        if format != .xlsx { object["content"] = .string(String(decoding: file.bytes, as: UTF8.self)) }
        file.notes.forEach(session.dialogue.show)
        let text = format == .xlsx ? "" : String(decoding: file.bytes, as: UTF8.self)
        let lines = text.split(atByte: "\n", omittingEmptySubsequences: false).map(String.init)
        return FormOutput(
            lines: lines.last == "" ? lines.dropLast() : lines, objects: [object], file: file.bytes)
    }
}

/// Makes the bytes of a form's file.
struct FormFileMaker {
    struct File {
        let bytes: [UInt8]
        /// Parts of the form for which the format has nothing.
        var losses: [String] = []

        var notes: [String] { losses.isEmpty ? [] : ["Not in the file: \(losses.joined(separator: "; "))."] }
    }

    let loaded: LoadedForm

    /// - Throws: `FormLibraryError` where lists have not come here yet: a file without them would be another form.
    func file(_ format: FormExportRequest.Format) throws -> File {
        let form = loaded.form
        let lists = form.lists.filter { list in
            if case .blob = list.content { true } else { false }
        }
        guard lists.isEmpty else {
            throw FormLibraryError(.filesMissing(lists.map(\.name.text)), form: form.id.text)
        }
        switch format {
        case .yaml: return File(bytes: Array(FormYAML.write(form).utf8))
        case .xml: return File(bytes: XFormExport.write(form), losses: XFormExport.losses(of: form))
        case .csv:
            let sheets = SheetExport(form)
            return File(bytes: TableWriter.csv(sheets.sheets), losses: sheets.losses)
        case .xlsx:
            let sheets = SheetExport(form)
            return File(bytes: try XLSXWriter.write(sheets.sheets, file: form.id.text), losses: sheets.losses)
        }
    }
}
