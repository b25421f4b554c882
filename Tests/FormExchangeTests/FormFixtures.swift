import DocumentValues
import FormLogic
import Foundation
import Testing

@testable import FormExchange

/// Forms of the folder `Fixtures/Sheets`: a workbook, and beside it the XForm that pyxform made of it.
enum FormFixtures {
    static let names = [
        "household", "nested", "translated", "cascade", "old-spellings", "entities", "groups", "external",
    ]

    static func bytes(_ file: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/Sheets", withExtension: nil))
        return [UInt8](try Data(contentsOf: url.appendingPathComponent(file)))
    }

    static func sheets(_ file: String, bytes: [UInt8]? = nil, skips: Bool = false) throws -> FormReading {
        let book = try WorkbookReader.read(
            try bytes ?? self.bytes(file), file: file, isWanted: SheetImport.isWanted)
        return try SheetImport.form(of: book, options: ImportOptions(file: file, skipsUnsupported: skips))
    }

    static func xform(_ file: String, bytes: [UInt8]? = nil) throws -> FormReading {
        try XFormImport.form(of: try bytes ?? self.bytes(file), options: ImportOptions(file: file))
    }

    /// A form in tables of Markdown.
    static func markdown(_ text: String, options: ImportOptions = ImportOptions(file: "form.md")) throws -> FormReading
    {
        let book = try TableReader.markdown(Array(text.utf8), file: options.file)
        return try SheetImport.form(of: book, options: options)
    }

    /// `survey row 14, relevant: error F110: message` for each finding.
    static func lines(_ reading: FormReading) -> [String] {
        FindingLines(file: "f", findings: reading.findings.shown).lines.map { $0.dropFirst(2).trimmingSpaces }
    }
}

extension Form {
    /// The form without all that only says where it comes from.
    var content: String {
        func content(_ value: JSONValue) -> JSONValue {
            switch value {
            case .null, .bool, .string, .number: value
            case .array(let elements): .array(elements.map { content($0) })
            case .object(let object):
                .object(
                    JSONObject(
                        members: object.filter { $0 != "source" && $0 != "source_row" && $0 != "digest" }
                            .map { .init(key: $0.key, value: content($0.value)) }))
            }
        }
        return String(decoding: Form.canonical(content(.object(definition)).objectValue ?? [:]), as: UTF8.self)
    }

    /// All nodes by their paths, in the order of asking.
    var all: [(path: String, node: FormNode)] {
        func all(_ nodes: [FormNode], _ parent: String) -> [(path: String, node: FormNode)] {
            nodes.flatMap { [("\(parent)\($0.name)", $0)] + all($0.nodes, "\(parent)\($0.name)/") }
        }
        return all(nodes, "")
    }

    func node(_ path: String) throws -> FormNode { try #require(all.first { $0.path == path }?.node, "no \(path)") }
}
