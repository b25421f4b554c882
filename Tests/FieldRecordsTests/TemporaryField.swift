import DocumentStore
import FieldModels
import FieldRecords
import Foundation

/// A field database in a folder of its own, which is deleted together with the value.
final class TemporaryField {
    let root: URL
    let field: FieldDatabase
    let author: Author

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("field-\(UUID().uuidString)")
        field = try FieldDatabase(
            folder: FieldFolder(path: root.appendingPathComponent("laptop").path),
            configuration: DatabaseConfiguration())
        author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307))
    }

    deinit {
        try? field.close()
        try? FileManager.default.removeItem(at: root)
    }

    /// Writes a file and returns its path.
    func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = root.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    func path(_ name: String) -> String { root.appendingPathComponent(name).path }
}
