import DocumentStore
import Foundation
import SodiumCrypto

/// A folder of encrypted databases, whose passwords cost little.
struct EncryptedFolder {
    static let password = EncryptionKey.password("correct horse")
    /// What no file may have in plain.
    static let marker = "The-kitchen-is-infested-with-rats"

    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    func configuration(_ key: EncryptionKey?) -> DatabaseConfiguration {
        var configuration = folder.configuration
        configuration.encryptionKey = key
        configuration.passwordStrength = .testsOnly
        return configuration
    }

    func open(_ key: EncryptionKey? = password, name: String = "test") throws -> Database {
        try Database(name: name, config: configuration(key))
    }

    /// The error of opening the database with a key.
    func refusal(_ key: EncryptionKey?) -> StoreError? {
        do {
            try open(key).close()
            return nil
        } catch { return error as? StoreError ?? StoreError(.unexpected, message: "\(error)") }
    }

    var plainFiles: [String] { folder.files(containing: Array(Self.marker.utf8)) }
}

extension Database {
    /// Documents with the marker in their ids, bodies, indexes and attachments.
    func fillWithMarkers(_ numbers: Range<Int> = 0..<20) throws {
        let collection = try createCollection(name: "notes")
        try inBatch {
            for number in numbers {
                let content =
                    Data(repeating: 7, count: number * 10_000) + Data("\(EncryptedFolder.marker)\(number)".utf8)
                try collection.put(
                    "\(EncryptedFolder.marker)-\(number)",
                    [
                        "text": "\(EncryptedFolder.marker) \(number)", "number": number,
                        "photo": Blob(contentType: "image/png", data: content),
                    ])
            }
        }
    }

    /// Whether the documents and their attachments are whole.
    func hasMarkers(_ numbers: Range<Int> = 0..<20) throws -> Bool {
        guard let collection = try collection(name: "notes"), collection.count == numbers.count else { return false }
        try performMaintenance(type: .integrityCheck)
        return try numbers.allSatisfy { number in
            let document = try collection.document(id: "\(EncryptedFolder.marker)-\(number)")
            let photo = document?.blob(forKey: "photo")?.content
            return document?.string(forKey: "text") == "\(EncryptedFolder.marker) \(number)"
                && photo?.count == number * 10_000 + "\(EncryptedFolder.marker)\(number)".utf8.count
        }
    }
}
