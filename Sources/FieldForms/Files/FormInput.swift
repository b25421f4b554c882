import Crypto
import DocumentValues
import FieldRecords
import FormExchange
import FormLogic
import Foundation

/// The bytes of an author's form, of the kind that its name says.
struct FormInput {
    enum Content {
        case sheets(Workbook)
        case yaml(String)
        case markup([UInt8])
    }

    /// As the person named it.
    let file: String
    /// Of the file, or of the folder with the tables.
    let url: URL
    let content: Content
    /// `sha256-` and the hexadecimal digits of all that was read.
    let digest: String

    /// - Throws: `UnreadableFormFile` or `FormFileError`.
    static func read(_ path: String) throws -> FormInput {
        let url = URL(fileURLWithPath: HomeFolder.expanding(path)).standardizedFileURL
        if (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true {
            return try tables(in: url, named: path)
        }
        if url.lastPathComponent.lowercased().isExactly("survey.csv") {
            return try tables(in: url.deletingLastPathComponent(), named: path)
        }
        guard let bytes = try FormFolder.read(url, named: path, upTo: FormExchangeLimits.file) else {
            throw UnreadableFormFile("there is no such file", file: path)
        }
        let content: Content
        switch url.pathExtension.lowercased() {
        case "yaml", "yml":
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw FormFileError(.encoding("something else than UTF-8"), file: path)
            }
            content = .yaml(text)
        case "xml": content = .markup(bytes)
        default:
            content = .sheets(try WorkbookReader.read(bytes, file: path, isWanted: SheetImport.isWanted))
        }
        return FormInput(file: path, url: url, content: content, digest: digest(of: [bytes]))
    }

    /// A folder with a CSV file for each sheet.
    private static func tables(in folder: URL, named path: String) throws -> FormInput {
        let names = ["survey.csv", "choices.csv", "settings.csv", "external_choices.csv", "entities.csv"]
        var files: [(name: String, bytes: [UInt8])] = []
        for name in names {
            let url = folder.appendingPathComponent(name)
            guard let bytes = try FormFolder.read(url, named: name, upTo: FormExchangeLimits.file) else { continue }
            files.append((name, bytes))
        }
        guard files.first?.name == "survey.csv" else {
            throw UnreadableFormFile("a folder with a form has a survey.csv", file: path)
        }
        let book = try TableReader.folder(files)
        return FormInput(
            file: path, url: folder, content: .sheets(book), digest: digest(of: files.map(\.bytes)))
    }

    private static func digest(of parts: [[UInt8]]) -> String {
        var hash = SHA256()
        for part in parts { hash.update(data: part) }
        return "sha256-" + Hexadecimal.encode(hash.finalize())
    }

    var book: Workbook? {
        if case .sheets(let book) = content { book } else { nil }
    }

    /// Whether it was made for another program.
    var isImported: Bool {
        if case .yaml = content { false } else { true }
    }

    /// Where files that it names may be.
    var folders: [URL] {
        guard !url.hasDirectoryPath else { return [url] }
        let folder = url.deletingLastPathComponent()
        let stem = url.deletingPathExtension().lastPathComponent
        return [folder, folder.appendingPathComponent("\(stem)-media", isDirectory: true)]
    }

    func reading(with options: FormSource.Options) throws -> FormReading {
        var importing = FormImportOptions(
            file: url.lastPathComponent, skipsUnsupported: options.skipsUnsupported,
            ignoresEncryption: options.ignoresEncryption)
        importing.formID = options.formID.map { Name($0) }
        do throws(FormFileError) {
            return try reading(with: importing)
        } catch {
            // The readers know only its last part, of which an id is made.
            throw FormFileError(error.cause, file: file)
        }
    }

    private func reading(with options: FormImportOptions) throws(FormFileError) -> FormReading {
        switch content {
        case .sheets(let book): try SheetImport.form(of: book, options: options)
        case .yaml(let text): FormYAML.read(text)
        case .markup(let bytes): try XFormImport.form(of: bytes, options: options)
        }
    }
}
