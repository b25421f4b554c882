import AttachmentVault
import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FormExchange
import FormLogic
import Foundation

@testable import FieldForms

/// A worker's folder of its own with a library of forms.
final class FormShelf {
    let root: URL
    let field: FieldDatabase
    let author = Author(name: "office", moment: Timestamp(secondsSince1970: 1_772_619_307), device: "desk")

    var library: FormLibrary { FormLibrary(in: field) }

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("forms-\(UUID().uuidString)")
        field = try FieldDatabase.create(
            at: FieldFolder(path: root.appendingPathComponent("records").path), key: .keyFile)
    }

    deinit {
        try? field.close()
        try? FileManager.default.removeItem(at: root)
    }

    @discardableResult
    func publish(_ yaml: String, files: [Name: [UInt8]] = [:]) throws -> Publication {
        try library.publish(FormUpload(form: FormYAML.read(yaml).form, files: files), by: author)
    }

    /// Writes a file beside the folder of records.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let url = root.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    static func yaml(version: String = "1", type: String = "integer", label: String = "Age") -> String {
        """
        form: people
        version: \(version)
        title: People
        questions:
          - text who: Name
          - \(type) age: \(label)

        """
    }
}
