import FieldForms
import FieldRecords

/// Forms of questions: taken in from files, checked, shown, listed, and written as files.
struct FormCommand {
    let session: ShellSession

    func run(_ request: FormRequest) throws -> CommandResult {
        switch request {
        case .importFile(let request): .form(try FormImporting(session: session).run(request))
        case .check(let paths, let request): .form(FormChecking(request: request).run(paths))
        case .show(let form, asYAML: false): .detail(try FormShowing(session: session).run(form))
        case .show(let form, asYAML: true):
            .form(
                try FormExporting(session: session).run(FormExportRequest(form: form, format: .yaml, output: nil)))
        case .list: .listing(try FormListing(session: session).run())
        case .export(let request): .form(try FormExporting(session: session).run(request))
        case .evaluate(let request): .form(try FormEvaluation(session: session).run(request))
        case .attempt(let request):
            .form(
                try request.isScripted
                    ? FormTrial(session: session).run(request) : FormTrying(session: session).run(request))
        }
    }
}

extension FormFileRequest {
    var options: FormSource.Options {
        var options = FormSource.Options()
        options.skipsUnsupported = skipsUnsupported
        options.ignoresEncryption = ignoresEncryption
        (options.formID, options.version, options.media) = (formID, version, media)
        return options
    }
}
