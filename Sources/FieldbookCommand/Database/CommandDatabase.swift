import ArgumentParser
import DocumentValues
import FieldShell
import Fieldbook
import Foundation

/// Opens database folders for the commands.
enum CommandDatabase {
    /// - Parameter creates: it need not be there.
    static func checkIsThere(_ path: String, creates: Bool) throws {
        guard creates || Database.exists(folder: path) else {
            let what = FileManager.default.fileExists(atPath: path) ? "database in" : "database folder"
            throw CommandFailure(
                "There is no \(what) \(path).", hint: "The first 'put', 'pull' or 'sync' makes it.")
        }
    }

    static func open(_ path: String, key: EncryptionKey?) throws -> Database {
        guard let key else { return try openPlain(path) }
        var configuration = DatabaseConfiguration()
        configuration.encryptionKey = key
        let protection = try Database.attachmentProtection(ofFolder: path)
        // Those of an encrypted database are sealed with its key, unless they have one of their own.
        let hasOwnKey =
            switch protection {
            case .keyFile, .passphrase: true
            case .some(.none): false
            case nil: passphraseFile != nil
            }
        if hasOwnKey { configuration.sealAttachments(with: try attachmentKey()) }
        return try Database.open(folder: path, config: configuration)
    }

    private static func openPlain(_ path: String) throws -> Database {
        var configuration = DatabaseConfiguration()
        configuration.sealAttachments(with: try attachmentKey())
        do { return try Database.open(folder: path, config: configuration) } catch let error as StoreError
            where error.code == .wrongAttachmentStorage
        {
            // Other apps may have plain attachments: the library seals attachments only on request.
            guard try Database.attachmentProtection(ofFolder: path) == AttachmentProtection.none else { throw error }
            return try Database.open(folder: path)
        }
    }

    private static func attachmentKey() throws -> AttachmentKey {
        guard let path = passphraseFile else { return .keyFile }
        return .passphrase(try SecretFile.read(path, what: "passphrase"))
    }

    private static var passphraseFile: String? {
        ProcessInfo.processInfo.environment["FIELDBOOK_PASSPHRASE_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Database {
    /// The collection, or an error that names the existing ones.
    func existingCollection(_ name: CollectionName) throws -> Fieldbook.Collection {
        if let collection = try collection(name) { return collection }
        let others = try allCollections().map(\.fullName).joined(separator: ", ")
        throw CommandFailure("There is no collection \(name).", hint: "There are: \(others).")
    }

    func createdCollection(_ name: CollectionName) throws -> Fieldbook.Collection {
        try createCollection(name: name.name, scope: name.scope)
    }
}

/// Secrets come from files: arguments are visible to every user of the machine.
enum SecretFile {
    static func read(_ path: String, what: String) throws -> String {
        do throws(SecretError) {
            let line = try SecretLine(file: path)
            if let warning = line.warning { StandardOutput.message(warning) }
            return line.text
        } catch {
            throw CommandFailure(error.description, hint: "Its first line is the \(what).")
        }
    }
}

/// A failure that a command explains to a person; exit status 1.
struct CommandFailure: Error, CustomStringConvertible {
    let message: String
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    var description: String { hint.map { "\(message) \($0)" } ?? message }
}

extension CollectionName: ExpressibleByArgument {
    public init?(argument: String) { try? self.init(parsing: argument) }
}
