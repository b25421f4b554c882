import AttachmentVault
import DocumentStore
import Foundation
import SodiumCrypto

/// A temporary folder with a database whose attachments are sealed, cheaply.
final class VaultFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("vault-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var database: URL { url.appendingPathComponent("vault.fieldbook") }

    var configuration: DatabaseConfiguration {
        var configuration = DatabaseConfiguration()
        configuration.directory = url.path
        return configuration
    }

    func open(_ key: AttachmentKey) throws -> Database {
        var configuration = configuration
        configuration.blobStorage = SealedBlobStorageProvider(key: key, strength: .testsOnly)
        return try Database(name: "vault", config: configuration)
    }

    var names: [String] { FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String] ?? [] }

    private var files: [URL] { names.map { url.appendingPathComponent($0) }.filter { !$0.isFolder } }

    /// Files with that in their path, below the database's folder.
    func files(named part: String) -> [URL] {
        files.filter { $0.path.dropFirst(database.path.count).contains(part) }
    }

    var blobFiles: [URL] {
        files(named: "attachments/").filter { $0.deletingLastPathComponent().lastPathComponent.utf8.count == 2 }
    }

    func files(containing needle: [UInt8]) -> [String] {
        files.filter { (try? Data(contentsOf: $0))?.range(of: Data(needle)) != nil }.map(\.lastPathComponent)
    }
}

extension URL {
    fileprivate var isFolder: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

extension Database {
    @discardableResult
    func addPhoto(_ id: String, _ content: [UInt8]) throws -> Blob {
        let blob = Blob(contentType: "image/png", data: Data(content))
        let document = MutableDocument(id: id).setBlob(blob, forKey: "photo")
        try defaultCollection().save(document: document)
        return blob
    }
}

extension InputStream {
    func readAll() -> [UInt8] {
        open()
        defer { close() }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1000)
        while hasBytesAvailable {
            let count = read(&buffer, maxLength: buffer.count)
            guard count > 0 else { break }
            content += buffer[..<count]
        }
        return content
    }
}

/// Whether an error is one of the store's with this code.
func isCode(_ code: StoreError.Code) -> (any Error) -> Bool { { ($0 as? StoreError)?.code == code } }
