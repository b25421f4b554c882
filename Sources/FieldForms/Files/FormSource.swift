import Crypto
import DocumentValues
import FieldModels
import FieldRecords
import FormExchange
import FormLogic
import Foundation

/// A file of an author, read as a form: with everything that is wrong in it, and with the files beside it.
package struct FormSource: Sendable {
    /// How it is read.
    package struct Options: Sendable, Hashable {
        package var skipsUnsupported = false
        package var ignoresEncryption = false
        /// The form's id and version instead of those in the file.
        @Exact package var formID: String?
        @Exact package var version: String?
        /// Where the files are that the form names; `nil` for its own folder, and the folder `NAME-media` in it.
        @Exact package var media: String?

        package init() {}
    }

    /// As the person named it.
    package let file: String
    package private(set) var form: Form
    /// Of the reader and of the checker.
    package private(set) var findings: FormFindings
    package let headings: SheetHeadings
    /// The contents of the files that are there.
    package private(set) var files: [Name: [UInt8]] = [:]
    private let source: RecordSource

    package var upload: FormUpload { FormUpload(form: form, files: files, source: source) }

    /// - Parameter path: a workbook, a table, YAML or an XForm; or a folder with `survey.csv`.
    /// - Throws: `UnreadableFormFile` or `FormFileError` for a file of which no form can be made at all. Faults in a form are
    ///   findings.
    package static func read(_ path: String, options: Options = Options()) throws -> FormSource {
        let input = try FormInput.read(path)
        let reading = try input.reading(with: options)
        var source = FormSource(input, reading: reading)
        if let version = options.version { source.form.version = version }
        if let id = options.formID { source.form.id = Name(id) }
        try source.findFiles(of: input, in: options.media)
        source.check(reading, isImported: input.isImported)
        return source
    }

    private init(_ input: FormInput, reading: FormReading) {
        file = input.file
        form = reading.form
        findings = FormFindings()
        headings = input.book.map { SheetHeadings($0) } ?? SheetHeadings()
        source = RecordSource(file: input.url.lastPathComponent, digest: input.digest)
    }

    private mutating func findFiles(of input: FormInput, in media: String?) throws {
        let folders: [URL]
        if let media {
            let url = URL(fileURLWithPath: HomeFolder.expanding(media), isDirectory: true)
            guard (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true else {
                throw UnreadableFormFile("there is no such folder", file: media)
            }
            folders = [url]
        } else {
            folders = input.folders
        }
        for file in form.files {
            for folder in folders {
                guard let bytes = try FormFolder(url: folder).file(file.name) else { continue }
                files[file.name] = bytes
                break
            }
        }
    }

    /// A picture that is not there leaves the records of a form as they should be; choices and look-ups need their tables.
    private mutating func check(_ reading: FormReading, isImported: Bool) {
        var reading = reading
        reading.form = form
        var known = Set(files.keys)
        for (index, file) in form.files.enumerated()
        where file.kind == .media && !known.contains(file.name) {
            known.insert(file.name)
            reading.findings.add(
                FormFinding(
                    .ignored, at: reading.positions[FormPart(.file(index))],
                    message: "the file '\(file.name.text)' is not there, and is not shown.",
                    hint: "Put it beside the form, or name its folder: --media FOLDER"))
        }
        checkTables(&reading)
        findings = FormChecker.findings(
            of: reading, options: FormChecker.Options(isImported: isImported, files: known))
    }

    /// A table that cannot be read would be noticed only when the form is filled.
    private func checkTables(_ reading: inout FormReading) {
        for (index, file) in form.files.enumerated() where file.kind != .media {
            guard let bytes = files[file.name] else { continue }
            let position = reading.positions[FormPart(.file(index))]
            do throws(FormFileError) {
                _ = try FileInstance.read(bytes, file: file)
                guard let fault = FileInstance.fault(in: bytes, file: file) else { continue }
                reading.findings.add(
                    FormFinding(.unreadable, at: position, message: "the file '\(file.name.text)': \(fault)."))
            } catch {
                reading.findings.add(FormFinding(.unreadable, at: position, message: error.description))
            }
        }
    }
}
