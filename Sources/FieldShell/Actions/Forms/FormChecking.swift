import DocumentValues
import FieldForms
import FormLogic

/// Looks for faults in files with forms. It needs no folder of records.
struct FormChecking {
    let request: FormFileRequest

    /// - Returns: status 1 where a form has errors, 2 where a file cannot be read.
    func run(_ paths: [String]) -> FormOutput {
        var output = FormOutput(lines: [], objects: [])
        var count = FindingCount()
        for path in paths {
            let report: FormFileReport
            do {
                let source = try FormSource.read(path, options: request.options)
                count.add(source.findings)
                report = FormFileReport(source)
                if source.findings.hasErrors { output.exitStatus = max(output.exitStatus, 1) }
            } catch {
                report = FormFileReport(unreadable: error, file: path)
                output.exitStatus = 2
            }
            output.lines += report.lines
            output.objects.append(report.object)
        }
        output.lines.append(count.line)
        return output
    }
}
